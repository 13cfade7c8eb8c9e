#!/usr/bin/env python3
"""Looks for scenes that cost far more than scenes like them, by process time on one thread.

  cliffs.py PROGRAM                        the scenes of LIKE beside the ordinary scene that each is like: ratios above 3 fail
  cliffs.py PROGRAM --seeds FIRST:END      random scenes of all kinds, 1 mm to 10 m, up to 300 m/s; the worst are listed
  cliffs.py PROGRAM --write SEED           prints the random scene
"""
import argparse
import copy
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MOST = 3
TIMEOUT = 100  # [s] of process time
LENGTHS = {"position", "size", "radius", "height", "thickness", "length", "at", "low", "high", "translation", "spacing"}


def scaled(scene, by):
    """The same with all lengths larger."""
    def scale(value):
        return [scale(v) for v in value] if isinstance(value, list) else value * by
    if isinstance(scene, list):
        return [scaled(part, by) for part in scene]
    if isinstance(scene, dict):
        return {key: scale(value) if key in LENGTHS else scaled(value, by) for key, value in scene.items()}
    return scene


def gently_shaken(scene):
    scene = copy.deepcopy(scene)
    for key in scene["cloths"][0]["pins"][0]["motion"]["keys"]:
        key["time"] *= 10
    return scene


def with_more_particles(scene):
    scene = copy.deepcopy(scene)
    scene["solids"][0]["shape"]["count"] = 2000
    return scene


# name: (an ordinary scene that it is like, frames)
LIKE = {
    "fine_skin": (with_more_particles, 10),
    "mm_rods": (lambda scene: scaled(scene, 1 / 0.00347), 30),
    "mm_scene": (lambda scene: scaled(scene, 1 / 0.00183), 30),
    "shaken_bag": (gently_shaken, 40),
}


def run(program, scene, frames, folder):
    """Process time [s] of a run, how it ended, and the statistics of its frames."""
    path, stats = folder / "scene.json", folder / "stats.json"
    path.write_text(json.dumps(scene))
    stats.unlink(missing_ok=True)
    command = [program, "run", str(path), "--quiet", "--threads", "1", "--frames", str(frames), "--stats", str(stats)]
    limit = ["bash", "-c", f'ulimit -t {TIMEOUT}; exec "$@"', "-"]
    done = subprocess.Popen(limit + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = done.stderr.read().decode()
    _, status, usage = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    recorded = json.loads(stats.read_text())["frames"] if stats.exists() else []
    code = done.returncode
    end = "" if code == 0 else "out of time" if code in (-signal.SIGXCPU, -signal.SIGKILL) else f"ends with {code}: {said[:200]}"
    return usage.ru_utime + usage.ru_stime, end, recorded


def compare(program, folder):
    failed = 0
    for name, (like, frames) in sorted(LIKE.items()):
        scene = json.loads((HERE / f"{name}.json").read_text())
        cost = []
        for each in (scene, like(scene)):
            start = run(program, each, 1, folder)[0]
            whole, end, _ = run(program, each, frames + 1, folder)
            cost.append((whole - start) / frames * 1e3)
            if end: print(f"{name}: {end}")
        ratio = cost[0] / max(cost[1], 0.1)
        print(f"{name}: {cost[0]:.1f} ms a frame, one like it {cost[1]:.1f}, {ratio:.2f} times", flush=True)
        failed += ratio > MOST
    return failed


def between(r, low, high):
    """A number whose logarithm is evenly spread."""
    return low * (high / low) ** r.random()


def random_body(r, scene, name, size, place):
    kind = r.choice(["sheet", "sphere", "tube", "rod", "bundle", "solid", "fine", "ball", "box", "torus"])
    speed = r.choice([0, 0, between(r, 0.1, 300)])
    way = [r.gauss(0, 1) for _ in range(3)]
    norm = math.sqrt(sum(w * w for w in way)) or 1
    body = {"name": name, "position": [p * size for p in place], "rotation": [r.uniform(-180, 180) for _ in range(3)],
            "velocity": [speed * w / norm for w in way]}
    thin = {"thickness": size * between(r, 0.0005, 0.03)} if r.random() < 0.7 else {}
    if kind == "sheet":
        cells = r.randint(4, 40)
        scene.setdefault("cloths", []).append(body | thin | {"shape": {"kind": "rectangle", "size": [size, size * between(r, 0.3, 1)], "cells": [cells, cells]}})
    elif kind == "sphere":
        scene.setdefault("cloths", []).append(body | thin | {"shape": {"kind": "sphere", "radius": size / 2, "divisions": r.randint(3, 20)}})
    elif kind == "tube":
        scene.setdefault("cloths", []).append(body | thin | {"shape": {"kind": "tube", "radius": size / 4, "height": size, "divisions": r.randint(6, 40)}})
    elif kind == "rod":
        scene.setdefault("rods", []).append(body | {"shape": {"kind": "line", "from": [-size / 2, 0, 0], "to": [size / 2, 0, 0], "edges": r.randint(5, 200)}, "radius": size * between(r, 0.001, 0.03)})
    elif kind == "bundle":
        scene.setdefault("rods", []).append(body | {"shape": {"kind": "bundle", "radius": size / 4, "length": size, "count": r.randint(3, 40), "edges": r.randint(4, 20)}, "radius": size * between(r, 0.001, 0.01)})
    elif kind in ("solid", "fine"):
        shape = r.choice([{"kind": "mascot", "height": size}, {"kind": "sphere", "radius": size / 2}, {"kind": "torus", "radius": size / 3, "tube_radius": size / 8}])
        shape |= {"count": r.randint(30, 800)} | ({"divisions": r.randint(6, 40)} if kind == "fine" else {})
        scene.setdefault("solids", []).append(body | {"shape": shape})
    else:
        shape = {"ball": {"kind": "sphere", "radius": size / 2}, "box": {"kind": "box", "size": [size * between(r, 0.05, 1) for _ in range(3)]},
                 "torus": {"kind": "torus", "radius": size / 3, "tube_radius": size / 8}}[kind]
        scene.setdefault("rigids", []).append(body | {"shape": shape, "density": between(r, 100, 8000)})


def random_scene(seed):
    r = random.Random(seed)
    size, count = between(r, 0.001, 10), r.choice([1, 2, 3, 5, 9])
    scene = {"frames": 30, "contact": {"on": True, "friction": r.uniform(0, 0.8)}}
    if r.random() < 0.5: scene["settings"] = {"substeps": round(between(r, 1, 40))}
    side = math.ceil(count ** (1 / 3))
    for i in range(count):
        place = [1.6 * (i % side), 1.2 + 1.6 * (i // side % side), 1.6 * (i // side // side)]
        random_body(r, scene, f"b{i}", size * between(r, 0.3, 1), place)
    if r.random() < 0.8: scene["colliders"] = [{"name": "ground", "shape": "plane"}]
    if r.random() < 0.3:
        scene.setdefault("colliders", []).append({"name": "block", "shape": r.choice(["box", "sphere", "capsule"]), "position": [0, size * 0.3, 0],
                                                  "size": [size, size * 0.3, size], "radius": size * 0.2, "height": size})
    return scene


def search(program, seeds, folder, frames):
    rows = []
    for seed in seeds:
        scene = random_scene(seed)
        scene["frames"] = frames + 1
        whole, end, recorded = run(program, scene, frames + 1, folder)
        start = run(program, scene, 1, folder)[0] if whole > 0.5 else 0
        kinds = {k: len(v) for k, v in scene.items() if k in ("cloths", "solids", "rods", "rigids")}
        crossed = max((f.get("intersections", 0) for f in recorded), default=0)
        rows.append(((whole - start) / frames * 1e3, seed, end, crossed, kinds))
        if end or crossed: print(f"{seed}: {end} {crossed} intersections", flush=True)
    rows.sort(reverse=True)
    for cost, seed, end, crossed, kinds in rows[:20]:
        print(f"{seed}: {cost:.1f} ms a frame {kinds} {end}")
    return any(row[2] or row[3] for row in rows)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program", nargs="?")
    p.add_argument("--seeds")
    p.add_argument("--frames", type=int, default=20)
    p.add_argument("--write", type=int)
    a = p.parse_args()
    if a.write is not None:
        print(json.dumps(random_scene(a.write), indent=1))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if not a.seeds: return compare(a.program, folder)
        first, end = map(int, a.seeds.split(":"))
        return search(a.program, range(first, end), folder, a.frames)


if __name__ == "__main__":
    sys.exit(main())
