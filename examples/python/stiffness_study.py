"""A parameter study: how far a soft cube sags, by its stiffness. All runs at once, and a plot if matplotlib is there."""

import importlib
from typing import Any

import numpy as np

import pliant

SCENE = {
    "settings": {"quality": "draft"},
    "solids": [{"name": "cube", "shape": {"kind": "box", "size": [0.2, 0.2, 0.2], "count": 216}, "position": [0, 0.11, 0],
                "damping": 20}],
    "colliders": [{"name": "ground"}],
}

stiffness = np.geomspace(1e4, 1e6, 7)  # [Pa]
worlds = pliant.batch(SCENE, [{"solids.cube.youngs_modulus": float(e)} for e in stiffness], frames=90)
heights = [float(world["cube"].surface()[0][:, 1].max()) for world in worlds]
for modulus, height in zip(stiffness, heights):
    print(f"{modulus:10.3g} Pa   top at {1000 * height:6.1f} mm")
assert all(low <= high + 1e-3 for low, high in zip(heights, heights[1:])), "the stiffer, the higher"

try:
    matplotlib: Any = importlib.import_module("matplotlib")  # has no types
    matplotlib.use("Agg")
    plt: Any = importlib.import_module("matplotlib.pyplot")
except ImportError:
    print("install matplotlib for a plot")
else:
    figure, axes = plt.subplots()
    axes.semilogx(stiffness, [1000 * height for height in heights], "o-")
    axes.set_xlabel("Young's modulus [Pa]")
    axes.set_ylabel("height of the cube at rest [mm]")
    figure.savefig("stiffness_study.png")
