"""Random scenes of cloth in the wind and under pressure, and of wires and strands that touch."""
import math

GROUND = {"name": "ground", "shape": "plane", "friction": 0.5}


def between(r, low, high):
    """A number whose logarithm is evenly spread."""
    return low * (high / low) ** r.random()


def sail(r):
    """A sheet held at some corners or at a side, in a wind across it."""
    size, cells = between(r, 0.2, 8), r.randint(10, 35)
    held = {"corners": [{"at": [x * size / 2, y * size + 2 * size, 0]} for x in (-1, 1) for y in (-0.5, 0.5)],
            "top": [{"at": [x * size / 2, 2.5 * size, 0]} for x in (-1, 1)],
            "side": [{"low": [-0.51 * size, size, -size], "high": [-0.49 * size, 3 * size, size]}]}
    cloth = {"name": "sail", "shape": {"kind": r.choice(["rectangle", "irregular"]), "size": [size, size], "cells": [cells, cells]},
             "position": [0, 2 * size, 0], "rotation": [90, 0, 0], "areal_density": between(r, 0.1, 1),
             "air_drag": r.uniform(0.5, 1.5), "air_lift": r.uniform(0, 1), "pins": held[r.choice(list(held))]}
    wind = between(r, 1, 15)
    forces = {"wind": [wind * r.uniform(-0.5, 0.5), 0, wind], "gusts": r.choice([0, 0.3])}
    return {"frames": 150, "forces": forces, "cloths": [cloth]}, ["S=.025", "M=.1"]


def balloon(r):
    """A closed shell with air in it falls on the ground and on a box."""
    size = between(r, 0.1, 2)
    cloth = {"name": "balloon", "shape": {"kind": "sphere", "radius": size / 2, "divisions": r.randint(6, 14)},
             "position": [0, 1.5 * size, 0], "areal_density": between(r, 0.1, 1)}
    cloth["pressure"] = between(r, 2, 40) * 9.81 * cloth["areal_density"]
    box = {"name": "box", "shape": "box", "size": [0.3 * size] * 3, "position": [0.2 * size, 0.15 * size, 0]}
    return {"frames": 180, "contact": {"on": True}, "cloths": [cloth], "colliders": [box, GROUND]}, ["E", "X", "S=.025", "M=.2"]


def strands(r):
    """Many strands, held at one end, that fall against each other."""
    length, edges = between(r, 0.05, 5), r.randint(8, 50)
    shape = r.choice([{"kind": "hair", "radius": 0.5 * length, "length": length, "count": r.randint(5, 40)},
                      {"kind": "bundle", "radius": 0.05 * length, "length": length, "count": r.randint(3, 15)}])
    rod = {"name": "strands", "shape": shape | {"edges": edges}, "radius": length * between(r, 0.001, 0.008),
           "clamps": [{"end": "start", "strand": i} for i in range(shape["count"])]}
    return {"frames": 240, "contact": {"on": True}, "rods": [rod]}, ["E", "X", "S=.05"]


def wire(r):
    """A coil, ring or spiral of wire falls on the ground, and perhaps over a bar."""
    size = between(r, 0.05, 5)
    shape = r.choice([{"kind": "helix", "radius": 0.1 * size, "pitch": 0.05 * size, "turns": 4}, {"kind": "ring", "radius": size / 4},
                      {"kind": "spiral", "radius": 0.4 * size, "inner_radius": 0.1 * size, "turns": 3},
                      {"kind": "line", "from": [-size / 2, 0, 0], "to": [size / 2, 0, 0]}])
    rod = {"name": "wire", "shape": shape | {"edges": r.randint(10, 150)}, "radius": size * between(r, 0.001, 0.015),
           "position": [0, 1.1 * size, 0], "rotation": [r.uniform(-90, 90) for _ in range(3)]}
    if r.random() < 0.5: rod["youngs_modulus"] = between(r, 1, 100) * 500 * 9810 * size
    bar = {"name": "bar", "shape": "capsule", "radius": 0.05 * size, "height": size, "rotation": [90, 0, 0], "position": [0, 0.4 * size, 0]}
    return {"frames": 240, "contact": {"on": True}, "rods": [rod], "colliders": r.choice([[GROUND], [GROUND, bar]])}, ["E", "X", "S=.03"]


MORE_FAMILIES = [sail, balloon, strands, wire]
