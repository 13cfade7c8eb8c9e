"""Many runs at once."""

import sys
import time

from . import _core
from ._world import World


def batch(worlds, overrides=None, frames=None, *, threads=0, progress=None):
    """Steps many worlds, a thread each, and returns them; every one ends with the bits that a loop would give it.

    `worlds` is a list of worlds, or a scene (a file, the name of a built-in one, or a dictionary) with a list of
    `overrides`, one run each, such as [{"solids.bunny.gamma": 0.1}, {"solids.bunny.gamma": 0.2}]. `frames` is how many to
    step; for a scene, what it says. A world that becomes non-finite stops there and says so in `trouble`. `threads` 0 is one
    a core. A progress bar is shown where standard error is a terminal, or as `progress` says.
    """
    if overrides is not None:
        worlds = [World(worlds, **{"set": one}) for one in overrides]
    else:
        worlds = list(worlds)
    if frames is None:
        if overrides is None:
            raise _core.InputError("batch: how many frames? give frames=")
        frames = worlds[0].frames if worlds else 0
    bar = _Bar(len(worlds) * frames) if (sys.stderr.isatty() if progress is None else progress) else None
    try:
        _core.run_batch([world._core for world in worlds], frames, threads, bar.show if bar else lambda done: None)
    finally:
        if bar:
            bar.end()
    return worlds


class _Bar:
    WIDTH = 30

    def __init__(self, total):
        self.total = max(1, total)
        self.start = time.monotonic()

    def show(self, done):
        passed = time.monotonic() - self.start
        rate = done / passed if passed > 0 else 0
        left = f"{(self.total - done) / rate:.0f} s" if rate > 0 else "?"
        full = self.WIDTH * done // self.total
        bar = "=" * full + " " * (self.WIDTH - full)
        print(f"\r[{bar}] {done}/{self.total}  {rate:.3g} frames/s  {left} left ", end="", file=sys.stderr, flush=True)

    def end(self):
        print(file=sys.stderr)
