#!/usr/bin/env python3
"""Runs ordinary scenes with the effort that the engine chooses and says which of them hold.

    ordinary.py PLIANT [--only TEXT] [--no-glue] [--jobs N]                      the scenes of cases.txt
    ordinary.py PLIANT --seeds FIRST:END [--only FAMILY] [--no-glue] [--write FOLDER]   random scenes of every family

A scene here is what a user would write without tuning: `settings` are left out on purpose. cases.txt has a line for each
scene with its checks, which judge.py explains; families.py makes the random ones.
"""
import argparse, concurrent.futures, json, pathlib, sys

from families import FAMILIES, make_scene
from judge import run

HERE = pathlib.Path(__file__).resolve().parent


def read_scene(path):
    """A scene file. One with `like` is the scene named there, with the members beside it instead of those there."""
    lines = (line for line in path.read_text().splitlines() if not line.lstrip().startswith("//"))
    scene = json.loads("\n".join(lines))
    if "like" not in scene: return scene
    like = read_scene(path.parent / scene.pop("like"))
    return {key: value for key, value in like.items() if key not in ("$schema", "expect")} | scene


def table():
    for line in (HERE / "cases.txt").read_text().splitlines():
        name, *checks = line.split("#")[0].split() or [""]
        if name: yield name, read_scene(HERE / "scenes" / f"{name}.json"), checks


def random_cases(seeds):
    first, end = map(int, seeds.split(":"))
    for family in FAMILIES:
        for seed in range(first, end): yield f"{family}-{seed}", *make_scene(family, seed)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("pliant")
    p.add_argument("--only", default="", help="scenes whose name has this in it")
    p.add_argument("--skip", action="append", default=[], help="leave out the scene of this name")
    p.add_argument("--seeds", help="FIRST:END, random scenes instead of those of the table")
    p.add_argument("--frames", type=int, help="run at most so many frames")
    p.add_argument("--no-glue", action="store_true", help="leave out scenes with glue")
    p.add_argument("--write", type=pathlib.Path, help="write the scenes here instead of running them")
    p.add_argument("--jobs", type=int, default=1)
    a = p.parse_args()
    cases = [c for c in (random_cases(a.seeds) if a.seeds else table())
             if a.only in c[0] and c[0] not in a.skip and not (a.no_glue and c[1].get("glue"))]
    for _, scene, _ in cases: scene["frames"] = min(scene["frames"], a.frames or scene["frames"])
    if a.write:
        a.write.mkdir(parents=True, exist_ok=True)
        for name, scene, _ in cases: (a.write / f"{name}.json").write_text(json.dumps(scene, indent=1))
        return
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        results = list(pool.map(lambda c: run(a.pliant, *c), cases))
    for (name, *_), bad in zip(cases, results):
        if bad: print(f"  {name}: {'; '.join(bad)}")
    held = sum(not bad for bad in results)
    print(f"{held} of {len(cases)} ordinary scenes hold")
    sys.exit(held != len(cases) or not cases)


if __name__ == "__main__": main()
