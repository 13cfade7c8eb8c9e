"""Pliant in Blender: mark objects as cloth, solid, rod, rigid body or collider, bake, and play the result back.

Works as an add-on of Blender 3.3 and later and as an extension of 4.2 and later, from the same zip. It writes a scene of
Pliant, runs the `pliant` program on it, and plays the point caches through Mesh Cache modifiers.
"""

bl_info = {
    "name": "Pliant",
    "description": "Cloth, soft bodies, rods and rigid bodies, glued together",
    "version": (0, 1, 0),
    "blender": (3, 3, 0),
    "location": "Properties > Physics, and 3D View > Sidebar > Pliant",
    "category": "Physics",
}

from . import bake, mark, panels, program, properties  # noqa: E402

MODULES = (program, properties, mark, bake, panels)


def register():
    for module in MODULES:
        module.register()


def unregister():
    for module in reversed(MODULES):
        module.unregister()
