#!/usr/bin/env python3
"""Makes a walking figure and a skirt that fits it, for examples/animated.

    scripts/make_walker.py [FOLDER]

writes walker.obj (a closed surface in its first pose), walker.pc2 (a step cycle, whose last frame is its first again),
skirt.obj (around its trunk, a little larger) and walker.glb (the figure upright, with a skin and the animations "walk" and
"bow"). The figure is a smooth union of capsules, one a bone, sampled on
a grid; every vertex follows the bones near it.
"""
import json
import struct
import sys

import numpy as np

CELL = 0.045    # of the grid [m]
FRAMES = 17     # of a cycle, 16 a second
ROUND = 0.03    # how softly limbs flow into each other [m]

# name: start, end, radius at both [m], and what turns it: (joint, bone that carries it)
BONES = {
    "trunk": ((0, 1.00, 0), (0, 1.32, 0), 0.145, 0.15),
    "chest": ((-0.10, 1.38, 0), (0.10, 1.38, 0), 0.10, 0.10),
    "head": ((0, 1.52, 0), (0, 1.70, 0), 0.075, 0.105),
    "arm_l": ((0.19, 1.38, 0), (0.46, 1.06, 0), 0.066, 0.055),
    "arm_r": ((-0.19, 1.38, 0), (-0.46, 1.06, 0), 0.066, 0.055),
    "fore_l": ((0.46, 1.06, 0), (0.60, 0.80, 0), 0.055, 0.052),
    "fore_r": ((-0.46, 1.06, 0), (-0.60, 0.80, 0), 0.055, 0.052),
    "thigh_l": ((0.115, 0.94, 0), (0.165, 0.52, 0), 0.095, 0.065),
    "thigh_r": ((-0.115, 0.94, 0), (-0.165, 0.52, 0), 0.095, 0.065),
    "shin_l": ((0.165, 0.52, 0), (0.175, 0.10, 0), 0.07, 0.055),
    "shin_r": ((-0.165, 0.52, 0), (-0.175, 0.10, 0), 0.07, 0.055),
}
PARENT = {"chest": "trunk", "head": "chest", "arm_l": "chest", "arm_r": "chest", "fore_l": "arm_l", "fore_r": "arm_r",
          "thigh_l": "trunk", "thigh_r": "trunk", "shin_l": "thigh_l", "shin_r": "thigh_r"}


def bone_distances(points):
    """Per bone the distance of all points to its capsule."""
    rows = []
    for a, b, ra, rb in BONES.values():
        a, b = np.array(a), np.array(b)
        t = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        rows.append(np.linalg.norm(points - a - t[:, None] * (b - a), axis=1) - (ra + t * (rb - ra)))
    return np.array(rows)


def distance(points):
    d = bone_distances(points)
    return -ROUND * np.log(np.exp(-d / ROUND).sum(axis=0))


def surface():
    """Vertices and triangles of the surface, one vertex in each cell that it passes through (surface nets)."""
    low, high = np.array([-0.76, -0.06, -0.3]), np.array([0.77, 1.88, 0.31])
    n = np.ceil((high - low) / CELL).astype(int) + 1
    grid = np.stack(np.meshgrid(*[np.arange(k) for k in n], indexing="ij"), -1)
    value = distance((low + CELL * grid).reshape(-1, 3)).reshape(n)
    corners = [np.array([i, j, k]) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    vertices, number = [], {}
    for cell in np.ndindex(*(n - 1)):
        v = [value[tuple(cell + c)] for c in corners]
        if min(v) < 0 <= max(v):
            crossings = []
            for p in range(8):
                for q in range(p + 1, 8):
                    if abs(corners[p] - corners[q]).sum() == 1 and (v[p] < 0) != (v[q] < 0):
                        crossings.append(corners[p] + v[p] / (v[p] - v[q]) * (corners[q] - corners[p]))
            number[cell] = len(vertices)
            vertices.append(low + CELL * (np.array(cell) + np.mean(crossings, axis=0)))
    triangles = []
    for at in np.ndindex(*n):
        for axis in range(3):
            to = list(at)
            to[axis] += 1
            if to[axis] >= n[axis] or (value[at] < 0) == (value[tuple(to)] < 0):
                continue
            u, w = (axis + 1) % 3, (axis + 2) % 3
            quad = []
            for du, dw in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                cell = list(at)
                cell[u] += du
                cell[w] += dw
                quad.append(number[tuple(cell)])
            if value[at] >= 0:
                quad.reverse()
            triangles += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
    vertices = np.array(vertices)
    for _ in range(3):  # onto the surface
        step, eps = distance(vertices), 1e-4
        slope = np.stack([(distance(vertices + eps * e) - step) / eps for e in np.eye(3)], -1)
        vertices = vertices - (step / (slope**2).sum(axis=1))[:, None] * slope
    return vertices, triangles


def weights(vertices):
    near = np.exp(-np.maximum(bone_distances(vertices), 0) / 0.035)
    return near / near.sum(axis=0)


def turn_x(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def turn_y(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def turns(phase):
    """The turn of each bone about its start; the figure walks towards +z, whose way is behind a negative turn about x."""
    swing = np.sin(phase)
    bend = lambda p: 0.16 + 0.34 * max(0.0, np.cos(p)) ** 2
    return {
        "trunk": turn_y(0.10 * swing), "chest": turn_y(-0.22 * swing), "head": turn_y(0.12 * swing),
        "arm_l": turn_x(0.42 * swing), "arm_r": turn_x(-0.42 * swing), "fore_l": turn_x(-0.25), "fore_r": turn_x(-0.25),
        "thigh_l": turn_x(-0.36 * swing), "thigh_r": turn_x(0.36 * swing),
        "shin_l": turn_x(bend(phase)), "shin_r": turn_x(bend(phase + np.pi)),
    }


def bob_of(phase):
    return np.array([0, 0.012 * np.cos(2 * phase), 0])


def pose(vertices, share, phase):
    placed, rotations = {}, turns(phase)
    bob = bob_of(phase)
    for name, (start, _, _, _) in BONES.items():
        start = np.array(start, float)
        if name in PARENT:
            r, t = placed[PARENT[name]]
        else:
            r, t = np.eye(3), bob
        own = r @ rotations[name]
        placed[name] = (own, r @ start + t - own @ start)
    moved = np.zeros_like(vertices)
    for row, (r, t) in zip(share, placed.values()):
        moved += row[:, None] * (vertices @ r.T + t)
    return moved


def skirt_of():
    """A tube around the trunk, 14 mm outside the figure, that becomes a skirt below the hips."""
    around, rows, top, hips, hem = 52, 34, 1.20, 0.90, 0.60
    vertices = []
    for row in range(rows + 1):
        y = top + row / rows * (hem - top)
        for k in range(around):
            angle = 2 * np.pi * k / around
            way = np.array([np.cos(angle), 0, np.sin(angle)])
            reach = np.linspace(0, 0.6, 1201)
            d = distance(np.array([0, max(y, hips), 0]) + reach[:, None] * way)
            vertices.append((reach[np.argmax(d > 0.014)] + 0.25 * max(hips - y, 0)) * way + np.array([0, y, 0]))
    triangles = []
    for row in range(rows):
        for k in range(around):
            a, b = row * around + k, row * around + (k + 1) % around
            c, d = a + around, b + around
            triangles += [(a, b, d), (a, d, c)] if (row + k) % 2 == 0 else [(a, b, c), (b, d, c)]
    return np.array(vertices), triangles


def bow(phase):
    """Down and up again: from the hips, with the arms to the side."""
    down = 0.5 - 0.5 * np.cos(phase)
    upright = {name: np.eye(3) for name in BONES}
    return upright | {"trunk": turn_x(0.5 * down), "head": turn_x(0.4 * down), "arm_l": turn_y(-0.5 * down),
                      "arm_r": turn_y(0.5 * down), "thigh_l": turn_x(-0.5 * down), "thigh_r": turn_x(-0.5 * down)}


def quaternion(r):
    """x y z w, for turns of less than half a circle."""
    w = np.sqrt(max(0, 1 + np.trace(r))) / 2
    return [(r[2, 1] - r[1, 2]) / (4 * w), (r[0, 2] - r[2, 0]) / (4 * w), (r[1, 0] - r[0, 1]) / (4 * w), w]


class Glb:
    """A glTF document that grows by accessors."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "bufferViews": [], "accessors": []}
        self.bytes = b""

    def add(self, array, dtype, kind, more=None):
        array = np.ascontiguousarray(array, dtype)
        component = {"u1": 5121, "<u2": 5123, "<f4": 5126}[dtype]
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": array.nbytes})
        self.json["accessors"].append({"bufferView": len(self.json["bufferViews"]) - 1, "componentType": component,
                                       "count": len(array), "type": kind, **(more or {})})
        self.bytes += array.tobytes() + bytes(-array.nbytes % 4)
        return len(self.json["accessors"]) - 1

    def write(self, path):
        self.json["buffers"] = [{"byteLength": len(self.bytes)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as f:
            f.write(struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(self.bytes), len(text), b"JSON") + text)
            f.write(struct.pack("<I4s", len(self.bytes), b"BIN\0") + self.bytes)


def add_clip(glb, name, seconds, keys, turns_at, root_at):
    """Node 1 + k is bone k; the first of them moves too."""
    phases = [2 * np.pi * k / (keys - 1) for k in range(keys)]
    times = np.array([seconds * k / (keys - 1) for k in range(keys)])
    clock = glb.add(times, "<f4", "SCALAR", {"min": [0.0], "max": [seconds]})
    clip = {"name": name, "samplers": [], "channels": []}
    tracks = [(1, "translation", "VEC3", [np.array(BONES["trunk"][0]) + root_at(p) for p in phases])]
    for k, bone in enumerate(BONES):
        tracks.append((1 + k, "rotation", "VEC4", [quaternion(turns_at(p)[bone]) for p in phases]))
    for node, path, kind, values in tracks:
        clip["samplers"].append({"input": clock, "output": glb.add(values, "<f4", kind), "interpolation": "LINEAR"})
        clip["channels"].append({"sampler": len(clip["samplers"]) - 1, "target": {"node": node, "path": path}})
    glb.json.setdefault("animations", []).append(clip)


def write_skinned(path, vertices, triangles, share):
    """Every vertex hangs on the four bones that are nearest to it."""
    glb, names = Glb(), list(BONES)
    four = np.argsort(-share, axis=0)[:4]
    kept = np.take_along_axis(share, four, axis=0)
    places = np.array(vertices, "<f4")
    attributes = {
        "POSITION": glb.add(places, "<f4", "VEC3", {"min": places.min(axis=0).tolist(), "max": places.max(axis=0).tolist()}),
        "JOINTS_0": glb.add(four.T, "u1", "VEC4"),
        "WEIGHTS_0": glb.add((kept / kept.sum(axis=0)).T, "<f4", "VEC4")}
    indices = glb.add(np.ravel(triangles), "<u2", "SCALAR")
    binds = [np.vstack([np.eye(3, 4), [-x for x in BONES[name][0]] + [1]]) for name in names]
    inverse = glb.add(np.array(binds).reshape(len(names), 16), "<f4", "MAT4")
    nodes = [{"name": "walker", "mesh": 0, "skin": 0}]
    for name in names:
        start = np.array(BONES[name][0]) - (np.array(BONES[PARENT[name]][0]) if name in PARENT else 0)
        children = [1 + names.index(child) for child in names if PARENT.get(child) == name]
        nodes.append({"name": name, "translation": start.tolist()} | ({"children": children} if children else {}))
    glb.json |= {"scenes": [{"nodes": [0, 1]}], "nodes": nodes,
                 "meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}],
                 "skins": [{"inverseBindMatrices": inverse, "joints": list(range(1, 1 + len(names)))}]}
    add_clip(glb, "walk", 1.0, FRAMES, turns, bob_of)
    add_clip(glb, "bow", 2.0, FRAMES, bow, lambda phase: np.zeros(3))
    glb.write(path)


def write_obj(path, name, vertices, triangles):
    with open(path, "w", encoding="ascii") as f:
        f.write(f"o {name}\n")
        f.writelines("v {:.4f} {:.4f} {:.4f}\n".format(*v) for v in vertices)
        f.writelines("f {} {} {}\n".format(*(i + 1 for i in t)) for t in triangles)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "examples/animated"
    vertices, triangles = surface()
    share = weights(vertices)
    frames = [pose(vertices, share, 2 * np.pi * k / (FRAMES - 1)) for k in range(FRAMES)]
    frames[-1] = frames[0]
    write_obj(f"{folder}/walker.obj", "walker", frames[0], triangles)
    with open(f"{folder}/walker.pc2", "wb") as f:
        f.write(b"POINTCACHE2\0" + struct.pack("<iifi", 1, len(vertices), 0.0, 1)[:12] + struct.pack("<fi", 1.0, FRAMES))
        for points in frames:
            f.write(points.astype("<f4").tobytes())
    write_skinned(f"{folder}/walker.glb", vertices, triangles, share)
    cloth, faces = skirt_of()
    write_obj(f"{folder}/skirt.obj", "skirt", cloth, faces)
    print(f"{len(vertices)} vertices and {len(triangles)} triangles; skirt {len(cloth)} and {len(faces)}")


if __name__ == "__main__":
    main()
