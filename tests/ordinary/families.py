"""Random scenes of whole classes, as a user would write them: no settings, mostly default materials.

A family is a function of a random generator that gives a scene and the checks that it has to pass (judge.py).
"""
import math, random

from mixed_families import MIXED_FAMILIES
from more_families import MORE_FAMILIES
from rigid_families import RIGID_FAMILIES

KINDS = ["solid", "rigid", "cloth", "rod"]
KINDS_AND_PAIRS = [[a] for a in KINDS] + [[a, b] for i, a in enumerate(KINDS) for b in KINDS[i:]]
GROUND = {"name": "ground", "shape": "plane", "friction": 0.5}


def between(r, low, high):
    """A number whose logarithm is evenly spread."""
    return low * (high / low) ** r.random()


def cloth_on_ball(r):
    size, cells = between(r, 0.2, 5), r.randint(15, 50)
    radius = size * r.uniform(0.2, 0.4)
    cloth = {"name": "cloth", "shape": {"kind": r.choice(["rectangle", "rectangle", "irregular"]), "size": [size, size],
                                        "cells": [cells, cells]},
             "position": [0, 2 * radius + size * r.uniform(0.02, 0.3), 0], "rotation": [0, r.uniform(0, 90), 0]}
    ball = {"name": "ball", "shape": "sphere", "radius": radius,
            "position": [size * r.uniform(-0.1, 0.1), radius, size * r.uniform(-0.1, 0.1)]}
    scene = {"frames": 150, "contact": {"on": True}, "cloths": [cloth], "colliders": [ball, GROUND]}
    return scene, ["E", "S=.02", "M=.1", "X"]


def rope(r):
    edges, length = round(between(r, 10, 800)), between(r, 0.2, 15)
    down = r.uniform(-0.3, 1) * math.pi / 2
    top = [0, 1.5 * length, 0]
    end = [length * math.cos(down), top[1] - length * math.sin(down), 0]
    rod = {"name": "rope", "shape": {"kind": "line", "from": top, "to": end, "edges": edges},
           "radius": length * between(r, 0.001, 0.02), "pins": [{"particles": [0]}]}
    return {"frames": 240, "rods": [rod]}, ["E", "S=.02"]


def soft_drop(r):
    size = between(r, 0.01, 20)
    kind = r.choice(["box", "sphere", "mascot"])
    shape = {"kind": kind, "spacing": size / r.randint(6, 12)}
    shape |= {"box": {"size": [size, size * r.uniform(0.5, 1), size * r.uniform(0.5, 1)]}, "sphere": {"radius": size / 2},
              "mascot": {"height": size}}[kind]
    solid = {"name": "soft", "shape": shape, "position": [0, size * r.uniform(1, 3), 0],
             "rotation": [r.uniform(-180, 180) for _ in range(3)] if kind == "box" else [0, 0, r.uniform(-30, 30)]}
    return {"frames": 240, "solids": [solid], "colliders": [GROUND]}, ["E", "S=.1"]


def hang_chain(links, mass, load, width):
    """Bodies and glue of a horizontal chain with a ball of `load` times a link's mass at its end."""
    pitch, height = 0.1, 0.1 * links + 1
    rigids = [{"name": f"link-{i}", "shape": {"kind": "box", "size": [0.9 * pitch, width, width]},
               "position": [pitch * (i + 0.5), height, 0], "mass": mass} for i in range(links)]
    rigids.append({"name": "ball", "shape": {"kind": "sphere", "radius": 0.1},
                   "position": [pitch * links + 0.1, height, 0], "mass": load * mass})
    glue = [{"name": "top", "a": {"body": "link-0"}, "b": {}, "at": [0, height, 0]}]
    glue += [{"name": f"joint-{i}", "a": {"body": rigids[i]["name"]}, "b": {"body": rigids[i + 1]["name"]},
              "at": [pitch * (i + 1), height, 0]} for i in range(links)]
    return {"rigids": rigids, "glue": glue}


def chain(r):
    links, mass, load = r.randint(5, 60), between(r, 0.01, 1), between(r, 1, 300)
    return {"frames": 300} | hang_chain(links, mass, load, 0.02), ["E", "G=1e-3"]


def swung_chain(r):
    """One after the other: 20, 40, 200 links with 10, 100, 1000 times a link's mass."""
    links, load = [20, 40, 200][r.number // 3 % 3], [10, 100, 1000][r.number % 3]
    return {"frames": 600} | hang_chain(links, between(r, 0.01, 1), load, 0.03), ["C=.02", "G=1e-4"]


def part(r, kind, name, at, along, scale=1):
    """A body of 0.45 m along x (or y), its middle at `at`."""
    size = [scale * c for c in ([0.45, 0.2, 0.2] if along == "x" else [0.2, 0.45, 0.2])]
    body = {"name": name, "position": at}
    if kind == "solid":
        return body | {"shape": {"kind": "box", "size": size, "spacing": 0.05 * scale}, "mass": scale**3,
                       "youngs_modulus": scale * between(r, 1e5, 2e6)}
    if kind == "rigid": return body | {"shape": {"kind": "box", "size": size}, "mass": scale**3 * between(r, 0.2, 5)}
    if kind == "cloth":
        shape = {"kind": "rectangle", "size": size[:2], "cells": [9, 4] if along == "x" else [4, 9]}
        return body | {"shape": shape, "areal_density": scale} | ({} if along == "x" else {"rotation": [90, 0, 0]})
    half = [0.22 * scale, 0, 0] if along == "x" else [0, 0.22 * scale, 0]
    return body | {"shape": {"kind": "line", "from": [-c for c in half], "to": half, "edges": 12}, "radius": 0.02 * scale,
                   "youngs_modulus": 1e7 * scale}


def put_together(bodies, glue, **rest):
    scene = {"glue": glue} | rest
    for kind, body in bodies: scene.setdefault(kind + "s", []).append(body)
    return scene


def spinning_pair(r):
    kinds = [r.choice(KINDS) for _ in range(2)]
    w = [r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(1, 3)]
    bodies = []
    for kind, name, x in zip(kinds, "AB", [-0.225, 0.225]):
        body = part(r, kind, name, [x, 0, 0], "x")
        body |= {"angular_velocity": w, "velocity": [0, w[2] * x, -w[1] * x]}
        bodies.append((kind, body))
    glue = [{"name": "weld", "kind": "weld", "a": {"body": "A"}, "b": {"body": "B"}, "at": [0, 0, 0]}]
    return put_together(bodies, glue, frames=600, forces={"gravity": [0, 0, 0]}), ["L=.01", "K=.05"]


def free_spin(r):
    """Each kind alone, then each pair of kinds, one after the other, with other sizes and masses each time."""
    kinds = KINDS_AND_PAIRS[r.number % len(KINDS_AND_PAIRS)]
    w, scale = [r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(1, 3)], between(r, 0.2, 5)
    bodies = []
    for kind, name, x in zip(kinds, "AB", [-0.225 * scale, 0.225 * scale] if len(kinds) == 2 else [0]):
        body = part(r, kind, name, [x, 0, 0], "x", scale)
        bodies.append((kind, body | {"angular_velocity": w, "velocity": [0, w[2] * x, -w[1] * x]}))
    glue = [{"name": "weld", "kind": "weld", "a": {"body": "A"}, "b": {"body": "B"}, "at": [0, 0, 0]}]
    scene = put_together(bodies, glue[:len(kinds) - 1], frames=1200, forces={"gravity": [0, 0, 0]})
    return scene, ["L=.005", "K=.02"]


def hung_pair(r):
    top, bottom = r.choice(["solid", "cloth", "rod"]), r.choice(["solid", "rigid"])
    a, b = part(r, top, "A", [0, 2, 0], "y"), part(r, bottom, "B", [0, 1.56, 0], "y")
    if top == "rod": a["clamps"] = [{"end": "end"}]
    else: a["pins"] = [{"low": [-1, 2.18, -1], "high": [1, 2.4, 1]}]
    b["velocity"] = [r.uniform(0.2, 1), 0, 0]
    glue = [{"name": "weld", "kind": "weld", "a": {"body": "A"}, "b": {"body": "B"}, "at": [0, 1.78, 0]}]
    return put_together([(top, a), (bottom, b)], glue, frames=600), ["E"]


def flush_stack(r):
    """Boxes of an array whose spacing is their size, or a little less than a column: each turned or shifted a little."""
    count, size = r.randint(2, 12), between(r, 0.02, 3)
    height = size * r.uniform(0.4, 1)
    askew = r.choice([0, 0, 0.02, 0.1])
    boxes = [{"name": f"box-{i}", "shape": {"kind": "box", "size": [size, height, size]}, "density": between(r, 200, 2000),
              "position": [size * r.uniform(-askew, askew), (i + 0.5) * height, size * r.uniform(-askew, askew)],
              "rotation": [0, r.uniform(-90, 90) * askew, 0]} for i in range(count)]
    return {"frames": 600, "contact": {"on": True}, "rigids": boxes, "colliders": [GROUND]}, ["X", "P=.01", "R"]


def thin_table(r):
    """Something of each kind falls on a thin board: a box collider, or a held rigid body."""
    size, thick = between(r, 0.1, 3), r.uniform(0.01, 0.05)
    top, speed = size, between(r, 0.5, 40)
    board = {"name": "board", "shape": "box", "size": [4 * size, thick * size, 4 * size], "position": [0, top, 0]}
    bodies = [("solid", {"shape": {"kind": "sphere", "radius": 0.2 * size, "spacing": 0.06 * size}}),
              ("rigid", {"shape": {"kind": "box", "size": [0.3 * size, 0.2 * size, 0.25 * size]}}),
              ("cloth", {"shape": {"kind": "rectangle", "size": [0.5 * size, 0.5 * size], "cells": [12, 12]}}),
              ("rod", {"shape": {"kind": "line", "from": [-0.25 * size, 0, 0], "to": [0.25 * size, 0, 0], "edges": 15},
                       "radius": 0.01 * size})]
    places = [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    r.shuffle(places)
    parts = [(kind, body | {"name": kind, "velocity": [0, -speed, 0],
                            "position": [0.8 * size * x, top + size * r.uniform(0.4, 0.8), 0.8 * size * z]})
             for (kind, body), (x, z) in zip(bodies, places)]
    scene = put_together(parts, [], frames=200, contact={"on": True}, colliders=[board])
    return scene, ["E", "X", f"A={top}"]


def tangled(r):
    """Garments and piles whose layers are pulled through each other at the start."""
    size, cells = between(r, 0.3, 1.5), r.randint(12, 24)
    thickness = size / cells * r.uniform(0.05, 0.25)
    kind = r.choice(["sleeves", "layers", "pile", "poked"])
    cloths = []

    def add(shape, position, rotation=(0, 0, 0)):
        cloths.append({"name": f"cloth-{len(cloths)}", "shape": shape, "position": list(position),
                       "rotation": list(rotation), "thickness": thickness})

    def sheet(scale=1):
        return {"kind": "rectangle", "size": [scale * size, scale * size], "cells": [round(scale * cells)] * 2}

    def tilt(most): return [r.uniform(-most, most) for _ in range(3)]
    if kind == "sleeves":  # one in the other, moved until it comes out at the side
        for k in range(2):
            radius = size * (0.25 - 0.05 * k)
            add({"kind": "tube", "radius": radius, "height": size, "divisions": 2 * cells},
                [k * size * r.uniform(0.06, 0.12), 1.5 * size, 0], tilt(3))
    elif kind == "layers":  # of a skirt, one hangs through the other
        for k in range(r.randint(2, 3)):
            add(sheet(), [size * r.uniform(-0.1, 0.1), size, 0.02 * size * k], [90 + r.uniform(-4, 4), 0, r.uniform(-3, 3)])
    elif kind == "pile":
        for k in range(r.randint(3, 5)):
            add(sheet(r.uniform(0.6, 1)), [size * r.uniform(-0.2, 0.2), size * (0.3 + 0.08 * k), size * r.uniform(-0.2, 0.2)],
                tilt(12))
    else:  # a corner or a side through another one
        add(sheet(), [0, 0.5 * size, 0])
        add(sheet(0.6), [size * r.uniform(-0.1, 0.1), 0.5 * size + 0.2 * size * r.uniform(0.6, 1.2), 0],
            [r.uniform(50, 130), r.uniform(0, 90), r.uniform(0, 40)])
    grounds = [GROUND] if kind in ("pile", "poked") else []
    return {"frames": 60, "contact": {"on": True}, "cloths": cloths, "colliders": grounds}, ["U=1.5"]


FAMILIES = {f.__name__: f for f in [cloth_on_ball, rope, soft_drop, chain, spinning_pair, hung_pair, swung_chain,
                                    free_spin, flush_stack, thin_table, tangled] + RIGID_FAMILIES + MIXED_FAMILIES +
                                    MORE_FAMILIES}


def make_scene(family, seed):
    r = random.Random(f"{family} {seed}")
    r.number = seed
    return FAMILIES[family](r)
