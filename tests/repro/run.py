#!/usr/bin/env python3
"""Runs the small scenes of this folder, each of which once broke the engine, and compares with what should happen.

  run.py PROGRAM [NAME]...

A scene ends with the given exit code, and nothing in it intersects. Exit codes: 0 it
runs, 3 it is refused, 4 it is reported as non-finite. The time is bounded only so that a hang is seen.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# name: (exit codes that are right, frames)
SCENES = {
    "array_of_a_billion": ((3,), 1),
    "far_collider": ((0, 4), 2),
    "fast_at_a_box": ((0,), 10),
    "fast_free_cloths": ((0,), 3),
    "fine_skin": ((0,), 3),
    "keyed_spin": ((0,), 30),
    "mm_rods": ((0, 4), 4),
    "mm_spiral_rod": ((0, 4), 20),
    "points_far_apart": ((3,), 1),
    "shaken_bag": ((0,), 3),
    "small_weld": ((0, 4), 3),
    "table_default_effort": ((0,), 60),
    "thin_rail": ((0,), 60),
}
TIMEOUT = 120  # [s]


def run(program, name, folder):
    codes, frames = SCENES[name]
    stats = folder / "stats.json"
    stats.unlink(missing_ok=True)
    command = [program, "run", str(HERE / f"{name}.json"), "--quiet", "--frames", str(frames), "--stats", str(stats)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"takes more than {TIMEOUT} s"
    if done.returncode not in codes:
        return f"ends with {done.returncode}: {done.stderr.strip()[:200]}"
    if done.returncode != 0:
        return ""
    recorded = json.loads(stats.read_text())["frames"]
    most = max(frame["intersections"] for frame in recorded)
    return f"{most} intersections" if most > 0 else ""


def main():
    program, names = sys.argv[1], sys.argv[2:] or sorted(SCENES)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            wrong = run(program, name, pathlib.Path(folder))
            print(f"{name}: {wrong or 'as it should be'}")
            failed += 1 if wrong else 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
