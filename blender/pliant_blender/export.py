"""From the objects of Blender to a scene of Pliant: places in the world, in metres, with y up."""

import json
import math
import os
import re
import struct

import numpy
from mathutils import Vector

from . import tables
from .motion import ObjectError, motion_of, places_of
from .properties import rounded, set_parameters, to_engine

FLAT = 1e-5  # thickness of a plane, as a part of its size


class Export:
    """A scene that has been written, and what is known of each body in it."""

    def __init__(self, folder):
        self.folder = folder
        self.scene = {}
        self.names = {}    # object -> name in the scene
        self.places = {}   # object -> its matrices
        self.bodies = []   # that are played back
        self.entries = {}  # list of the scene -> objects in order

    @property
    def path(self):
        return os.path.join(self.folder, "scene.json")


def marked(context):
    return [thing for thing in context.scene.objects if thing.pliant.kind != "NONE"]


def unit_of(context):
    return context.scene.unit_settings.scale_length or 1.0


def rate_of(context):
    return context.scene.render.fps / context.scene.render.fps_base


def name_for(thing, taken):
    name = re.sub(r"[^A-Za-z0-9_-]", "_", thing.name)
    name = f"o{name}" if name.isdigit() else name
    while name in taken:
        name += "_"
    return name


def world_points(points, place, unit):
    """(n, 3) local to Blender's object -> in the world of the engine."""
    matrix = numpy.array(place)
    moved = (points @ matrix[:3, :3].T + matrix[:3, 3]) * unit
    return numpy.stack([moved[:, 0], moved[:, 2], -moved[:, 1]], axis=1)


def write_obj(path, points, lines):
    with open(path, "w", encoding="ascii") as file:
        file.writelines("v {:.9g} {:.9g} {:.9g}\n".format(*point) for point in points)
        file.writelines(lines)


def mesh_points(mesh):
    points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3).astype(float)


def write_mesh(thing, mesh, place, unit, path):
    if thing.type != "MESH":
        raise ObjectError(thing, "It has to be a mesh")
    if not mesh.polygons:
        raise ObjectError(thing, "It has no faces")
    used = {index for face in mesh.polygons for index in face.vertices}
    if thing.pliant.kind != "COLLIDER" and len(used) < len(mesh.vertices):
        loose = next(i for i in range(len(mesh.vertices)) if i not in used)
        raise ObjectError(thing, f"Vertex {loose} belongs to no face: delete loose vertices")
    faces = ("f " + " ".join(str(i + 1) for i in face.vertices) + "\n" for face in mesh.polygons)
    write_obj(path, world_points(mesh_points(mesh), place, unit), faces)


def spline_points(thing):
    """The points of every spline of a curve."""
    if thing.type != "CURVE":
        raise ObjectError(thing, "A rod has to be a curve")
    strands = []
    for spline in thing.data.splines:
        if spline.type != "POLY":
            raise ObjectError(thing, "Rods are made of poly splines: mark it as a rod again to convert it")
        if len(spline.points) < 3:
            raise ObjectError(thing, "A spline needs three points or more")
        strands.append((numpy.array([point.co[:3] for point in spline.points]), spline.use_cyclic_u))
    if not strands:
        raise ObjectError(thing, "It has no splines")
    return strands


def write_strands(thing, place, unit, path):
    points, lines, first = [], [], 1
    for strand, closed in spline_points(thing):
        points.append(world_points(strand, place, unit))
        indices = [*range(first, first + len(strand)), *([first] if closed else [])]
        lines.append("l " + " ".join(map(str, indices)) + "\n")
        first += len(strand)
    write_obj(path, numpy.concatenate(points), lines)


def pinned(thing):
    """Indices of the vertices of the group of pins."""
    if not thing.pliant.pins:
        return []
    if thing.type == "CURVE":
        raise ObjectError(thing, "Curves have no vertex groups: glue the rod by an empty instead")
    group = thing.vertex_groups.get(thing.pliant.pins)
    if group is None:
        raise ObjectError(thing, f"It has no vertex group {thing.pliant.pins}")
    inside = [v.index for v in thing.data.vertices
              if any(g.group == group.index and g.weight > 0.5 for g in v.groups)]
    if not inside:
        raise ObjectError(thing, f"No vertex has a weight above 0.5 in the group {group.name}")
    return inside


def merged(entry, parameters):
    for key, value in parameters.items():
        entry[key] = merged(entry.get(key, {}), value) if isinstance(value, dict) else value
    return entry


def may_deform(thing):
    return bool(thing.modifiers) or thing.data.shape_keys is not None


class Deformation:
    """The vertices of a collider, with its modifiers and shape keys, frame after frame into a point cache."""

    HEAD = struct.Struct("<12siiffi")

    def __init__(self, context, thing, unit, path):
        self.context, self.thing, self.unit, self.path = context, thing, unit, path
        self.frames, self.first, self.deforms = 0, None, False
        self.file = open(path, "wb")
        self.file.write(bytes(self.HEAD.size))

    def sample(self):
        shown = self.thing.evaluated_get(self.context.evaluated_depsgraph_get())
        points = mesh_points(shown.to_mesh())
        shown.to_mesh_clear()
        if not len(points):
            raise ObjectError(self.thing, "It has no vertices")
        if self.first is None:
            self.first = points
        if len(points) != len(self.first):
            raise ObjectError(self.thing, f"It has {len(self.first)} vertices at first and {len(points)} later: "
                              "turn off the modifiers that change their number")
        self.deforms = self.deforms or bool(numpy.abs(points - self.first).max() > 1e-6 * numpy.abs(self.first).max())
        world_points(points, shown.matrix_world, self.unit).astype("<f4").tofile(self.file)
        self.frames += 1

    def close(self):
        self.file.seek(0)
        self.file.write(self.HEAD.pack(b"POINTCACHE2\0", 1, len(self.first), 0, 1, self.frames))
        self.file.close()
        if not self.deforms:
            os.remove(self.path)


class Writer:
    """Adds objects to a scene, one by one."""

    def __init__(self, context, folder):
        self.context = context
        self.unit = unit_of(context)
        self.out = Export(folder)

    def write(self):
        things = marked(self.context)
        if not any(thing.pliant.kind not in ("COLLIDER", "GLUE") for thing in things):
            raise ValueError("Nothing is marked as cloth, solid, rod or rigid body")
        for thing in things:
            self.out.names[thing.name] = name_for(thing, self.out.names.values())
        self.shapes = {thing.name: Deformation(self.context, thing, self.unit, self.path_for(thing, ".in.pc2"))
                       for thing in things if thing.pliant.kind == "COLLIDER" and thing.type == "MESH" and may_deform(thing)}
        self.out.places = places_of(self.context, things, [shape.sample for shape in self.shapes.values()])
        for shape in self.shapes.values():
            shape.close()
        self.add_parts()
        for thing in sorted(things, key=lambda t: t.pliant.kind == "GLUE"):
            self.add(thing)
        with open(self.out.path, "w", encoding="utf-8") as file:
            json.dump(self.out.scene, file, indent=1)
        return self.out

    def add_parts(self):
        scene, own = self.context.scene, self.context.scene.pliant
        out = self.out.scene
        out["frames"] = scene.frame_end - scene.frame_start
        for name in tables.PARTS:
            out[name] = set_parameters(getattr(own, name), name)
        out["settings"]["dt"] = 1 / rate_of(self.context)
        out["forces"]["gravity"] = to_engine([rounded(x) for x in scene.gravity]) if scene.use_gravity else [0, 0, 0]
        out["contact"].setdefault("on", own.touch)

    def add(self, thing):
        kind, list_name = thing.pliant.kind, tables.LISTS[thing.pliant.kind]
        entry = {"name": self.out.names[thing.name]}
        parameters = set_parameters(getattr(thing.pliant, list_name), list_name)
        if kind == "COLLIDER" and thing.name in self.shapes and self.shapes[thing.name].deforms:
            list_name = "cloths"
            self.add_deforming(thing, entry, parameters)
        else:
            {"GLUE": self.add_glue, "COLLIDER": self.add_collider}.get(kind, self.add_body)(thing, entry)
            merged(entry, parameters)
        self.out.scene.setdefault(list_name, []).append(entry)
        self.out.entries.setdefault(list_name, []).append(thing)

    def file_for(self, entry):
        return entry["name"] + ".in.obj"

    def path_for(self, thing, suffix):
        return os.path.join(self.out.folder, self.out.names[thing.name] + suffix)

    def motion(self, thing):
        return motion_of(thing, self.out.places[thing.name], rate_of(self.context), self.unit)

    def add_body(self, thing, entry):
        file, place = self.file_for(entry), self.out.places[thing.name][0]
        path = os.path.join(self.out.folder, file)
        if thing.pliant.kind == "ROD":
            write_strands(thing, place, self.unit, path)
            entry["shape"] = {"kind": "polyline", "file": file}
        else:
            write_mesh(thing, thing.data, place, self.unit, path)
            entry["shape"] = {"kind": "mesh", "file": file}
        held = pinned(thing)
        if held and thing.pliant.kind == "RIGID":
            entry["hold"] = self.hold(thing)
        elif held:
            entry["pins"] = [{"particles": held, **self.hold(thing)}]
        self.out.bodies.append(thing)

    def hold(self, thing):
        motion = self.motion(thing)
        return {"motion": motion} if motion else {}

    def add_collider(self, thing, entry):
        merged(entry, self.hold(thing))
        place = self.out.places[thing.name][0]
        mesh = thing.evaluated_get(self.context.evaluated_depsgraph_get()).to_mesh()
        points = world_points(mesh_points(mesh), place, self.unit)
        if len(points) and self.is_flat(points):
            entry.update(self.plane(thing, mesh, place, points))
            return
        file = self.file_for(entry)
        write_mesh(thing, mesh, place, self.unit, os.path.join(self.out.folder, file))
        entry.update({"shape": "mesh", "mesh": {"kind": "mesh", "file": file}})

    def add_deforming(self, thing, entry, parameters):
        """A surface that goes where its vertices go, for which contact between bodies has to be on."""
        if not self.out.scene["contact"]["on"]:
            raise ObjectError(thing, "A collider that deforms needs Bodies Touch, in the tab of the scene")
        if "restitution" in parameters:
            raise ObjectError(thing, "A collider that deforms has no restitution: leave it out")
        file = self.file_for(entry)
        mesh = thing.evaluated_get(self.context.evaluated_depsgraph_get()).to_mesh()
        write_mesh(thing, mesh, self.out.places[thing.name][0], self.unit, os.path.join(self.out.folder, file))
        entry["shape"] = {"kind": "mesh", "file": file}
        entry["animation"] = {"file": entry["name"] + ".in.pc2"}
        if "friction" in parameters:
            self.out.scene["contact"].setdefault("rules", []).append(
                {"between": [entry["name"], "*"], "friction": parameters["friction"]})

    @staticmethod
    def is_flat(points):
        spread = numpy.linalg.svd(points - points.mean(axis=0), compute_uv=False)
        return spread[-1] <= FLAT * spread[0]

    @staticmethod
    def plane(thing, mesh, place, points):
        """Without an end, facing where the first face looks."""
        if not mesh.polygons:
            raise ObjectError(thing, "It has no faces")
        normal = (place.to_3x3().inverted().transposed() @ mesh.polygons[0].normal).normalized()
        axis, angle = Vector((0, 0, 1)).rotation_difference(normal).to_axis_angle()
        turn = [rounded(math.degrees(x * angle)) for x in to_engine(axis)]
        return {"shape": "plane", "position": [rounded(x) for x in points.mean(axis=0)], "rotation": turn}

    def add_glue(self, thing, entry):
        own = thing.pliant
        if own.body_a is None:
            raise ObjectError(thing, "Choose the body that it glues")
        entry["at"] = [rounded(x) for x in to_engine(self.out.places[thing.name][0].translation * self.unit)]
        for side, body in (("a", own.body_a), ("b", own.body_b)):
            if body is None:
                entry[side] = self.hold(thing)  # the world, or where the empty goes
                continue
            if body.name not in self.out.names or body.pliant.kind == "COLLIDER":
                raise ObjectError(thing, f"{body.name} is not marked as cloth, solid, rod or rigid body")
            entry[side] = {"body": self.out.names[body.name]}
