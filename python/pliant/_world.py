"""Worlds, and what is in them."""

import json
import os
from typing import NamedTuple

import numpy as np

from . import _core
from ._view import View


def _plain(value):
    """What json cannot write: arrays, NumPy's numbers, paths; a body stands for its name."""
    if isinstance(value, Body):
        return value.name
    if isinstance(value, (np.ndarray, np.generic, View)):
        return np.asarray(value).tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise _core.InputError(f"a {type(value).__name__} is no value of a scene; use numbers, texts, lists and dictionaries")


def _to_json(value):
    return json.dumps(value, default=_plain)


def _ply(vertices, triangles):
    """A mesh as the file that it is read from."""
    vertices = np.ascontiguousarray(vertices, dtype="<f8")
    triangles = np.ascontiguousarray(triangles, dtype="<i4")
    if vertices.ndim != 2 or vertices.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
        raise _core.InputError("vertices and triangles must have the shapes (n, 3) and (m, 3)")
    head = "ply\nformat binary_little_endian 1.0\n" f"element vertex {len(vertices)}\n"
    head += "".join(f"property double {axis}\n" for axis in "xyz")
    head += f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    faces = np.empty(len(triangles), dtype=[("count", "u1"), ("corners", "<i4", 3)])
    faces["count"] = 3
    faces["corners"] = triangles
    return head.encode() + vertices.tobytes() + faces.tobytes()


class Body:
    """Something in a world, by its id: it stays valid while other things come and go."""

    __slots__ = ("_ref", "_world", "_list")

    def __init__(self, world, ref):
        self._world = world
        self._ref = ref
        self._list = _LISTS[ref.id[0]]

    @property
    def name(self):
        """Its name in messages, statistics and files."""
        return self._ref.name

    @property
    def kind(self):
        return self._ref.kind

    @property
    def id(self):
        """Number of its kind, slot and generation: never given again."""
        return self._ref.id

    @property
    def exists(self):
        """False once it has been removed."""
        return self._ref.exists

    def set(self, **parameters):
        """Changes parameters from the next step on; None leaves one to the engine."""
        for name, value in parameters.items():
            self._world._core.set(f"{self._list}.{self.name}.{name}", _to_json(value))

    @property
    def parameters(self):
        """The values of all parameters, by name."""
        for table in json.loads(self._world._core.parameters()):
            if table["path"] == f"{self._list}.{self.name}":
                return {p["name"]: p["value"] for p in table["parameters"]}
        raise _core.InputError(f"{self.kind} {self.name!r} has no parameters")

    def remove(self):
        """Takes it out of the world, with the pins, grabs and glue on it."""
        self._ref.remove()

    def __eq__(self, other):
        return isinstance(other, Body) and self._world is other._world and self.id == other.id

    def __hash__(self):
        return hash(self.id)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}>" if self.exists else f"<{type(self).__name__}, removed>"


class _Bending(Body):
    """A body of particles."""

    __slots__ = ()

    @property
    def positions(self):
        """Of the particles, (n, 3) [m]. Ghosts of a rod are among them."""
        return View(self._ref, "positions")

    @positions.setter
    def positions(self, x):
        self._ref.set_positions(np.asarray(x))

    @property
    def velocities(self):
        """Of the particles, (n, 3) [m/s]."""
        return View(self._ref, "velocities")

    @velocities.setter
    def velocities(self, v):
        self._ref.set_velocities(np.asarray(v))

    @property
    def masses(self):
        """Of the particles, (n,) [kg]."""
        return View(self._ref, "masses")

    @property
    def strain(self):
        """How far it is from its rest shape: the largest, and the 99th percentile."""
        return self._ref.strain()

    def surface(self):
        """Vertices (n, 3) [m] and triangles (m, 3) as they are now."""
        return self._ref.surface()

    def push(self, impulse):
        """Changes its velocity at once, by an impulse [kg m/s]."""
        self._ref.push(impulse, None, True)

    def apply_force(self, force):
        """Acts during the next step [N]."""
        self._ref.push(force, None, False)


class Solid(_Bending):
    """A soft body."""

    __slots__ = ()


class Cloth(_Bending):
    """A sheet or a shell."""

    __slots__ = ()

    def move_to(self, positions, arrival=None):
        """Moves all particles evenly to `positions`, (n, 3) [m], until the time `arrival` [s], without one until the end of
        the next frame. From then on nothing else moves the cloth: an animated body, handed over frame by frame."""
        self._ref.move_to(np.asarray(positions), arrival)


class Rod(_Bending):
    """Wires, ropes or hair: one or many strands."""

    __slots__ = ()

    @property
    def ghosts(self):
        """Which of its particles are ghost points, that carry the frames of its edges: (n,) of bool."""
        return self._ref.ghosts()

    @property
    def points(self):
        """The positions without the ghosts, a copy, strand by strand: (n, 3) [m]."""
        return self.positions[~self.ghosts]


class Rigid(Body):
    """A body that does not bend."""

    __slots__ = ()

    @property
    def position(self):
        """Of its centre of mass [m]."""
        return self._ref.pose()[0]

    @property
    def orientation(self):
        """Unit quaternion (w, x, y, z) from its principal axes to the world."""
        return self._ref.pose()[1]

    @property
    def velocity(self):
        """Of its centre [m/s]."""
        return self._ref.pose()[2]

    @property
    def angular_velocity(self):
        """[rad/s]"""
        return self._ref.pose()[3]

    def set_velocity(self, velocity, angular_velocity=(0, 0, 0)):
        """[m/s] and [rad/s]"""
        self._ref.set_velocity(velocity, angular_velocity)

    def surface(self):
        """Vertices (n, 3) [m] and triangles (m, 3) as they are now."""
        return self._ref.surface()

    def push(self, impulse, at=None):
        """An impulse [kg m/s] at a point of the world; without one, at its centre."""
        self._ref.push(impulse, at, True)

    def apply_force(self, force, at=None):
        """Acts during the next step [N], at a point of the world; without one, at its centre."""
        self._ref.push(force, at, False)

    def move(self, position, rotation=(0, 0, 0), *, within):
        """Carries it to a pose within a time [s] and holds it there. The rotation is axis times degrees."""
        self._ref.move(position, rotation, within)


class Collider(Body):
    """Something that bodies run into and that does not give way."""

    __slots__ = ()

    def move(self, position, rotation=(0, 0, 0), *, within):
        """Carries it to a pose within a time [s]. The rotation is axis times degrees."""
        self._ref.move(position, rotation, within)


class Glue(Body):
    """What holds two bodies together."""

    __slots__ = ()

    @property
    def state(self):
        """on, broken, force [N], torque [N m], gap [m] and work [J]."""
        return self._ref.glue_state()


class Grab(Body):
    """A hand that holds or pulls a particle."""

    __slots__ = ()

    def move(self, target):
        """Where it pulls to [m]."""
        self._ref.move_grab(target)


_KINDS = (Solid, Cloth, Rod, Rigid, Collider, Glue, Grab)  # as AnyRef of py_world.h counts them
_LISTS = ("solids", "cloths", "rods", "rigids", "colliders", "glue", "grabs")


class RayHit(NamedTuple):
    """The first surface that a ray hit."""

    body: Body
    point: np.ndarray
    normal: np.ndarray
    distance: float
    particle: int


class Touch(NamedTuple):
    """What two bodies did to each other in the last step: where they pushed most, the normal from b to a, the impulse [kg m/s]."""

    a: Body
    b: Body
    point: np.ndarray
    normal: np.ndarray
    impulse: float


class Expectation(NamedTuple):
    """Whether the scene kept one of its promises."""

    met: bool
    value: float
    text: str


class World:
    """Bodies, what holds them together, and the solver that moves them.

    `World()` is empty. `World(scene)` reads a scene: a file, the name of a built-in one (see scenes()), or a dictionary with
    the same keys. `set` changes values of it before it is built: {"solids.bunny.gamma": 0.2}.
    """

    def __init__(self, scene=None, *, set=None):
        sets = [f"{path}={value if isinstance(value, str) else _to_json(value)}" for path, value in (set or {}).items()]
        if scene is None:
            self._core = _core.World()
            if sets:
                raise _core.InputError("set: there is no scene to change")
        elif isinstance(scene, _core.World):
            self._core = scene
        elif isinstance(scene, dict):
            self._core = _core.World.read_text(_to_json(scene), "scene", sets, {}, ".")
        else:
            self._core = _core.World.read(os.fspath(scene), sets)

    # --- what is in it

    def _wrap(self, ref):
        return _KINDS[ref.id[0]](self, ref)

    def _add(self, list_name, parameters, mesh_key="shape"):
        files = {}
        vertices, triangles = parameters.pop("vertices", None), parameters.pop("triangles", None)
        if (vertices is None) != (triangles is None):
            raise _core.InputError("a mesh needs both vertices and triangles")
        if vertices is not None:
            if mesh_key in parameters:
                raise _core.InputError(f"give {mesh_key}, or vertices and triangles, not both")
            files["./vertices.ply"] = files["vertices.ply"] = _ply(vertices, triangles)
            parameters[mesh_key] = {"kind": "mesh", "file": "vertices.ply"}
        added = self._core.extend(_to_json({list_name: [parameters]}), f"add to {list_name}", files, ".")
        return [self._wrap(ref) for ref in added]

    def _add_one(self, list_name, parameters, mesh_key="shape"):
        kind = _KINDS[_LISTS.index(list_name)]
        if "array" in parameters:
            raise _core.InputError("array is for scene files; add the copies one by one, or with extend()")
        return next(body for body in self._add(list_name, parameters, mesh_key) if isinstance(body, kind))

    def add_solid(self, **parameters):
        return self._add_one("solids", parameters)

    def add_cloth(self, **parameters):
        return self._add_one("cloths", parameters)

    def add_rod(self, **parameters):
        return self._add_one("rods", parameters)

    def add_rigid(self, **parameters):
        return self._add_one("rigids", parameters)

    def add_collider(self, **parameters):
        if "vertices" in parameters:
            parameters["shape"] = "mesh"
        return self._add_one("colliders", parameters, "mesh")

    def add_glue(self, **parameters):
        for side in ("a", "b"):
            if isinstance(parameters.get(side), (Body, str)):
                parameters[side] = {"body": parameters[side]}
        return [glue for glue in self._add("glue", parameters)]

    def add_seam(self, **parameters):
        return self._add("seams", parameters)

    def add_grab(self, **parameters):
        return self._add_one("grabs", parameters)

    def extend(self, scene):
        """Adds all that a dictionary with the keys of a scene has; returns what is new."""
        return [self._wrap(ref) for ref in self._core.extend(_to_json(scene), "extend", {}, ".")]

    def set(self, **parameters):
        """Changes settings, forces or contact: set(forces={"gravity": [0, -1.6, 0]})."""
        for table, values in parameters.items():
            if table not in ("settings", "forces", "contact"):
                raise _core.InputError(f"set: there is no table {table!r}; known are settings, forces and contact")
            for name, value in values.items():
                self._core.set(f"{table}.{name}", _to_json(value))

    def _all(self, list_name):
        return [self._wrap(ref) for ref in self._core.list(list_name)]

    @property
    def solids(self):
        return self._all("solids")

    @property
    def cloths(self):
        return self._all("cloths")

    @property
    def rods(self):
        return self._all("rods")

    @property
    def rigids(self):
        return self._all("rigids")

    @property
    def colliders(self):
        return self._all("colliders")

    @property
    def glue(self):
        return self._all("glue")

    @property
    def bodies(self):
        """All bodies, without colliders and glue."""
        return [*self.solids, *self.cloths, *self.rods, *self.rigids]

    def __getitem__(self, name):
        """The body, collider or glue of that name."""
        for list_name in _LISTS[:-1]:
            for body in self._all(list_name):
                if body.name == name:
                    return body
        raise KeyError(name)

    # --- time

    def step(self, frames=1, *, dt=None):
        """Advances by frames of the settings' dt, or of `dt` seconds. Ctrl-C stops it between frames.

        Raises SimulationError that names the body that became non-finite.
        """
        self._core.step(frames, dt)

    @property
    def time(self):
        """[s]"""
        return self._core.time

    @property
    def frame(self):
        """Steps so far."""
        return self._core.frame

    # --- questions

    def raycast(self, origin, direction, reach=float("inf")):
        """The first surface that a ray hits within `reach` [m], or None."""
        hit = self._core.raycast(origin, direction, reach)
        return hit and RayHit(self._wrap(hit[0]), *hit[1:])

    def overlap(self, center, radius):
        """All bodies and colliders that come within `radius` [m] of a point."""
        return [self._wrap(ref) for ref in self._core.overlap(center, radius)]

    def closest_points(self, a, b):
        """Where two bodies are nearest to each other: a point of each [m], and their distance [m]."""
        return self._core.closest_points(a._ref, b._ref)

    @property
    def events(self):
        """What glue did in the last step: (time [s], "attached", "released" or "broken", name of the glue)."""
        return self._core.events()

    @property
    def touches(self):
        """What touched what in the last step."""
        return [Touch(self._wrap(a), self._wrap(b), *rest) for a, b, *rest in self._core.touches()]

    @property
    def energy(self):
        """kinetic, potential, elastic and total [J]."""
        return self._core.energy()

    @property
    def momentum(self):
        """[kg m/s]"""
        return self._core.momentum()

    @property
    def angular_momentum(self):
        """About the centre of mass [kg m^2/s]."""
        return self._core.angular_momentum()

    @property
    def center_of_mass(self):
        """[m]"""
        return self._core.center()

    @property
    def particle_count(self):
        return self._core.particles

    @property
    def substeps(self):
        """Of the last frame."""
        return self._core.substeps

    @property
    def hash(self):
        """16 hexadecimal digits: equal for states that are equal to the last bit."""
        return f"{self._core.hash():016x}"

    def stats(self):
        """All that `pliant run --stats` writes of a frame."""
        return json.loads(self._core.stats())

    # --- copies

    def copy(self):
        """Both go on with the same bits."""
        return World(self._core.copy())

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def snapshot(self):
        """All of the world as bytes, which restore(), C++ and the page understand in any build of the same precision."""
        return self._core.snapshot()

    def restore(self, snapshot):
        """Takes a snapshot back. Bodies that it does not have are gone; `frame` follows from its time."""
        self._core.restore(snapshot)

    def __reduce__(self):
        return _from_snapshot, (self.snapshot(), self.frame)

    # --- about the scene that it was read from

    @property
    def name(self):
        return self._core.name

    @property
    def about(self):
        return self._core.about

    @property
    def frames(self):
        """How many the scene asks for."""
        return self._core.frames

    @property
    def warnings(self):
        """What is allowed in the scene, but probably a mistake."""
        return self._core.warnings

    @property
    def trouble(self):
        """What became non-finite; empty for nothing."""
        return self._core.trouble

    def __repr__(self):
        return f"<World at {self.time:.4g} s: {len(self.bodies)} bodies, {self.particle_count} particles>"


def _from_snapshot(snapshot, frame):
    world = World()
    world.restore(snapshot)
    world._core.frame = frame
    return world


class Writer:
    """Writes frames to files by the suffix of the path, as `pliant run -o` does. `frames` is how many to expect, `unit` a unit of length of the files [m].

        with pliant.Writer("out/cloth.png", frames=60) as writer:
            for _ in range(60):
                world.step()
                writer.write(world)
    """

    suffixes = tuple(_core.suffixes())

    def __init__(self, path, frames=240, *, up_axis="y", unit=1):
        self._core = _core.Writer(os.fspath(path), frames, up_axis, unit)

    def write(self, world):
        self._core.write(world._core)

    def finish(self):
        """Completes the files; also done at the end of a `with` block."""
        self._core.finish()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.finish()


def run(world, frames=None, output=(), each=None):
    """Steps a world, by default as far as its scene says, writes its frames, the first one included, and calls
    each(world) after every step. Returns what became of the expectations of the scene."""
    frames = world.frames if frames is None else frames
    paths = [output] if isinstance(output, (str, os.PathLike)) else list(output)
    writers = [Writer(path, frames + 1) for path in paths]
    expect = _core.Expect(world._core)
    expect.sample(world._core)
    try:
        for writer in writers:
            writer.write(world)
        for _ in range(frames):
            world.step()
            for writer in writers:
                writer.write(world)
            expect.sample(world._core)
            if each is not None:
                each(world)
    finally:
        for writer in writers:
            writer.finish()
    return [Expectation(*result) for result in expect.results()]


def scenes():
    """The built-in scenes: what is to be seen, by name."""
    return dict(_core.scenes())


def _give_help():
    from ._tables import describe_adders

    for name, text, signature in describe_adders():
        function = getattr(World, name)
        function.__doc__ = text
        function.__signature__ = signature


_give_help()
