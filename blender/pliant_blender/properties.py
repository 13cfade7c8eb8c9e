"""Properties of objects and of the scene. Those of each kind are made from the parameter tables; a parameter that is not set
stays out of the scene, so that the engine chooses."""

import bpy
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty,
                       StringProperty)

from . import tables

KINDS = [
    ("NONE", "None", "Pliant takes no notice of it"),
    ("CLOTH", "Cloth", "A sheet or a shell: its vertices are the particles"),
    ("SOLID", "Solid", "A soft body: a closed surface, filled with particles"),
    ("ROD", "Rod", "Ropes, wires or hair: every spline of a curve is one"),
    ("RIGID", "Rigid", "A body that does not bend"),
    ("COLLIDER", "Collider", "Does not give way, and moves as it is animated"),
    ("GLUE", "Glue", "An empty that holds two bodies together, or a body to the world"),
]
LARGEST = 2**31 - 1
groups = {}  # list or part of a scene -> its PropertyGroup
schema = {}


def number_options(entry):
    low = entry.get("minimum", entry.get("exclusiveMinimum"))
    options = {"min": low, "max": entry.get("maximum"), "default": entry.get("default")}
    return {key: value for key, value in options.items() if value is not None}


def make_property(path, entry):
    common = {"name": path.split("/")[-1].replace("_", " ").capitalize(), "description": entry.get("description", "")}
    if "enum" in entry:
        items = [(value, value.replace("_", " ").capitalize(), "") for value in entry["enum"]]
        return EnumProperty(items=items, default=entry.get("default", entry["enum"][0]), **common)
    if entry["type"] == "boolean":
        return BoolProperty(default=entry.get("default", False), **common)
    if entry["type"] == "array":
        value = entry["default"]
        return FloatVectorProperty(size=3, default=to_blender(value) if path in tables.DIRECTIONS else value, **common)
    if entry["type"] == "integer":
        return IntProperty(**{key: min(value, LARGEST) for key, value in number_options(entry).items()}, **common)
    return FloatProperty(precision=4, **number_options(entry), **common)


def to_blender(v):
    return (v[0], -v[2], v[1])


def to_engine(v):
    return [v[0], v[2], -v[1]]


def rounded(value):
    """A float of Blender has 24 bits: 0.1 and not 0.10000000149."""
    return float(f"{value:.7g}")


def value_of(group, path):
    value = getattr(group, tables.attribute(path))
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return rounded(value)
    return [rounded(x) for x in (to_engine(value) if path in tables.DIRECTIONS else value)]


def set_parameters(group, name):
    """What has been set, as a part of a scene."""
    out = {}
    for path in tables.parameters_of(schema, name):
        if not group.is_property_set(tables.attribute(path)):
            continue
        *parents, key = path.split("/")
        place = out
        for parent in parents:
            place = place.setdefault(parent, {})
        place[key] = value_of(group, path)
    return out


class PliantUnset(bpy.types.Operator):
    """Leave this parameter to the engine"""

    bl_idname = "pliant.unset"
    bl_label = "Leave Out"
    bl_options = {"INTERNAL", "UNDO"}
    part: StringProperty()
    parameter: StringProperty()

    def execute(self, context):
        owner = context.scene if self.part in tables.PARTS else context.object
        getattr(owner.pliant, self.part).property_unset(self.parameter)
        return {"FINISHED"}


def make_group(name):
    found = tables.parameters_of(schema, name)
    annotations = {tables.attribute(path): make_property(path, entry) for path, entry in found.items()}
    return type(f"Pliant_{name}", (bpy.types.PropertyGroup,), {"__annotations__": annotations})


def is_body(self, other):
    return other.pliant.kind in ("CLOTH", "SOLID", "ROD", "RIGID")


def object_annotations():
    own = {
        "kind": EnumProperty(items=KINDS, name="Kind"),
        "pins": StringProperty(name="Pins", description="Vertex group that is held, or carried along where the object is animated"),
        "body_a": PointerProperty(type=bpy.types.Object, name="First", description="Body that is glued", poll=is_body),
        "body_b": PointerProperty(type=bpy.types.Object, name="Second", description="The other body; none: the world", poll=is_body),
        "error": StringProperty(options={"SKIP_SAVE"}),
    }
    return own | {name: PointerProperty(type=groups[name]) for name in tables.LISTS.values()}


def scene_annotations():
    own = {
        "folder": StringProperty(name="Folder", subtype="DIR_PATH", default="//pliant_cache", description="Where the caches are written"),
        "touch": BoolProperty(name="Bodies Touch", default=True, description="Bodies touch each other and themselves, not colliders alone"),
        "progress": FloatProperty(subtype="PERCENTAGE", min=0, max=100, options={"SKIP_SAVE"}),
        "error": StringProperty(options={"SKIP_SAVE"}),
    }
    return own | {name: PointerProperty(type=groups[name]) for name in tables.PARTS}


def register():
    schema.update(tables.read_schema())
    for name in (*tables.LISTS.values(), *tables.PARTS):
        groups[name] = make_group(name)
    groups["object"] = type("PliantObject", (bpy.types.PropertyGroup,), {"__annotations__": object_annotations()})
    groups["scene"] = type("PliantScene", (bpy.types.PropertyGroup,), {"__annotations__": scene_annotations()})
    for group in groups.values():
        bpy.utils.register_class(group)
    bpy.utils.register_class(PliantUnset)
    bpy.types.Object.pliant = PointerProperty(type=groups["object"])
    bpy.types.Scene.pliant = PointerProperty(type=groups["scene"])


def unregister():
    del bpy.types.Scene.pliant, bpy.types.Object.pliant
    bpy.utils.unregister_class(PliantUnset)
    for group in reversed(groups.values()):
        bpy.utils.unregister_class(group)
    groups.clear()
