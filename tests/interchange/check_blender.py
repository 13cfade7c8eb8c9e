"""Blender's Mesh Cache modifier over .pc2 and .mdd files: vertices are those of the .obj sequence, exactly; and .glb opens.

    blender --background --factory-startup --python check_blender.py -- STEM FRAMES BODY
"""

import sys
from array import array

import bpy
import numpy

stem, frames, body = sys.argv[-3], int(sys.argv[-2]), sys.argv[-1]


def vertices_of(path):
    with open(path) as file:
        return [tuple(array("f", map(float, line.split()[1:]))) for line in file if line.startswith("v ")]


for kind in ("PC2", "MDD"):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    mesh = bpy.data.meshes.new(body)
    points = vertices_of(f"{stem}.{body}.obj")
    mesh.from_pydata(points, [], [])
    thing = bpy.data.objects.new(body, mesh)
    bpy.context.collection.objects.link(thing)
    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = kind
    cache.filepath = f"{stem}.{body}.{kind.lower()}"
    cache.frame_start = 0
    for frame in range(frames):
        bpy.context.scene.frame_set(frame)
        shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        expected = vertices_of(f"{stem}.{frame:04}.obj")
        worst = max(abs(a - b) for v, e in zip(shown.vertices, expected) for a, b in zip(v.co, e))
        assert len(shown.vertices) == len(expected) and worst == 0, (kind, frame, worst)
bpy.ops.wm.read_factory_settings(use_empty=True)
if not hasattr(numpy, "bool"):
    numpy.bool = bool  # which the importer of Blender 3.4 takes from NumPy, and NumPy 1.24 no longer has
bpy.ops.import_scene.gltf(filepath=f"{stem}.glb")
keys = max(len(m.shape_keys.key_blocks) for m in bpy.data.meshes if m.shape_keys)
assert keys == frames, keys
print(f"Blender {bpy.app.version_string}: {frames} frames exact in .pc2 and .mdd, {keys} shape keys in .glb")
