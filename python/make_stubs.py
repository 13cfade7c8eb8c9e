#!/usr/bin/env python3
"""Writes the stub file of the package, for editors and type checkers, from the parameter tables of the built module.

    PYTHONPATH=build/release/python python/make_stubs.py OUT.pyi
"""

import keyword
import sys
import textwrap

sys.path.pop(0)  # the package as it was built, not as it lies beside this file
from pliant import _tables  # noqa: E402

HEAD = '''# Made by python/make_stubs.py from the parameter tables of the engine.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

__version__: str
precision: Literal["float", "double"]

Floats = npt.NDArray[np.float64]
Numbers = Sequence[float] | npt.NDArray[Any]
Path = str | os.PathLike[str]

class Error(RuntimeError): ...
class InputError(Error): ...
class FileError(Error): ...
class SimulationError(Error): ...

def set_threads(count: int) -> None:
    """How many threads steps use; 0 is one a core."""
def threads() -> int: ...
def scenes() -> dict[str, str]:
    """The built-in scenes: what is to be seen, by name."""
'''

BODIES = '''
class View:
    """The positions, velocities or masses of the particles of a body: read-only, without a copy, always those of now.

    Raises InputError once the body has been removed."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[np.float32]: ...
    def __array__(self, dtype: Any = None) -> npt.NDArray[Any]: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[npt.NDArray[np.float32]]: ...
    def copy(self) -> npt.NDArray[np.float32]: ...
    def tolist(self) -> list[Any]: ...
    def min(self, axis: int | None = None) -> Any: ...
    def max(self, axis: int | None = None) -> Any: ...
    def mean(self, axis: int | None = None) -> Any: ...
    def sum(self, axis: int | None = None) -> Any: ...
    def __add__(self, other: Any) -> npt.NDArray[Any]: ...
    def __radd__(self, other: Any) -> npt.NDArray[Any]: ...
    def __sub__(self, other: Any) -> npt.NDArray[Any]: ...
    def __rsub__(self, other: Any) -> npt.NDArray[Any]: ...
    def __mul__(self, other: Any) -> npt.NDArray[Any]: ...
    def __rmul__(self, other: Any) -> npt.NDArray[Any]: ...
    def __truediv__(self, other: Any) -> npt.NDArray[Any]: ...

class Body:
    """Something in a world, by its id: it stays valid while other things come and go."""
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def id(self) -> tuple[int, int, int]: ...
    @property
    def exists(self) -> bool: ...
    @property
    def parameters(self) -> dict[str, Any]: ...
    def remove(self) -> None: ...
    def __hash__(self) -> int: ...

class _Bending(Body):
    @property
    def positions(self) -> View:
        """Of the particles, (n, 3) [m]. Ghosts of a rod are among them."""
    @positions.setter
    def positions(self, x: View | npt.NDArray[Any] | Sequence[Sequence[float]]) -> None: ...
    @property
    def velocities(self) -> View:
        """Of the particles, (n, 3) [m/s]."""
    @velocities.setter
    def velocities(self, v: View | npt.NDArray[Any] | Sequence[Sequence[float]]) -> None: ...
    @property
    def masses(self) -> View:
        """Of the particles, (n,) [kg]."""
    @property
    def strain(self) -> tuple[float, float]:
        """How far it is from its rest shape: the largest, and the 99th percentile."""
    def surface(self) -> tuple[Floats, npt.NDArray[np.int32]]:
        """Vertices (n, 3) [m] and triangles (m, 3) as they are now."""
    def push(self, impulse: Numbers) -> None:
        """Changes its velocity at once, by an impulse [kg m/s]."""
    def apply_force(self, force: Numbers) -> None:
        """Acts during the next step [N]."""
'''

KINDS = {
    "Solid": ("_Bending", "solids", "A soft body.", ""),
    "Cloth": ("_Bending", "cloths", "A sheet or a shell.", '''
    def move_to(self, positions: npt.ArrayLike, arrival: float | None = None) -> None:
        """Moves all particles evenly to `positions`, (n, 3) [m], until the time `arrival` [s], without one until the end of
        the next frame. From then on nothing else moves the cloth: an animated body, handed over frame by frame."""
'''),
    "Rod": ("_Bending", "rods", "Wires, ropes or hair: one or many strands.", '''
    @property
    def ghosts(self) -> npt.NDArray[np.bool_]:
        """Which of its particles are ghost points, that carry the frames of its edges."""
    @property
    def points(self) -> npt.NDArray[np.float32]:
        """The positions without the ghosts, a copy, strand by strand [m]."""
'''),
    "Rigid": ("Body", "rigids", "A body that does not bend.", '''
    @property
    def position(self) -> Floats:
        """Of its centre of mass [m]."""
    @property
    def orientation(self) -> Floats:
        """Unit quaternion (w, x, y, z) from its principal axes to the world."""
    @property
    def velocity(self) -> Floats:
        """Of its centre [m/s]."""
    @property
    def angular_velocity(self) -> Floats:
        """[rad/s]"""
    def set_velocity(self, velocity: Numbers, angular_velocity: Numbers = (0, 0, 0)) -> None: ...
    def surface(self) -> tuple[Floats, npt.NDArray[np.int32]]:
        """Vertices (n, 3) [m] and triangles (m, 3) as they are now."""
    def push(self, impulse: Numbers, at: Numbers | None = None) -> None:
        """An impulse [kg m/s] at a point of the world; without one, at its centre."""
    def apply_force(self, force: Numbers, at: Numbers | None = None) -> None:
        """Acts during the next step [N], at a point of the world; without one, at its centre."""
    def move(self, position: Numbers, rotation: Numbers = (0, 0, 0), *, within: float) -> None:
        """Carries it to a pose within a time [s] and holds it there. The rotation is axis times degrees."""
'''),
    "Collider": ("Body", "colliders", "Something that bodies run into and that does not give way.", '''
    def move(self, position: Numbers, rotation: Numbers = (0, 0, 0), *, within: float) -> None:
        """Carries it to a pose within a time [s]. The rotation is axis times degrees."""
'''),
    "Glue": ("Body", "glue", "What holds two bodies together.", '''
    @property
    def state(self) -> dict[str, Any]:
        """on, broken, force [N], torque [N m], gap [m] and work [J]."""
'''),
    "Grab": ("Body", "grabs", "A hand that holds or pulls a particle.", '''
    def move(self, target: Numbers) -> None:
        """Where it pulls to [m]."""
'''),
}

WORLD = '''
class RayHit(NamedTuple):
    body: Body
    point: Floats
    normal: Floats
    distance: float
    particle: int

class Touch(NamedTuple):
    a: Body
    b: Body
    point: Floats
    normal: Floats
    impulse: float

class Expectation(NamedTuple):
    met: bool
    value: float
    text: str

class World:
    """Bodies, what holds them together, and the solver that moves them.

    `World()` is empty. `World(scene)` reads a scene: a file, the name of a built-in one (see scenes()), or a dictionary with
    the same keys. `set` changes values of it before it is built: {"solids.bunny.gamma": 0.2}."""
    def __init__(self, scene: Path | Mapping[str, Any] | None = None, *, set: Mapping[str, Any] | None = None) -> None: ...
    def extend(self, scene: Mapping[str, Any]) -> list[Body]:
        """Adds all that a dictionary with the keys of a scene has; returns what is new."""
    @property
    def solids(self) -> list[Solid]: ...
    @property
    def cloths(self) -> list[Cloth]: ...
    @property
    def rods(self) -> list[Rod]: ...
    @property
    def rigids(self) -> list[Rigid]: ...
    @property
    def colliders(self) -> list[Collider]: ...
    @property
    def glue(self) -> list[Glue]: ...
    @property
    def bodies(self) -> list[Solid | Cloth | Rod | Rigid]: ...
    def __getitem__(self, name: str) -> Any: ...
    def step(self, frames: int = 1, *, dt: float | None = None) -> None:
        """Advances by frames of the settings' dt, or of `dt` seconds. Ctrl-C stops it between frames.

        Raises SimulationError that names the body that became non-finite."""
    @property
    def time(self) -> float: ...
    @property
    def frame(self) -> int: ...
    @property
    def substeps(self) -> int: ...
    @property
    def particle_count(self) -> int: ...
    def raycast(self, origin: Numbers, direction: Numbers, reach: float = ...) -> RayHit | None:
        """The first surface that a ray hits within `reach` [m], or None."""
    def overlap(self, center: Numbers, radius: float) -> list[Body]:
        """All bodies and colliders that come within `radius` [m] of a point."""
    def closest_points(self, a: Body, b: Body) -> tuple[Floats, Floats, float]:
        """Where two bodies are nearest to each other: a point of each [m], and their distance [m]."""
    @property
    def events(self) -> list[tuple[float, str, str]]:
        """What glue did in the last step: (time [s], "attached", "released" or "broken", name of the glue)."""
    @property
    def touches(self) -> list[Touch]:
        """What touched what in the last step."""
    @property
    def energy(self) -> dict[str, float]:
        """kinetic, potential, elastic and total [J]."""
    @property
    def momentum(self) -> Floats: ...
    @property
    def angular_momentum(self) -> Floats: ...
    @property
    def center_of_mass(self) -> Floats: ...
    @property
    def hash(self) -> str:
        """16 hexadecimal digits: equal for states that are equal to the last bit."""
    def stats(self) -> dict[str, Any]:
        """All that `pliant run --stats` writes of a frame."""
    def copy(self) -> World:
        """Both go on with the same bits."""
    def snapshot(self) -> bytes:
        """All of the world as bytes, which restore() understands in any build of the same precision."""
    def restore(self, snapshot: bytes) -> None:
        """Takes a snapshot back. Bodies that it does not have are gone."""
    @property
    def name(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def frames(self) -> int: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def trouble(self) -> str: ...
'''

TAIL = '''
class Writer:
    """Writes frames to files by the suffix of the path, as `pliant run -o` does."""
    suffixes: tuple[str, ...]
    def __init__(self, path: Path, frames: int = 240, *, up_axis: Literal["y", "z"] = "y", unit: float = 1) -> None: ...
    def write(self, world: World) -> None: ...
    def finish(self) -> None: ...
    def __enter__(self) -> Writer: ...
    def __exit__(self, *_: object) -> None: ...

def run(world: World, frames: int | None = None, output: Path | Iterable[Path] = (),
        each: Callable[[World], object] | None = None) -> list[Expectation]:
    """Steps a world, by default as far as its scene says, writes its frames, the first one included, and calls each(world)
    after every step. Returns what became of the expectations of the scene."""

class Page:
    """Plays in any browser, without a server or a network. A notebook shows it inline."""
    text: str
    height: int
    def save(self, path: Path) -> None: ...

def show(world: World, frames: int | None = None, *, height: int = 480) -> Page:
    """Steps a world, by default as far as its scene says, and gives a page that plays what happened; `height` is in pixels."""

def batch(worlds: Iterable[World] | Path | Mapping[str, Any], overrides: Sequence[Mapping[str, Any]] | None = None,
          frames: int | None = None, *, threads: int = 0, progress: bool | None = None) -> list[World]:
    """Steps many worlds, a thread each, and returns them; every one ends with the bits that a loop would give it.

    `worlds` is a list of worlds, or a scene with a list of `overrides`, one run each."""

class RigidFit:
    """The result of fit_rigid. `fit(point)` is where the fitted frame carries a point of the rest shape."""
    rotation: Floats
    center: Floats
    rest_center: Floats
    stretches: Floats
    k_inverse: Floats
    def __call__(self, at: Numbers) -> Floats: ...
    def jacobian(self, at: Numbers) -> Floats:
        """d fit(at) / d x_i for every point i: (..., points, 3, 3)."""
    def forces(self, at: Numbers, force: Numbers) -> Floats:
        """What the points feel of a force on the bound point, (..., points, 3): its sum and torque are kept."""
    def velocity(self, at: Numbers, velocities: npt.NDArray[Any]) -> tuple[Floats, Floats]:
        """Velocity and angular velocity of the bound point, (..., 3) each, of points that move."""

def fit_rigid(rest: npt.NDArray[Any], x: npt.NDArray[Any], weights: npt.NDArray[Any] | None = None,
              previous: npt.NDArray[Any] | None = None) -> RigidFit:
    """Fits the rest points to x by a rotation and a shift. Arrays have the shape (..., points, 3), weights (..., points)."""
'''


class Types:
    """Python types of JSON Schemas; objects become TypedDicts, written before what uses them."""

    def __init__(self):
        self.dicts = {}  # body of the definition -> name
        self.text = ""

    def of(self, schema, name):
        kind = schema.get("type")
        if "enum" in schema:
            return "Literal[" + ", ".join(f'"{value}"' for value in schema["enum"]) + "]"
        if kind in ("number", "integer", "string", "boolean"):
            return {"number": "float", "integer": "int", "string": "str", "boolean": "bool"}[kind]
        if kind == "array":
            inner = self.of(schema["items"], name.rstrip("s") if name.endswith("s") else name)
            flat = inner in ("float", "int")
            return f"Sequence[{inner}] | npt.NDArray[Any]" if flat else f"Sequence[{inner}]"
        return self.dict_of(schema, name)

    def dict_of(self, schema, name):
        """In the form of a call where a key is a word of Python, such as the `from` of a line."""
        types = {key: self.of(property, name + "_" + key) for key, property in schema["properties"].items()}
        if "body" in types:
            types["body"] = "str | Body"
        docs = {key: property.get("description", "") for key, property in schema["properties"].items()}
        title = "".join(part.capitalize() for part in name.split("_")) + "Dict"
        if any(keyword.iskeyword(key) for key in types):
            inner = ", ".join(f'"{key}": {kind}' for key, kind in types.items())
            text = f'\n{{title}} = TypedDict("{{title}}", {{{{{inner}}}}}, total=False)\n'
        else:
            inner = "\n".join(f'    {key}: {kind}\n    """{docs[key]}"""' for key, kind in types.items())
            text = f"\nclass {{title}}(TypedDict, total=False):\n{inner}\n"
        if text not in self.dicts:
            while title in self.dicts.values():
                title = title.removesuffix("Dict") + "2Dict"
            self.dicts[text] = title
            self.text += text.replace("{title}", title).replace("{{", "{").replace("}}", "}")
        return self.dicts[text]


def keywords(properties, types, name, extra=()):
    parts = [f"{key}: {types.of(value, name + '_' + key)} = ..." for key, value in properties.items()
             if not keyword.iskeyword(key)]
    return ", ".join([*parts, *extra])


def docstring(lines, indent):
    text = "\n".join(lines).replace("\\", "\\\\")
    return textwrap.indent(f'"""{text}\n"""', indent)


def setter(list_name, types, what):
    properties = {key: value for key, value in settable(list_name).items()}
    arguments = keywords(properties, types, list_name.rstrip("s"))
    lines = [f"Changes {what} from the next step on.", ""] + [_tables.help_line(k, v) for k, v in properties.items()]
    return f"    def set(self, *, {arguments}) -> None:\n{docstring(lines, ' ' * 8)}\n" if properties else ""


# What a body is made of and where it starts, which cannot be set later.
PLACING = {"name", "shape", "pins", "scale", "stretch", "clusters", "skin", "render", "noise", "roots", "clamps", "hold", "mesh", "voxel",
           "a", "b", "at", "each", "target"}


def settable(list_name):
    """Parameters of the body itself; where it starts and what it is made of cannot be set."""
    properties = _tables.parameters_of(list_name)
    if list_name == "grabs":
        return {}
    start = set() if list_name == "colliders" else {"position", "rotation", "velocity", "angular_velocity"}
    return {key: value for key, value in properties.items() if key not in PLACING | start}


def main(path):
    types = Types()
    kinds = ""
    for kind, (base, list_name, doc, more) in KINDS.items():
        kinds += f'\nclass {kind}({base}):\n    """{doc}"""\n' + more.lstrip("\n") + setter(list_name, types, "parameters")
    adders = ""
    results = {"add_glue": "list[Glue]", "add_seam": "list[Glue]"}
    for method, (list_name, what, takes_mesh) in _tables.ADDERS.items():
        properties = _tables.parameters_of(list_name)
        extra = ["vertices: npt.NDArray[Any] = ...", "triangles: npt.NDArray[Any] = ..."] if takes_mesh else []
        name = list_name.rstrip("s")
        arguments = keywords(properties, types, name, extra)
        if list_name == "glue":
            side = types.of(properties["a"], "glue_a")
            for key in ("a", "b"):
                arguments = arguments.replace(f"{key}: {side} = ...", f"{key}: {side} | Body | str = ...")
        lines = [f"Adds {what}.", ""] + [_tables.help_line(k, v) for k, v in properties.items()]
        result = results.get(method, method.removeprefix("add_").capitalize())
        adders += f"    def {method}(self, *, {arguments}) -> {result}:\n{docstring(lines, ' ' * 8)}\n"
    tables = {key: _tables.schema()[key] for key in ("settings", "forces", "contact")}
    adders += f"    def set(self, *, {keywords(tables, types, 'world')}) -> None:\n" + docstring(
        ["Changes settings, forces or contact."], " " * 8) + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + types.text + BODIES + kinds + WORLD + adders + TAIL)


if __name__ == "__main__":
    main(sys.argv[1])
