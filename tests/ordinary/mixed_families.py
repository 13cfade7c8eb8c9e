"""Random scenes in which bodies of several kinds meet: piles, what hangs and carries, what is hit, joined and pushed along."""
import math

GROUND = {"name": "ground", "shape": "plane", "friction": 0.5}


def between(r, low, high):
    """A number whose logarithm is evenly spread."""
    return low * (high / low) ** r.random()


def directed(r):
    u = [r.gauss(0, 1) for _ in range(3)]
    length = math.sqrt(sum(c * c for c in u))
    return [c / length for c in u]


def body(r, kind, name, size, at):
    """Something of about `size`, its middle at `at`, turned anyhow."""
    rest = {"name": name, "position": at}
    if kind == "cloth":
        cells = r.randint(8, 20)
        shape = {"kind": "rectangle", "size": [size, size * r.uniform(0.5, 1)], "cells": [cells, cells]}
        return rest | {"shape": shape, "rotation": [r.uniform(-60, 60) for _ in range(3)]}
    if kind == "rod":
        half = [c * size / 2 for c in directed(r)]
        return rest | {"shape": {"kind": "line", "from": [-c for c in half], "to": half, "edges": r.randint(6, 30)},
                       "radius": size * between(r, 0.008, 0.04)}
    shape = r.choice([{"kind": "box", "size": [size * r.uniform(0.3, 0.7) for _ in range(3)]},
                      {"kind": "sphere", "radius": size * r.uniform(0.15, 0.35)},
                      {"kind": "cylinder", "radius": size * r.uniform(0.1, 0.3), "height": size * r.uniform(0.3, 0.7)}])
    if kind == "solid": shape |= {"spacing": size * r.uniform(0.07, 0.11)}
    return rest | {"shape": shape, "rotation": [r.uniform(-90, 90) for _ in range(3)]}


def scene_of(bodies, frames, contact=True, **rest):
    scene = {"frames": frames} | ({"contact": {"on": True}} if contact else {}) | rest
    for kind, each in bodies: scene.setdefault(kind + "s", []).append(each)
    return scene


def pile(r):
    """Six to twelve bodies of all kinds fall onto each other."""
    size = between(r, 0.03, 5)
    bodies = []
    for i in range(r.randint(6, 12)):
        kind = r.choice(["solid", "rigid", "cloth", "rod"])
        at = [size * r.uniform(-0.4, 0.4), size * (0.7 + 1.1 * i), size * r.uniform(-0.4, 0.4)]
        bodies.append((kind, body(r, kind, f"{kind}-{i}", size, at)))
    return scene_of(bodies, 240, colliders=[GROUND]), ["E", "X"]


def trampoline(r):
    """A ball falls on a cloth held at its corners, or at two sides."""
    size, cells = between(r, 0.2, 4), r.randint(12, 30)
    corners = [[x * size / 2, size, z * size / 2] for x in (-1, 1) for z in (-1, 1)]
    pins = [{"at": c} for c in corners]
    if r.random() < 0.5:
        pins = [{"low": [s * size / 2 - 0.01 * size, 0.9 * size, -size], "high": [s * size / 2 + 0.01 * size, 1.1 * size, size]}
                for s in (-1, 1)]
    cloth = {"name": "cloth", "shape": {"kind": "rectangle", "size": [size, size], "cells": [cells, cells]},
             "position": [0, size, 0], "pins": pins}
    ball = {"name": "ball", "shape": {"kind": "sphere", "radius": size * r.uniform(0.07, 0.15)},
            "mass": 0.2 * size * size * between(r, 0.2, 10), "position": [size * r.uniform(-0.1, 0.1), 1.3 * size, 0]}
    kind = r.choice(["rigid", "rigid", "solid"])
    if kind == "solid": ball["shape"]["spacing"] = ball["shape"]["radius"] / 3
    return scene_of([("cloth", cloth), (kind, ball)], 240), ["E", "X", "S=.05"]


def loaded_rope(r):
    """A weight hangs on a rope, and swings."""
    edges, length = round(between(r, 8, 120)), between(r, 0.2, 10)
    down = r.uniform(0.1, 1) * math.pi / 2
    top = [0, 1.5 * length, 0]
    end = [length * math.cos(down), top[1] - length * math.sin(down), 0]
    radius = length * between(r, 0.002, 0.01)
    rope = {"name": "rope", "shape": {"kind": "line", "from": top, "to": end, "edges": edges}, "radius": radius,
            "pins": [{"particles": [0]}]}
    mass = 1000 * math.pi * radius * radius * length * between(r, 0.3, 300)
    load = {"name": "load", "shape": {"kind": "sphere", "radius": 0.04 * length}, "mass": mass, "position": end}
    glue = [{"name": "knot", "kind": r.choice(["point", "weld"]), "a": {"body": "rope"}, "b": {"body": "load"}, "at": end}]
    return scene_of([("rod", rope), ("rigid", load)], 300, contact=False, glue=glue), ["E", "S=.03", "G=2e-3"]


def over_bar(r):
    """A rope with a weight at each end lies over a bar."""
    length = between(r, 0.5, 8)
    radius, bar = length * between(r, 0.003, 0.01), length * r.uniform(0.03, 0.08)
    height = 1.2 * length
    points, turn = [], math.pi * (bar + radius)
    hang = (length - turn) / 2
    for i in range(61):
        s = length * i / 60
        if s < hang: points.append([-bar - radius, height - (hang - s), 0])
        elif s > hang + turn: points.append([bar + radius, height - (s - hang - turn), 0])
        else:
            angle = math.pi - (s - hang) / (bar + radius)
            points.append([(bar + radius) * math.cos(angle), height + (bar + radius) * math.sin(angle), 0])
    rope = {"name": "rope", "shape": {"kind": "points", "points": points}, "radius": radius}
    weight = 1000 * math.pi * radius * radius * length
    loads, glue = [], []
    for k, end in enumerate((points[0], points[-1])):
        size = 0.06 * length
        loads.append(("rigid", {"name": f"load-{k}", "shape": {"kind": "box", "size": [size] * 3}, "mass": weight * between(r, 0.5, 10),
                                "position": [end[0], end[1] - size / 2, 0]}))
        glue.append({"name": f"knot-{k}", "a": {"body": "rope"}, "b": {"body": f"load-{k}"}, "at": end})
    pole = {"name": "bar", "shape": "cylinder", "radius": bar, "height": length, "position": [0, height, 0], "rotation": [90, 0, 0],
            "friction": r.uniform(0, 0.6)}
    return scene_of([("rod", rope)] + loads, 240, glue=glue, colliders=[pole, GROUND]), ["E", "X", "S=.03", "G=2e-3"]


def on_soft(r):
    """Something heavy or light falls on something soft, or is stacked on it."""
    size = between(r, 0.03, 3)
    soft = {"name": "soft", "shape": {"kind": "box", "size": [size, size * r.uniform(0.4, 1), size], "spacing": size / r.randint(7, 10)},
            "position": [0, 0.55 * size, 0]}
    if r.random() < 0.5: soft["youngs_modulus"] = size * between(r, 1e5, 1e6)
    kind = r.choice(["rigid", "rigid", "solid"])
    top = {"name": "top", "shape": {"kind": r.choice(["box", "sphere"])}, "position": [0, size * r.uniform(1.4, 2.5), 0],
           "rotation": [r.uniform(-30, 30) for _ in range(3)], "density": between(r, 200, 4000)}
    top["shape"] |= {"size": [0.6 * size] * 3} if top["shape"]["kind"] == "box" else {"radius": 0.3 * size}
    if kind == "solid": top["shape"]["spacing"] = size / 12
    return scene_of([("solid", soft), (kind, top)], 300, colliders=[GROUND]), ["E", "X", "S=.25"]


def cloth_over(r):
    """A cloth falls over something free that stands on the ground."""
    size, cells = between(r, 0.1, 4), r.randint(15, 35)
    kind = r.choice(["rigid", "solid"])
    shape = r.choice([{"kind": "box", "size": [0.3 * size, 0.3 * size, 0.3 * size]}, {"kind": "sphere", "radius": 0.15 * size},
                      {"kind": "mascot", "height": 0.4 * size}])
    if kind == "solid": shape |= {"spacing": 0.04 * size}
    under = {"name": "under", "shape": shape, "position": [0, 0.21 * size, 0]}
    cloth = {"name": "cloth", "shape": {"kind": r.choice(["rectangle", "irregular"]), "size": [size, size], "cells": [cells, cells]},
             "position": [0, 0.6 * size, 0], "rotation": [0, r.uniform(0, 90), 0]}
    return scene_of([(kind, under), ("cloth", cloth)], 200, colliders=[GROUND]), ["E", "X", "S=.03"]


def flag(r):
    """Cloth held at one side in the wind."""
    size, cells = between(r, 0.3, 5), r.randint(12, 30)
    cloth = {"name": "flag", "shape": {"kind": "rectangle", "size": [size, 0.6 * size], "cells": [cells, round(0.6 * cells)]},
             "rotation": [90, 0, 0], "position": [0, 2 * size, 0],
             "pins": [{"low": [-0.51 * size, 0, -1], "high": [-0.49 * size, 9 * size, 1]}]}
    wind = [between(r, 2, 25), 0, r.uniform(-3, 3)]
    return scene_of([("cloth", cloth)], 240, forces={"wind": wind}), ["S=.03", "X"]


def jointed(r):
    """Two bodies of any kinds with a joint of any kind between them, one hung from the world, under gravity."""
    scale = between(r, 0.2, 5)
    kinds = [r.choice(["solid", "rigid", "rod"]) for _ in range(2)]
    bodies = []
    for k, kind in enumerate(kinds):
        size = [0.45 * scale, 0.12 * scale, 0.12 * scale]
        each = {"name": "AB"[k], "position": [0.5 * scale * (k + 0.5), 2 * scale, 0]}
        if kind == "rod":
            half = 0.25 * scale
            each |= {"shape": {"kind": "line", "from": [-half, 0, 0], "to": [half, 0, 0], "edges": 10}, "radius": 0.02 * scale,
                     "youngs_modulus": 1e8 * scale}
        elif kind == "solid":
            each |= {"shape": {"kind": "box", "size": size, "spacing": 0.05 * scale}, "youngs_modulus": 1e6 * scale}
        else: each |= {"shape": {"kind": "box", "size": size}, "density": between(r, 200, 4000)}
        bodies.append((kind, each))
    joint = r.choice(["point", "weld", "hinge", "slider", "ball", "distance"])
    glue = {"name": "joint", "kind": joint, "a": {"body": "A"}, "b": {"body": "B"}, "at": [0.5 * scale, 2 * scale, 0]}
    if joint == "hinge": glue |= {"axis": [0, 0, 1]} | r.choice([{}, {"low": -60, "high": 30}])
    if joint == "slider": glue |= {"axis": [1, 0, 0], "low": -0.1 * scale, "high": 0.1 * scale}
    if joint == "ball": glue |= {"axis": [1, 0, 0], "swing": 40, "twist": 30}
    if joint == "distance": glue |= {"length": 0.1 * scale}
    hook = {"name": "hook", "kind": r.choice(["point", "weld", "hinge"]), "a": {"body": "A"}, "b": {}, "at": [0, 2 * scale, 0]}
    if hook["kind"] == "hinge": hook["axis"] = [0, 0, 1]
    return scene_of(bodies, 300, contact=False, glue=[hook, glue]), ["E", "S=.3", f"G={2e-3 * scale}"]


def swept(r):
    """A keyed body passes through what lies on the ground."""
    size = between(r, 0.05, 3)
    bodies = []
    for i, kind in enumerate(r.sample(["solid", "rigid", "cloth", "rod"], r.randint(2, 4))):
        bodies.append((kind, body(r, kind, kind, size, [1.3 * size * (i + 1), 0.6 * size, 0])))
    time = between(r, 0.3, 5)
    motion = {"keys": [{"time": 1}, {"time": 1 + time, "translation": [8 * size, 0, 0], "degrees": r.uniform(-180, 180)}]}
    pusher = {"name": "pusher", "shape": {"kind": r.choice(["box", "sphere", "cylinder"])}, "position": [-0.5 * size, 0.5 * size, 0]}
    pusher["shape"] |= {"box": {"size": [0.3 * size, 0.9 * size, 2 * size]}, "sphere": {"radius": 0.45 * size},
                        "cylinder": {"radius": 0.4 * size, "height": 0.9 * size}}[pusher["shape"]["kind"]]
    motion["pivot"] = pusher["position"]
    pusher["hold"] = {"motion": motion}
    return scene_of(bodies + [("rigid", pusher)], 240, colliders=[GROUND]), ["X", "S=.3"]


def hairy(r):
    """A head with hair falls, is thrown or turned."""
    size, count = between(r, 0.03, 0.5), r.randint(10, 60)
    head = {"name": "head", "shape": {"kind": "sphere", "radius": size}, "position": [0, 8 * size, 0], "mass": 4e3 * size**3}
    if r.random() < 0.5: head |= {"velocity": [size * r.uniform(-5, 5), 0, 0], "angular_velocity": [r.uniform(-4, 4) for _ in range(3)]}
    hair = {"name": "hair", "shape": {"kind": "hair", "radius": size, "count": count, "edges": r.randint(6, 14),
                                      "length": size * r.uniform(0.8, 2.5)},
            "position": head["position"], "roots": "head", "radius": size * 0.01}
    return scene_of([("rod", hair), ("rigid", head)], 200, colliders=[GROUND]), ["E", "S=.03", "G=2e-3"]


def chain_heap(r):
    """Chains of small bodies fall onto something heavy, and onto each other."""
    pitch = between(r, 0.02, 0.5)
    shape = r.choice([{"kind": "capsule", "radius": 0.2 * pitch, "height": 0.6 * pitch}, {"kind": "sphere", "radius": 0.45 * pitch},
                      {"kind": "box", "size": [0.3 * pitch, 0.9 * pitch, 0.3 * pitch]}])
    bodies, glue = [], []
    for c in range(r.randint(2, 4)):
        links, at = r.randint(4, 14), [-5 * pitch * r.random(), (6 + 2.5 * c) * pitch, r.uniform(-1, 1) * pitch]
        for i in range(links):
            bodies.append(("rigid", {"name": f"link-{c}-{i}", "shape": shape, "rotation": [0, 0, 90], "density": between(r, 200, 8000),
                                     "position": [at[0] + pitch * i, at[1], at[2]]}))
            if i == 0: continue
            glue.append({"name": f"joint-{c}-{i}", "kind": r.choice(["point", "point", "hinge", "ball"]), "axis": [0, 0, 1],
                         "a": {"body": f"link-{c}-{i - 1}"}, "b": {"body": f"link-{c}-{i}"},
                         "at": [at[0] + pitch * (i - 0.5), at[1], at[2]]})
    bodies.append(("rigid", {"name": "ball", "shape": {"kind": "sphere", "radius": 2.5 * pitch}, "position": [0, 2.5 * pitch, 0],
                             "density": between(r, 200, 4000)}))
    return scene_of(bodies, 180, glue=glue, colliders=[GROUND]), ["E", "X", f"G={0.05 * pitch}"]


MIXED_FAMILIES = [chain_heap, pile, trampoline, loaded_rope, over_bar, on_soft, cloth_over, flag, jointed, swept, hairy]
