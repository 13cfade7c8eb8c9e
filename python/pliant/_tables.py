"""What the parameter tables of the engine say, as help, signatures and types: nothing of it is written down twice."""

import inspect
import json

from . import _core

# method of World -> list of a scene that it adds to, what it adds, whether a mesh may be given as arrays
ADDERS = {
    "add_solid": ("solids", "a soft body", True),
    "add_cloth": ("cloths", "a sheet or a shell", True),
    "add_rod": ("rods", "wires, ropes or hair: one or many strands", False),
    "add_rigid": ("rigids", "a body that does not bend", True),
    "add_collider": ("colliders", "something that bodies run into and that does not give way", True),
    "add_glue": ("glue", "what holds two bodies together, or a body to the world; a and b may be bodies", False),
    "add_seam": ("seams", "a row of glue that sews two borders of cloth together", False),
    "add_grab": ("grabs", "a hand that holds or pulls a particle", False),
}
MESH = {
    "vertices": "(n, 3) [m]; with triangles, a mesh in place of a shape",
    "triangles": "(m, 3) indices of vertices, counter-clockwise seen from outside",
}


def schema():
    return json.loads(_core.schema())["properties"]


def parameters_of(list_name):
    """The parameters of one list of a scene: their JSON Schema by name, without arrays of copies."""
    properties = dict(schema()[list_name]["items"]["properties"])
    properties.pop("array", None)
    return properties


def help_line(name, property):
    text = property.get("description", "")
    if "default" in property:
        text += f" (default: {json.dumps(property['default'])})"
    return f"    {name}: {text}"


def describe_adders():
    """Yields name, docstring and signature of each method that adds something."""
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    for method, (list_name, what, takes_mesh) in ADDERS.items():
        properties = parameters_of(list_name)
        names = [*properties, *(MESH if takes_mesh else ())]
        lines = [help_line(name, property) for name, property in properties.items()]
        lines += [f"    {name}: {text}" for name, text in (MESH.items() if takes_mesh else ())]
        keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in names]
        yield method, f"Adds {what}.\n\n" + "\n".join(lines), inspect.Signature([own, *keywords])
