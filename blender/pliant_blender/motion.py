"""The animation of an object as keyed motion of a scene: a translation, and a turn about one axis."""

import math

from mathutils import Vector

from .properties import rounded, to_engine

SAME_AXIS = 0.9999  # cosine
SMALL_TURN = 1e-5   # [rad]


class ObjectError(Exception):
    """Something is wrong with an object, and is shown there."""

    def __init__(self, thing, text):
        super().__init__(text)
        self.thing = thing


def places_of(context, things):
    """Where each object is in every frame of the scene: a list of matrices by name."""
    scene = context.scene
    before = scene.frame_current
    places = {thing.name: [] for thing in things}
    try:
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
            for thing in things:
                places[thing.name].append(thing.matrix_world.copy())
    finally:
        scene.frame_set(before)
    return places


def turn_about(axis, quaternion, near):
    """The angle about the axis, as near to another one as whole turns allow."""
    half = math.atan2(Vector(quaternion[1:]).dot(axis), quaternion.w)
    return 2 * half + 2 * math.pi * round((near - 2 * half) / (2 * math.pi))


def find_axis(thing, turns):
    """The one axis of all turns; any, if there is none."""
    largest = max(turns, key=lambda q: Vector(q[1:]).length)
    if Vector(largest[1:]).length < SMALL_TURN:
        return Vector((0, 0, 1))
    axis = Vector(largest[1:]).normalized()
    for turn in turns:
        own = Vector(turn[1:])
        if own.length > SMALL_TURN and abs(own.normalized().dot(axis)) < SAME_AXIS:
            raise ObjectError(thing, "It turns about several axes; keyed bodies can turn about one only")
    return axis


def motion_of(thing, places, rate, unit):
    """Keys for every frame, or None if it stays where it is."""
    parts = [place.decompose() for place in places]
    start, first, size = parts[0]
    if any((scale - size).length > 1e-4 * size.length for _, _, scale in parts):
        raise ObjectError(thing, "Its scale is animated, which keyed bodies cannot follow")
    turns = [turn @ first.inverted() for _, turn, _ in parts]
    axis = find_axis(thing, turns)
    keys, angle = [], 0.0
    for frame, ((place, _, _), turn) in enumerate(zip(parts, turns)):
        angle = turn_about(axis, turn, angle)
        keys.append({"time": rounded(frame / rate), "translation": [rounded(x) for x in to_engine((place - start) * unit)],
                     "degrees": rounded(math.degrees(angle))})
    if all(abs(key["degrees"]) < 1e-3 and Vector(key["translation"]).length < 1e-6 for key in keys):
        return None
    return {"axis": [rounded(x) for x in to_engine(axis)], "pivot": [rounded(x) for x in to_engine(start * unit)],
            "keys": keep_needed(keys)}


def keep_needed(keys):
    """Without those at which nothing changes between equal neighbours."""
    def same(a, b):
        return a["degrees"] == b["degrees"] and a["translation"] == b["translation"]
    return [key for i, key in enumerate(keys)
            if i in (0, len(keys) - 1) or not (same(keys[i - 1], key) and same(key, keys[i + 1]))]
