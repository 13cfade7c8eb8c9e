"""The animation of an object as keyed motion of a scene: translations, and turns as quaternions."""

from mathutils import Vector

from .properties import rounded, to_engine

SMALL_TURN = 1e-5  # sine of half of it


class ObjectError(Exception):
    """Something is wrong with an object, and is shown there."""

    def __init__(self, thing, text):
        super().__init__(text)
        self.thing = thing


def places_of(context, things, also=()):
    """Where each object is in every frame of the scene: a list of matrices by name. `also` are called in every frame."""
    scene = context.scene
    before = scene.frame_current
    places = {thing.name: [] for thing in things}
    try:
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
            for thing in things:
                places[thing.name].append(thing.matrix_world.copy())
            for call in also:
                call()
    finally:
        scene.frame_set(before)
    return places


def motion_of(thing, places, rate, unit):
    """Keys for every frame, or None if it stays where it is."""
    parts = [place.decompose() for place in places]
    start, first, size = parts[0]
    if any((scale - size).length > 1e-4 * size.length for _, _, scale in parts):
        raise ObjectError(thing, "Its scale is animated, which keyed bodies cannot follow")
    keys = []
    for frame, (place, turned, _) in enumerate(parts):
        turn = turned @ first.inverted()
        keys.append({"time": rounded(frame / rate), "translation": [rounded(x) for x in to_engine((place - start) * unit)],
                     "quaternion": [rounded(turn.w), *(rounded(x) for x in to_engine(turn[1:]))]})
    if all(Vector(key["quaternion"][1:]).length < SMALL_TURN and Vector(key["translation"]).length < 1e-6 for key in keys):
        return None
    return {"pivot": [rounded(x) for x in to_engine(start * unit)], "keys": keep_needed(keys)}


def keep_needed(keys):
    """Without those at which nothing changes between equal neighbours."""
    def same(a, b):
        return a["quaternion"] == b["quaternion"] and a["translation"] == b["translation"]
    return [key for i, key in enumerate(keys)
            if i in (0, len(keys) - 1) or not (same(keys[i - 1], key) and same(key, keys[i + 1]))]
