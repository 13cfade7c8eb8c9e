#!/usr/bin/env python3
"""Runs scenes with contact again and again, each time from another start, and looks for intersections.

    scripts/torture.py [--runs N] [--frames N] [--threads N] [--program FILE] [SCENE...]

Prints a table and ends with 1 if anything passed through anything in any frame, or a run failed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCENES = ["cloth_on_sphere", "cloth_stack", "cloth_twist", "cloth_funnel", "cloth_pile_10k", "cloth_pile_17k",
          "solids_pile", "mixed_pile", "knot", "hair_bundle", "shirt", "incline", "capstan"]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", default=SCENES, metavar="SCENE")
    parser.add_argument("--runs", type=int, default=10, help="starts a scene (default: 10)")
    parser.add_argument("--frames", type=int, help="frames a run, instead of what the scene says")
    parser.add_argument("--threads", type=int, default=0, help="of each run (default: one a core)")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/bin/pliant")
    return parser.parse_args()


def run(arguments, scene, seed):
    """The frames of one run, and what it says if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        stats = Path(folder) / "stats.json"
        command = [arguments.program, "run", scene, "--quiet", "--jitter", str(seed), "--stats", stats,
                   "--threads", str(arguments.threads)]
        if arguments.frames is not None:
            command += ["--frames", str(arguments.frames)]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        frames = json.loads(stats.read_text())["frames"] if stats.exists() else []
        return frames, done.stderr.strip() if done.returncode else ""


def main():
    arguments = read_arguments()
    bad = False
    rows = []
    for number, scene in enumerate(arguments.scenes, 1):
        intersections, worst, held = 0, 0.0, 0
        for seed in range(1, arguments.runs + 1):
            frames, trouble = run(arguments, scene, seed)
            crossed = [f["frame"] for f in frames if f["intersections"]]
            intersections += sum(f["intersections"] for f in frames)
            worst = max([worst] + [f.get("step_ms", 0) for f in frames])
            held += sum(f["body_contact"]["held"] for f in frames)
            bad = bad or bool(crossed) or bool(trouble)
            said = trouble or (f"intersections in frames {crossed[:5]}" if crossed else "none")
            print(f"[{number}/{len(arguments.scenes)}] {scene}, start {seed} of {arguments.runs}: {said}",
                  file=sys.stderr, flush=True)
        rows.append((scene, arguments.runs, intersections, worst, held))

    print(f"{'scene':<16} {'runs':>5} {'intersections':>14} {'worst frame [ms]':>17} {'held':>10}")
    for scene, runs, intersections, worst, held in rows:
        print(f"{scene:<16} {runs:>5} {intersections:>14} {worst:>17.0f} {held:>10}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
