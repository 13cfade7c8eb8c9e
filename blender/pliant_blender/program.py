"""The program that simulates: named in the preferences, packed into the zip, or found on the path."""

import os
import shutil
import stat

import bpy
from bpy.props import IntProperty, StringProperty

NAME = "pliant.exe" if os.name == "nt" else "pliant"


class PliantPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: StringProperty(name="Program", subtype="FILE_PATH",
                            description="The pliant program; empty: the one in this add-on, or else on the path")
    threads: IntProperty(name="Threads", min=0, max=1024, description="0: one a core")

    def draw(self, context):
        self.layout.prop(self, "program")
        self.layout.prop(self, "threads")
        found = find_program(context)
        self.layout.label(text=f"Uses {found}" if found else MISSING, icon="CHECKMARK" if found else "ERROR")


MISSING = "The pliant program was not found: name it in the preferences of the add-on"


def preferences(context):
    return context.preferences.addons[__package__].preferences


def find_program(context):
    named = preferences(context).program
    if named:
        path = bpy.path.abspath(named)
        return path if os.path.isfile(path) else None
    packed = os.path.join(os.path.dirname(__file__), "bin", NAME)
    if os.path.isfile(packed):
        if not os.access(packed, os.X_OK):  # a zip does not keep it
            os.chmod(packed, os.stat(packed).st_mode | stat.S_IXUSR)
        return packed
    return shutil.which(NAME)


def register():
    bpy.utils.register_class(PliantPreferences)


def unregister():
    bpy.utils.unregister_class(PliantPreferences)
