"""Blender's own reading of a skinned .glb against ours: the vertices of both, frame by frame.

    blender --background --factory-startup --python check_skin.py -- WALKER.glb CLIP STEM     (STEM.BODY.pc2 by the program, z up)
"""

import struct
import sys

import bpy
import numpy

glb, clip, cache = sys.argv[-3:]
if not hasattr(numpy, "bool"):
    numpy.bool = bool  # which the importer of Blender 3.4 takes from NumPy, and NumPy 1.24 no longer has
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 60
bpy.ops.import_scene.gltf(filepath=glb)
(body,) = [thing for thing in bpy.data.objects if thing.type == "MESH" and thing.find_armature()]
armature = body.find_armature()
armature.animation_data.action = next(action for action in bpy.data.actions if action.name.startswith(clip))
_, _, count, _, _, frames = struct.unpack("<12siiffi", open(cache, "rb").read(32))
points = numpy.fromfile(cache, numpy.float32, offset=32).reshape(frames, count, 3)
worst = 0.0
for frame in range(0, frames, 5):
    scene.frame_set(frame)
    shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    own = numpy.array([shown.matrix_world @ v.co for v in mesh.vertices])
    assert len(own) == count, (len(own), count)
    worst = max(worst, float(numpy.abs(own - points[frame]).max()))
assert worst < 5e-5, worst
print(f"Blender {bpy.app.version_string}: the skinned figure is the same within {worst:.1e} m in {frames} frames of '{clip}'")
