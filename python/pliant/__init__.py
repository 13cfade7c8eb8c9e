"""Pliant: things that bend, and what holds them together.

    import pliant

    world = pliant.World()
    cloth = world.add_cloth(shape={"kind": "rectangle"}, position=[0, 2, 0], pins=[{"at": [-0.5, 2, -0.5]}])
    world.add_collider(name="ground")
    world.step(60)
    print(cloth.positions.min(axis=0))

What `add_...` and `set` take are the keys of scene files, in SI units; `help(pliant.World.add_cloth)` lists them. Bad
input raises InputError with the text of the command line.
"""

from ._core import Error, FileError, InputError, SimulationError, precision, set_threads, threads
from ._core import version as __version__
from ._batch import batch
from ._fit import RigidFit, fit_rigid
from ._show import Page, show
from ._view import View
from ._world import Body, Cloth, Collider, Expectation, Glue, Grab, RayHit, Rigid, Rod, Solid, Touch, World, Writer, run, scenes

__all__ = [
    "Body", "Cloth", "Collider", "Error", "Expectation", "FileError", "Glue", "Grab", "InputError", "Page", "RayHit", "Rigid", "RigidFit",
    "Rod", "SimulationError", "Solid", "Touch", "View", "World", "Writer", "batch", "fit_rigid", "precision", "run", "scenes",
    "set_threads", "show", "threads",
]

for _error in (Error, FileError, InputError, SimulationError):
    _error.__module__ = __name__
