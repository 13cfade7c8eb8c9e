"""Operators that mark objects, pin vertices and glue two objects."""

import bpy
from bpy.props import EnumProperty
from mathutils import Vector, geometry

from .properties import KINDS

TYPES = {"ROD": "CURVE"}  # all others are meshes


def course_of(spline):
    """The points of a spline, sampled by its own resolution where it bends between them."""
    if spline.type != "BEZIER":
        return [point.co.to_3d() for point in spline.points]
    knots = list(spline.bezier_points)
    pairs = list(zip(knots, knots[1:] + knots[:1]))[:len(knots) if spline.use_cyclic_u else -1]
    course = [knots[0].co.copy()]
    for a, b in pairs:
        course += geometry.interpolate_bezier(a.co, a.handle_right, b.handle_left, b.co, spline.resolution_u + 1)[1:]
    return course[:-1] if spline.use_cyclic_u else course


def make_poly(curve):
    """Splines of points alone: what a rod is made of and what a cache moves."""
    if all(spline.type == "POLY" for spline in curve.splines):
        return
    courses = [(course_of(spline), spline.use_cyclic_u) for spline in curve.splines]
    curve.splines.clear()
    for course, closed in courses:
        spline = curve.splines.new("POLY")
        spline.points.add(len(course) - 1)
        spline.points.foreach_set("co", [x for point in course for x in (*point, 1.0)])
        spline.use_cyclic_u = closed


class PliantMark(bpy.types.Operator):
    """Say what the selected objects are"""

    bl_idname = "pliant.mark"
    bl_label = "Mark"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(items=[kind for kind in KINDS if kind[0] != "GLUE"], name="Kind")

    @classmethod
    def poll(cls, context):
        return bool(context.selected_objects)

    def execute(self, context):
        wanted, found = TYPES.get(self.kind, "MESH"), False
        for thing in context.selected_objects:
            if self.kind != "NONE" and thing.type != wanted:
                continue
            if self.kind == "ROD":
                make_poly(thing.data)
            thing.pliant.kind = self.kind
            thing.pliant.error = ""
            found = True
        if not found:
            self.report({"ERROR"}, f"A {self.kind.lower()} is made of a {wanted.lower()}; none is selected")
            return {"CANCELLED"}
        return {"FINISHED"}


class PliantPin(bpy.types.Operator):
    """Pin the selected vertices of the active object: they are held, or carried where the object is animated"""

    bl_idname = "pliant.pin"
    bl_label = "Pin Selected Vertices"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def execute(self, context):
        thing = context.object
        editing = thing.mode == "EDIT"
        if editing:
            bpy.ops.object.mode_set(mode="OBJECT")
        chosen = [vertex.index for vertex in thing.data.vertices if vertex.select]
        group = thing.vertex_groups.get("Pins") or thing.vertex_groups.new(name="Pins")
        group.remove(range(len(thing.data.vertices)))
        group.add(chosen, 1.0, "REPLACE")
        thing.pliant.pins = group.name
        if editing:
            bpy.ops.object.mode_set(mode="EDIT")
        if not chosen:
            self.report({"ERROR"}, "No vertex is selected")
            return {"CANCELLED"}
        return {"FINISHED"}


class PliantGlue(bpy.types.Operator):
    """Glue the two selected bodies, or one to the world, by an empty at the 3D cursor"""

    bl_idname = "pliant.glue"
    bl_label = "Glue"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return 1 <= len(context.selected_objects) <= 2

    def execute(self, context):
        bodies = sorted(context.selected_objects, key=lambda thing: thing is not context.object)
        empty = bpy.data.objects.new("Glue", None)
        empty.empty_display_size = 0.1
        empty.location = Vector(context.scene.cursor.location)
        context.collection.objects.link(empty)
        empty.pliant.kind = "GLUE"
        empty.pliant.body_a = bodies[0]
        empty.pliant.body_b = bodies[1] if len(bodies) == 2 else None
        return {"FINISHED"}


CLASSES = (PliantMark, PliantPin, PliantGlue)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)


def unregister():
    for each in CLASSES:
        bpy.utils.unregister_class(each)
