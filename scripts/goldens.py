#!/usr/bin/env python3
"""Compares the state after every frame of short runs with the hashes in tests/golden_hashes.json.

  scripts/goldens.py [--quick] [--program COMMAND]... [--threads N]
  scripts/goldens.py --update [--program COMMAND]

Every compiler, instruction set and processor has to arrive at these bits: a hash that changes without a change of
behaviour is a defect. Without --program all builds that are there are compared: build/release, build/clang,
build/baseline, and build/aarch64 under qemu-aarch64. --quick takes a few scenes that are fast even there.

After a change of behaviour that is meant, --update writes the hashes anew, by the release build. Single precision only.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDENS = ROOT / "tests" / "golden_hashes.json"
BUILDS = ("release", "clang", "baseline", "aarch64")


def command_of(build):
    """What runs a build; nothing if it is not there."""
    program = ROOT / "build" / build / "bin" / "pliant"
    if not program.exists():
        return None
    return (["qemu-aarch64"] if build == "aarch64" else []) + [str(program)]


def run(command, golden, threads):
    """The hash of every frame, the start included."""
    with tempfile.TemporaryDirectory() as folder:
        stats = os.path.join(folder, "stats.json")
        sets = [word for edit in golden.get("set", []) for word in ("--set", edit)]
        call = [*command, "run", golden["scene"], *sets, "--frames", str(golden["frames"])]
        call += ["--threads", str(threads), "--quiet", "--stats", stats]
        result = subprocess.run(call, capture_output=True, text=True, cwd=folder)
        if result.returncode != 0:
            sys.exit(f"goldens: `{shlex.join(call)}` failed:\n{result.stderr}")
        with open(stats, encoding="utf-8") as file:
            return [frame["hash"] for frame in json.load(file)["frames"]]


def run_all(command, goldens, threads):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda golden: run(command, golden, threads), goldens))


def name_of(golden):
    return " ".join([golden["scene"], *golden.get("set", [])])


def compare(command, goldens, threads):
    """Whether all hashes are as stored."""
    different = 0
    for golden, hashes in zip(goldens, run_all(command, goldens, threads)):
        if len(set(hashes)) < len(hashes) / 2:
            sys.exit(f"goldens: {name_of(golden)} hardly moves; its hashes prove nothing")
        if hashes == golden["hashes"]:
            continue
        different += 1
        pairs = zip(golden["hashes"], hashes)
        frame = next((k for k, (stored, now) in enumerate(pairs) if stored != now), min(len(hashes), len(golden["hashes"])))
        stored, now = (h[frame] if frame < len(h) else "no hash" for h in (golden["hashes"], hashes))
        print(f"goldens: {name_of(golden)}: frame {frame} is the first that differs: {now} instead of {stored}", file=sys.stderr)
    print(f"{shlex.join(command)}: {len(goldens) - different} of {len(goldens)} runs are equal to the stored hashes")
    return different == 0


def update(command, goldens):
    for golden, hashes in zip(goldens, run_all(command, goldens, threads=1)):
        if golden.get("hashes") != hashes:
            print(f"{name_of(golden)}: {'changed' if 'hashes' in golden else 'new'}")
        golden["hashes"] = hashes
    lines = ",\n".join("  " + json.dumps(golden) for golden in goldens)
    GOLDENS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--program", action="append", metavar="COMMAND", help='such as "qemu-aarch64 build/aarch64/bin/pliant"')
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()

    goldens = json.loads(GOLDENS.read_text(encoding="utf-8"))
    if options.program:
        commands = [[str(pathlib.Path(w).resolve()) if os.path.exists(w) else w for w in shlex.split(p)] for p in options.program]
    else:
        commands = [command for command in map(command_of, BUILDS) if command]
    if not commands:
        sys.exit("goldens: nothing is built; make build/release, or name a --program")
    if options.update:
        return update(commands[0], goldens)
    if options.quick:
        goldens = [golden for golden in goldens if golden.get("quick")]
    return 0 if all([compare(command, goldens, options.threads) for command in commands]) else 1


if __name__ == "__main__":
    sys.exit(main())
