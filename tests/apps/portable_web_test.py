#!/usr/bin/env python3
"""Snapshots go from the native build to the browser's engine and back, with the same bits: by the Python package and node.

    PYTHONPATH=build/release/python tests/apps/portable_web_test.py [SCENE]...       after `make wheel web`
"""

import os
import subprocess
import sys
import tempfile

import pliant

SCENES = ["mixed_pile", "glue_windmill", "rod_helix", "cloth_on_sphere"]
FRAMES = 8
ENGINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "web", "engine", "engine.js")
GO_ON = """
import { readFileSync, writeFileSync } from "node:fs";
const [engineFile, scene, from, to, frames] = process.argv.slice(1);
const { loadEngine } = await import(engineFile);
const engine = await loadEngine();
const session = engine.load(engine.sceneText(scene), { source: scene });
if (from !== "") session.openSnapshot(readFileSync(from));
for (let i = 0; i < Number(frames); ++i) session.step();
writeFileSync(to, session.snapshot());
"""


def in_browser(scene, snapshot, folder):
    """The snapshot some frames later; from the start for None."""
    came, went = os.path.join(folder, "came"), os.path.join(folder, "went")
    if snapshot is not None:
        with open(came, "wb") as file:
            file.write(snapshot)
    subprocess.run(["node", "--input-type=module", "-e", GO_ON, os.path.abspath(ENGINE), scene, came if snapshot is not None else "", went, str(FRAMES)],
                   check=True)
    with open(went, "rb") as file:
        return file.read()


def native(scene, snapshot):
    world = pliant.World(scene)
    if snapshot is not None:
        world.restore(snapshot)
    world.step(FRAMES)
    return world.snapshot()


def main():
    for scene in sys.argv[1:] or SCENES:
        with tempfile.TemporaryDirectory() as folder:
            whole = None
            for _ in range(3):
                whole = native(scene, whole)
            there = native(scene, in_browser(scene, native(scene, None), folder))
            back = in_browser(scene, native(scene, in_browser(scene, None, folder)), folder)
            assert there == whole, f"{scene}: native, browser, native differs"
            assert back == whole, f"{scene}: browser, native, browser differs"
        print(f"{scene}: the same snapshot after {3 * FRAMES} frames, by turns here and in WebAssembly")


if __name__ == "__main__":
    main()
