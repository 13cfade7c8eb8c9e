"""The add-on in Blender without a window: install the zip, build a scene by its operators, bake, compare vertices with what
the program writes for the same scene, take an error, render a picture, clear.

    blender --background --factory-startup --python check_addon.py -- ZIP PROGRAM PICTURE
"""

import glob
import json
import os
import struct
import subprocess
import sys
import tempfile
import time

import bpy
import numpy

zip_path, program, picture = sys.argv[-3:]
FRAMES = 48
folder = tempfile.mkdtemp()


def install():
    """The zip has to be enough: its program, its schema."""
    bpy.utils.user_resource("SCRIPTS", path="addons", create=True)
    bpy.ops.preferences.addon_install(filepath=zip_path, overwrite=True)
    bpy.ops.preferences.addon_enable(module="pliant_blender")


def select(*things):
    bpy.ops.object.select_all(action="DESELECT")
    for thing in things:
        thing.select_set(True)
    bpy.context.view_layer.objects.active = things[0]


def mark(kind):
    assert bpy.ops.pliant.mark(kind=kind) == {"FINISHED"}
    return bpy.context.object


def make_scene():
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, FRAMES + 1, 24
    scene.pliant.folder = folder
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    made = {}
    bpy.ops.mesh.primitive_plane_add(size=12)
    made["ground"] = mark("COLLIDER")
    bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=16, radius=0.5, location=(0, 0, 1.0))
    made["ball"] = mark("COLLIDER")
    made["ball"].keyframe_insert("location", frame=1)
    made["ball"].location.x = 0.4
    made["ball"].keyframe_insert("location", frame=FRAMES)
    made["ball"].rotation_euler = (0.4, 0.9, 1.3)  # about another axis than the keys before it
    made["ball"].keyframe_insert("rotation_euler", frame=FRAMES)
    made["ball"].rotation_euler = (1.2, 0, 0)
    made["ball"].keyframe_insert("rotation_euler", frame=FRAMES // 2)
    made["pillow"] = make_pillow()
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=12, y_subdivisions=12, size=0.7, location=(-0.2, -2.4, 0.75))
    made["napkin"] = mark("CLOTH")
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=24, y_subdivisions=24, size=1.6, location=(0, 0, 1.7), rotation=(0, 0, 0.4))
    made["cloth"] = mark("CLOTH")
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=14, size=1, location=(-1.7, 0, 1.5), rotation=(1.5708, 0, 0))
    made["flag"] = mark("CLOTH")
    pin_top(made["flag"])
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=0.3, location=(1.6, 0.5, 1.2))
    made["jelly"] = mark("SOLID")
    made["jelly"].pliant.solids.density = 300
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(1.5, -0.9, 0.9), rotation=(0.3, 0.2, 0))
    made["box"] = mark("RIGID")
    bpy.ops.curve.primitive_bezier_curve_add(radius=0.5, location=(1.5, -0.9, 1.8), rotation=(0, 1.5708, 0))
    made["rope"] = mark("ROD")
    made["rope"].data.bevel_depth = 0.02
    return made


def make_pillow():
    """It swells upwards by a shape key, with a modifier behind it: a collider that deforms."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=20, ring_count=12, radius=0.4, location=(-0.2, -2.4, 0.3))
    pillow = mark("COLLIDER")
    pillow.shape_key_add(name="Basis")
    key = pillow.shape_key_add(name="up")
    for point in key.data:
        point.co.z += 0.5 if point.co.z > 0 else 0
    key.value = 0
    key.keyframe_insert("value", frame=8)
    key.value = 1
    key.keyframe_insert("value", frame=FRAMES)
    pillow.modifiers.new("cast", "CAST").factor = 0.1
    pillow.pliant.colliders.friction = 0.8
    return pillow


def check_pillow(made):
    """The napkin is lifted by what swells below it, and nothing of it is inside."""
    bpy.context.scene.frame_set(FRAMES + 1)
    napkin, pillow = shown_points(made["napkin"]), shown_points(made["pillow"])
    top = pillow[:, 2].max()
    assert top > 1.0, top
    assert abs(napkin[:, 2].max() - top) < 0.05, (napkin[:, 2].max(), top)
    with open(os.path.join(folder, "scene.json")) as file:
        scene = json.load(file)
    names = [entry["name"] for entry in scene["cloths"]]
    assert made["pillow"].name.replace(".", "_") in names, names
    assert scene["contact"]["rules"][0]["friction"] == 0.8
    fewer = made["pillow"].modifiers.new("fewer", "DECIMATE")  # half of the vertices in the end
    fewer.keyframe_insert("ratio", frame=1)
    fewer.ratio = 0.5
    fewer.keyframe_insert("ratio", frame=FRAMES)
    try:
        bpy.ops.pliant.bake()
    except RuntimeError:
        pass
    assert "vertices at first" in made["pillow"].pliant.error, made["pillow"].pliant.error
    made["pillow"].modifiers.remove(made["pillow"].modifiers["fewer"])


def check_stop(made):
    """What Esc does: what is done is kept, and the next bake starts again."""
    from pliant_blender import bake, program as programs
    run = bake.Run(bpy.context, programs.find_program(bpy.context))
    while run.done() < 4:
        time.sleep(0.02)
    run.stop()
    assert run.process.wait() != 0
    run.errors()
    frames = run.attach(bpy.context)
    assert 4 <= frames <= FRAMES, frames
    bpy.context.scene.frame_set(frames)
    assert numpy.isfinite(shown_points(made["cloth"])).all()


def pin_top(flag):
    top = max((flag.matrix_world @ v.co).z for v in flag.data.vertices)
    for part in (*flag.data.edges, *flag.data.polygons):
        part.select = False
    for v in flag.data.vertices:
        v.select = (flag.matrix_world @ v.co).z > top - 0.01
    assert bpy.ops.pliant.pin() == {"FINISHED"}


def glue(at, *things):
    select(*things)
    bpy.context.scene.cursor.location = at
    assert bpy.ops.pliant.glue() == {"FINISHED"}


def glue_rope(made):
    points = [made["rope"].matrix_world @ p.co.to_3d() for p in made["rope"].data.splines[0].points]
    top, low = max(points, key=lambda p: p.z), min(points, key=lambda p: p.z)
    glue(top, made["rope"])
    glue(low, made["rope"], made["box"])


def cache_of_program(name):
    """What the program itself writes, z up and in the world."""
    path = os.path.join(folder, f"again.{name}.pc2")
    _, _, points, _, _, frames = struct.unpack("<12siiffi", open(path, "rb").read(32))
    return numpy.fromfile(path, numpy.float32, offset=32).reshape(frames, points, 3)


def shown_points(thing):
    shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    return numpy.array([shown.matrix_world @ v.co for v in mesh.vertices])


def by_order(shown, first, start):
    """The vertices shown in the order of the cache, which may be another one: each starts at a place of its own."""
    order = [numpy.linalg.norm(start - point, axis=1).argmin() for point in first]
    assert sorted(order) == list(range(len(start)))
    return shown[order]


def compare(made, starts):
    subprocess.run([program, "run", os.path.join(folder, "scene.json"), "-q", "--up-axis", "z", "-o", os.path.join(folder, "again.pc2")],
                   check=True)
    worst = 0
    for key in ("cloth", "flag", "jelly", "box", "napkin"):
        cache = cache_of_program(made[key].name.replace(".", "_"))
        assert len(cache) == FRAMES + 1, len(cache)
        for frame in (0, 1, FRAMES // 2, FRAMES):
            bpy.context.scene.frame_set(1 + frame)
            shown = shown_points(made[key])
            off = numpy.abs(by_order(shown, cache[0], starts[key]) - cache[frame]).max()
            assert off < 2e-6, (key, frame, off)
            assert frame > 0 or numpy.abs(shown - starts[key]).max() < 2e-6, (key, "does not start where it was")
            worst = max(worst, off)
    return worst


def check_motion(made):
    """It draped, hung, fell and followed."""
    heights = {}
    for frame in (1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        for key in ("cloth", "flag", "jelly", "box", "rope"):
            heights.setdefault(key, []).append(shown_points(made[key])[:, 2])
    assert heights["cloth"][1].min() < 1.2 and heights["cloth"][1].max() > 1.4, "draped over the ball"
    assert abs(heights["flag"][1].max() - heights["flag"][0].max()) < 1e-4, "pinned at its top"
    assert heights["jelly"][1].mean() < 0.6 and heights["jelly"][1].min() > -0.01, "on the ground"
    assert abs(heights["box"][1].mean() - heights["box"][0].mean()) < 0.2, "hangs by the rope"
    assert heights["box"][1].min() > 0.3
    assert heights["rope"][1].max() > 1.9, "the rope hangs"


def check_errors(made):
    own = made["jelly"].pliant
    own.pins = "nothing"
    try:
        bpy.ops.pliant.bake()
    except RuntimeError:
        pass
    assert "nothing" in own.error, own.error
    own.pins = ""
    own.solids.shape_spacing = 1e-6
    try:
        bpy.ops.pliant.bake()
    except RuntimeError:
        pass
    assert "spacing" in own.error, (own.error, bpy.context.scene.pliant.error)  # in the words of the program
    own.solids.property_unset("shape_spacing")


def render(path):
    scene = bpy.context.scene
    scene.frame_set(FRAMES)
    bpy.ops.object.light_add(type="SUN", rotation=(0.6, 0.3, 0.5))
    bpy.context.object.data.energy = 3
    bpy.ops.object.camera_add(location=(1.2, -6.5, 3.2), rotation=(1.2, 0, 0.15))
    scene.camera = bpy.context.object
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 12
    scene.cycles.use_denoising = False
    scene.cycles.device = "CPU"
    scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.6
    for name, color in (("cloth", (0.7, 0.15, 0.1)), ("flag", (0.1, 0.3, 0.7)), ("jelly", (0.2, 0.6, 0.2)), ("box", (0.7, 0.5, 0.2)),
                        ("rope", (0.4, 0.3, 0.2)), ("ball", (0.6, 0.6, 0.65)), ("pillow", (0.5, 0.4, 0.6)), ("napkin", (0.8, 0.75, 0.6))):
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*color, 1)
        made[name].data.materials.clear()
        made[name].data.materials.append(material)
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 640, 400, 100
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)


install()
made = make_scene()
glue_rope(made)
starts = {key: shown_points(made[key]) for key in ("cloth", "flag", "jelly", "box", "napkin")}
assert bpy.ops.pliant.bake() == {"FINISHED"}
off = compare(made, starts)
check_motion(made)
render(picture)
check_pillow(made)
check_errors(made)
check_stop(made)
assert bpy.ops.pliant.bake() == {"FINISHED"}
assert bpy.ops.pliant.clear() == {"FINISHED"}
assert not any("Pliant" in thing.modifiers for thing in bpy.data.objects)
assert not glob.glob(os.path.join(folder, "Grid*.pc2")), "the files are gone"
print(f"Blender {bpy.app.version_string}: the add-on bakes cloth, solid, rigid body, rod, glue and a collider that deforms; vertices within {off:.1e} m of the cache")
