#!/usr/bin/env python3
"""A run that one build leaves is resumed by another, such as one for another processor, there and back. The
files and the hashes are those of a run that was never interrupted.

    tests/apps/portable_test.py PROGRAM OTHER [SCENE]...      such as "qemu-aarch64 build/aarch64/bin/pliant"
"""

import glob
import json
import os
import shlex
import subprocess
import sys
import tempfile

SCENES = ["mixed_pile", "glue_windmill", "rod_helix", "cloth_on_sphere"]
FRAMES = (12, 20, 28)


def run(program, folder, out, scene, frames, *more):
    command = [*program, "run", scene, "--frames", str(frames), "--quiet", "-o", f"{out}/f.ply", "-o", f"{out}/c.pc2", "--stats", f"{out}/s.json", *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def content(folder, out):
    files = {}
    for path in sorted(glob.glob(os.path.join(folder, out, "*"))):
        name = os.path.basename(path)
        if name == "s.json" or ".checkpoint" in name:
            continue
        with open(path, "rb") as file:
            files[name] = file.read()
    with open(os.path.join(folder, out, "s.json")) as file:
        files["hashes"] = [frame["hash"] for frame in json.load(file)["frames"]]
    return files


def check(scene, programs):
    with tempfile.TemporaryDirectory() as folder:
        run(programs[0], folder, "whole", scene, FRAMES[-1])
        for order in ((0, 1, 0), (1, 0, 1)):
            for k, (turn, frames) in enumerate(zip(order, FRAMES)):
                run(programs[turn], folder, f"by{order[0]}", scene, frames, "--checkpoint-every", "100", *(["--resume"] if k > 0 else []))
            mine, theirs = content(folder, f"by{order[0]}"), content(folder, "whole")
            different = [name for name in theirs if mine.get(name) != theirs[name]] + [name for name in mine if name not in theirs]
            if different:
                sys.exit(f"{scene}: {', '.join(different)} differ when {shlex.join(programs[order[0]])} begins")


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    programs = [[os.path.abspath(part) if os.path.exists(part) else part for part in shlex.split(text)] for text in sys.argv[1:3]]
    scenes = sys.argv[3:] or SCENES
    for scene in scenes:
        check(scene, programs)
    print(f"snapshots go there and back between {os.path.relpath(programs[0][-1], root)} and {os.path.relpath(programs[1][-1], root)}: {', '.join(scenes)}")


if __name__ == "__main__":
    main()
