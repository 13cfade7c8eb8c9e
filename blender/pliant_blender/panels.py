"""What is seen: a tab in the sidebar for marking and baking, and panels of parameters."""

import bpy

from . import properties, tables


def draw_parameters(layout, group, name):
    """Every parameter of the table; those that were set can be left to the engine again."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    for path, entry in tables.parameters_of(properties.schema, name).items():
        attribute = tables.attribute(path)
        row = layout.row(align=True)
        is_set = group.is_property_set(attribute)
        field = row.row()
        field.active = is_set
        field.prop(group, attribute)
        if is_set:
            undo = row.operator("pliant.unset", text="", icon="X", emboss=False)
            undo.part, undo.parameter = name, attribute


def draw_error(layout, text):
    if text:
        box = layout.box()
        box.alert = True
        for number, start in enumerate(range(0, len(text), 60)):
            box.label(text=text[start:start + 60], icon="ERROR" if number == 0 else "BLANK1")


class PliantSidebar(bpy.types.Panel):
    bl_idname = "PLIANT_PT_sidebar"
    bl_label = "Pliant"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Pliant"

    def draw(self, context):
        layout, own = self.layout, context.scene.pliant
        grid = layout.grid_flow(columns=2, align=True)
        for kind, name, _ in properties.KINDS:
            if kind not in ("NONE", "GLUE"):
                grid.operator("pliant.mark", text=name).kind = kind
        layout.operator("pliant.mark", text="Unmark", icon="X").kind = "NONE"
        row = layout.row(align=True)
        row.operator("pliant.pin", icon="PINNED")
        row.operator("pliant.glue", icon="LINKED")
        layout.separator()
        layout.operator("pliant.bake", icon="PHYSICS")
        if own.progress > 0:
            layout.prop(own, "progress", text="Baked", slider=True)
        layout.operator("pliant.clear", icon="TRASH")
        layout.prop(own, "folder")
        draw_error(layout, own.error)


class PliantObjectPanel(bpy.types.Panel):
    bl_idname = "PLIANT_PT_object"
    bl_label = "Pliant"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context):
        return context.object is not None

    def draw(self, context):
        layout, own = self.layout, context.object.pliant
        layout.prop(own, "kind")
        draw_error(layout, own.error)
        if own.kind == "NONE":
            return
        if own.kind == "GLUE":
            layout.prop(own, "body_a")
            layout.prop(own, "body_b")
        elif own.kind not in ("COLLIDER", "ROD"):
            layout.prop_search(own, "pins", context.object, "vertex_groups")
        name = tables.LISTS[own.kind]
        draw_parameters(layout.column(), getattr(own, name), name)


class PliantEmptyPanel(PliantObjectPanel):
    """Empties have no tab for physics."""

    bl_idname = "PLIANT_PT_empty"
    bl_context = "object"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.pliant.kind == "GLUE"


class PliantScenePanel(bpy.types.Panel):
    bl_idname = "PLIANT_PT_scene"
    bl_label = "Pliant"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "scene"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        own = context.scene.pliant
        self.layout.prop(own, "touch")
        for name in tables.PARTS:
            box = self.layout.box()
            box.label(text=name.capitalize())
            draw_parameters(box.column(), getattr(own, name), name)


CLASSES = (PliantSidebar, PliantObjectPanel, PliantEmptyPanel, PliantScenePanel)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)


def unregister():
    for each in CLASSES:
        bpy.utils.unregister_class(each)
