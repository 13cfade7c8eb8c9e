"""The parameter tables of the engine, from the JSON Schema of its scenes: nothing of them is written down here again."""

import json
import os

# What is marked -> the list of a scene that it goes to.
LISTS = {"CLOTH": "cloths", "SOLID": "solids", "ROD": "rods", "RIGID": "rigids", "COLLIDER": "colliders", "GLUE": "glue"}
# Parts of a scene that belong to no object.
PARTS = ("settings", "forces", "contact")
# What objects, keyframes and Blender's own settings say already.
TAKEN = {"name", "shape", "position", "rotation", "scale", "stretch", "about", "dt", "gravity", "roots", "at", "inertia"}
SHAPE_OF_COLLIDER = {"radius", "height", "size"}
# Directions and velocities: Blender has z up, the engine y.
DIRECTIONS = {"velocity", "angular_velocity", "warp_axis", "wind", "axis"}


def read_schema():
    with open(os.path.join(os.path.dirname(__file__), "scene.schema.json"), encoding="utf-8") as file:
        return json.load(file)["properties"]


def is_parameter(entry):
    """Numbers, switches, choices and triples; lists and objects are what the rest of Blender is for."""
    if entry.get("type") in ("number", "integer", "boolean") or "enum" in entry:
        return True
    return entry.get("type") == "array" and entry.get("minItems") == entry.get("maxItems") == 3 and "default" in entry


def parameters_of(schema, name):
    """The parameters of a list or a part of a scene: JSON Schema by path, as in "density" or "shape/count"."""
    entry = schema[name]
    own = entry["items"]["properties"] if entry.get("type") == "array" else entry["properties"]
    taken = TAKEN | (SHAPE_OF_COLLIDER if name == "colliders" else set())
    found = {key: value for key, value in own.items() if key not in taken and is_parameter(value)}
    if name == "solids":  # how finely the inside is filled
        found.update({f"shape/{key}": own["shape"]["properties"][key] for key in ("count", "spacing")})
    return found


def attribute(path):
    """The name of a property: Blender wants an identifier."""
    return path.replace("/", "_")
