"""Point caches (.pc2): from places in the world to places in the object, and onto the object by a Mesh Cache modifier."""

import os
import struct

import bpy
import mathutils.kdtree
import numpy

from .export import mesh_points, world_points

HEAD = struct.Struct("<12siiffi")
MODIFIER = "Pliant"
SAME_PLACE = 1e-5  # [m], and as a part of the distance from the origin
RING = 6  # points around a rod in a cache


def read_head(path):
    """Points and frames, or None while there is no file."""
    try:
        with open(path, "rb") as file:
            _, _, points, _, _, frames = HEAD.unpack(file.read(HEAD.size))
    except (OSError, struct.error):
        return None
    return points, frames


def written_path(export, thing):
    return os.path.join(export.folder, f"cache.{export.names[thing.name]}.pc2")


def played_path(export, thing):
    return os.path.join(export.folder, f"{export.names[thing.name]}.pc2")


def read_points(path):
    points, frames = read_head(path)
    data = numpy.fromfile(path, numpy.float32, offset=HEAD.size, count=3 * points * frames)
    return data.reshape(frames, points, 3)


def middle_of_rings(points):
    """A rod is written as a tube: its course is the middle of every ring."""
    return points.reshape(len(points), -1, RING, 3).mean(axis=2, dtype=numpy.float64)


def order_like(points, expected):
    """The points of a cache in the order of the object. The engine may number vertices anew (rigid bodies); in the first
    frame each is still where it was exported."""
    if points.shape[1] != len(expected) or numpy.abs(points[0] - expected).max() <= SAME_PLACE:
        return points
    tree = mathutils.kdtree.KDTree(len(expected))
    for index, point in enumerate(points[0]):
        tree.insert(point, index)
    tree.balance()
    found = [tree.find(point) for point in expected]
    if max(distance for _, _, distance in found) > SAME_PLACE * max(1, numpy.abs(expected).max()):
        raise ValueError("the cache does not start where the object does")
    return points[:, [index for _, index, _ in found]]


def to_local(points, places, unit):
    """From the world of the engine to the object, which may be animated."""
    world = numpy.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1).astype(float) / unit
    for frame, place in zip(world, places):
        matrix = numpy.array(place.inverted())
        frame[:] = frame @ matrix[:3, :3].T + matrix[:3, 3]
    return world.astype(numpy.float32)


def points_in(thing):
    return len(thing.data.vertices) if thing.type == "MESH" else sum(len(s.points) for s in thing.data.splines)


def make_local_cache(export, thing, unit):
    """Writes the cache that is played; returns its frames."""
    points = read_points(written_path(export, thing))
    if thing.pliant.kind == "ROD":
        points = middle_of_rings(points)
    else:
        points = order_like(points, world_points(mesh_points(thing.data), export.places[thing.name][0], unit))
    if points.shape[1] != points_in(thing):
        raise ValueError(f"{thing.name}: the cache has {points.shape[1]} points, the object {points_in(thing)}")
    local = to_local(points, export.places[thing.name], unit)
    with open(played_path(export, thing), "wb") as file:
        file.write(HEAD.pack(b"POINTCACHE2\0", 1, local.shape[1], 0, 1, len(local)))
        local.tofile(file)
    os.remove(written_path(export, thing))
    return len(local)


def attach(context, thing, path):
    """The modifier comes first, so that those of the artist work on what was simulated."""
    detach(thing)
    modifier = thing.modifiers.new(MODIFIER, "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = path
    modifier.frame_start = context.scene.frame_start
    if hasattr(modifier, "use_apply_on_spline") and thing.type == "CURVE":
        modifier.use_apply_on_spline = True
    if hasattr(thing.modifiers, "move"):
        thing.modifiers.move(len(thing.modifiers) - 1, 0)
    else:
        with context.temp_override(object=thing, active_object=thing):
            bpy.ops.object.modifier_move_to_index(modifier=modifier.name, index=0)


def detach(thing):
    """Takes the modifier away; returns the file that it played."""
    modifier = thing.modifiers.get(MODIFIER)
    if modifier is None:
        return None
    path = modifier.filepath
    thing.modifiers.remove(modifier)
    return path
