"""Random scenes of rigid bodies that touch: walls, columns, heaps, what is carried and what is thrown."""
import math

GROUND = {"name": "ground", "shape": "plane", "friction": 0.6}


def between(r, low, high):
    """A number whose logarithm is evenly spread."""
    return low * (high / low) ** r.random()


def box(name, size, position, **rest):
    return {"name": name, "shape": {"kind": "box", "size": size}, "position": position} | rest


def touching(rigids, frames=600):
    return {"frames": frames, "contact": {"on": True, "friction": 0.6}, "rigids": rigids, "colliders": [GROUND]}


def stone(r, size):
    """The hull of points near an ellipsoid."""
    points = []
    for _ in range(r.randint(8, 20)):
        u = [r.gauss(0, 1) for _ in range(3)]
        length = math.sqrt(sum(c * c for c in u))
        points.append([size * r.uniform(0.8, 1) * c / length * f for c, f in zip(u, [1, 0.7, 0.8])])
    return {"kind": "convex", "points": points}


def brick_wall(r):
    """Laid flush, or with bricks a little out of line."""
    length, rows, columns = between(r, 0.02, 2), r.randint(4, 14), r.randint(3, 6)
    height, width, askew = length * r.uniform(0.3, 0.6), length * r.uniform(0.4, 0.8), r.choice([0, 0, 0.01, 0.03])
    whole = [(i + 0.5, 1) for i in range(columns)]
    bonded = [(0.25, 0.5)] + [(i + 1, 1) for i in range(columns - 1)] + [(columns - 0.25, 0.5)]
    bricks = [box(f"brick-{row}-{i}", [length * part, height, width],
                  [1.005 * x * length, (row + 0.5) * height, r.uniform(-askew, askew) * width], density=1800)
              for row in range(rows) for i, (x, part) in enumerate(bonded if row % 2 else whole)]
    return touching(bricks), ["X", "R", "P=.01"]


def column(r):
    """Boxes, cylinders and hulls of many sizes on each other."""
    size, top, bodies = between(r, 0.02, 1), 0, []
    for i in range(r.randint(3, 9)):
        height = size * r.uniform(0.2, 1)
        corners = [[x * size / 2, y * height / 2, z * size / 2] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        shape = r.choice([{"kind": "box", "size": [size, height, size * r.uniform(0.8, 1.2)]},
                          {"kind": "cylinder", "radius": size * r.uniform(0.4, 0.6), "height": height},
                          {"kind": "convex", "points": corners}])
        bodies.append({"name": f"part-{i}", "shape": shape, "density": between(r, 200, 2000),
                       "position": [r.uniform(-0.03, 0.03) * size, top + height / 2, r.uniform(-0.03, 0.03) * size],
                       "rotation": [0, r.uniform(-30, 30), 0]})
        top += height
    return touching(bodies), ["X", "R", "P=.01"]


def heap(r):
    """Stones and other shapes that fall on each other."""
    size, bodies = between(r, 0.02, 1), []
    for i in range(24):
        shape = r.choice([stone(r, 0.8 * size), stone(r, 0.8 * size),
                          {"kind": "box", "size": [size * r.uniform(0.5, 1.5) for _ in range(3)]},
                          {"kind": "sphere", "radius": size * r.uniform(0.3, 0.7)},
                          {"kind": "cylinder", "radius": size * r.uniform(0.3, 0.6), "height": size * r.uniform(0.3, 1.5)},
                          {"kind": "capsule", "radius": size * r.uniform(0.2, 0.4), "height": size * r.uniform(0.3, 1)}])
        place = [size * (2.5 * (k - 0.5) + r.uniform(-0.1, 0.1)) for k in (i % 2, i // 2 % 2)]
        bodies.append({"name": f"thing-{i}", "shape": shape, "position": [place[0], size * (2.5 * (i // 4) + 1.5), place[1]],
                       "rotation": [r.uniform(-90, 90) for _ in range(3)]})
    return touching(bodies, 480), ["E", "X"]


def thrown_at_wall(r):
    size, speed = between(r, 0.02, 1), between(r, 5, 100)
    bodies = [box(f"box-{row}-{i}", [size] * 3, [0, (row + 0.5) * size, 1.01 * (i - 1.5) * size])
              for row in range(4) for i in range(4)]
    shape = r.choice([{"kind": "sphere", "radius": 0.5 * size}, stone(r, size),
                      {"kind": "cylinder", "radius": 0.4 * size, "height": size}])
    bodies.append({"name": "thrown", "shape": shape, "density": 3000, "position": [-3 * size, 2 * size, 0],
                   "velocity": [speed, 0, 0]})
    return touching(bodies, 300), ["E", "X"]


def tray(r):
    """Things on a keyed tray that starts at once, rises, tips and turns."""
    size = between(r, 0.05, 2)
    motion = {"axis": [0, 0, 1], "pivot": [0, 2 * size, 0],
              "keys": [{"time": 1}, {"time": 3, "translation": [2 * size, size, 0], "degrees": r.uniform(-60, 60)},
                       {"time": 5, "translation": [0, size, 0], "degrees": r.uniform(-90, 90)}]}
    bodies = [box("tray", [4 * size, 0.3 * size, 4 * size], [0, 2 * size, 0], hold={"motion": motion})]
    for i in range(6):
        shape = r.choice([{"kind": "box", "size": [0.6 * size] * 3}, {"kind": "cylinder", "radius": 0.3 * size, "height": 0.6 * size}])
        bodies.append({"name": f"thing-{i}", "shape": shape,
                       "position": [(i % 2 - 0.5) * size, (2.45 + 0.6 * (i // 2)) * size, 0]})
    return touching(bodies, 360), ["X"]


RIGID_FAMILIES = [brick_wall, column, heap, thrown_at_wall, tray]
