"""The Python package: the same engine, the same bits, the same words."""

import copy
import gc
import glob
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import pliant

BOX = {"kind": "box", "size": [0.5, 0.5, 0.5]}
SHEET = {"kind": "rectangle", "size": [1, 1], "cells": [8, 8]}


def hanging():
    world = pliant.World()
    cloth = world.add_cloth(name="sheet", shape=SHEET, position=[0, 1, 0], pins=[{"at": [-0.5, 1, -0.5]}])
    return world, cloth


class Worlds(unittest.TestCase):
    def test_a_scene_by_name_by_dictionary_and_with_changes(self):
        world = pliant.World("cube_drop")
        self.assertGreater(world.frames, 0)
        self.assertIn("cube_drop", pliant.scenes())
        heavy = pliant.World("cube_drop", set={"solids.0.density": 500})
        self.assertAlmostEqual(heavy.solids[0].parameters["density"], 500)
        scene = {"cloths": [{"name": "sheet", "shape": SHEET}], "forces": {"gravity": [0, 0, 0]}}
        world = pliant.World(scene)
        self.assertEqual([body.name for body in world.bodies], ["sheet"])
        self.assertEqual(world["sheet"], world.cloths[0])

    def test_building_by_hand_gives_the_bits_of_the_scene(self):
        parts = {"name": "sheet", "shape": SHEET, "position": [0, 1, 0], "pins": [{"at": [-0.5, 1, -0.5]}]}
        scene = pliant.World({"cloths": [parts], "colliders": [{"name": "ground"}], "contact": {"on": True}})
        by_hand = pliant.World()
        by_hand.set(contact={"on": True})
        by_hand.add_cloth(**parts)
        by_hand.add_collider(name="ground")
        for world in (scene, by_hand):
            world.step(20)
        self.assertEqual(scene.hash, by_hand.hash)

    def test_all_kinds_of_bodies(self):
        world, cloth = hanging()
        solid = world.add_solid(shape={"kind": "sphere", "radius": 0.2, "count": 60}, position=[2, 1, 0])
        rod = world.add_rod(shape={"kind": "line", "from": [4, 1, 0], "to": [5, 1, 0], "edges": 6})
        rigid = world.add_rigid(shape={"kind": "box", "size": [0.2, 0.2, 0.2]}, position=[6, 1, 0])
        ground = world.add_collider(name="ground")
        grab = world.add_grab(at=[2, 1.2, 0], target=[2, 1.5, 0], compliance=1e-4)
        (glue,) = world.add_glue(name="bond", kind="distance", a=rigid, b={"body": rod, "at": [5, 1, 0]})
        self.assertEqual([body.kind for body in world.bodies], ["solid", "cloth", "rod", "rigid body"])
        self.assertEqual(rod.points.shape, (7, 3))
        self.assertEqual(len(rod.positions), 7 + 6)
        world.step(3)
        self.assertLess(rigid.velocity[1], -0.3)
        self.assertAlmostEqual(float(np.linalg.norm(rigid.orientation)), 1, places=5)
        self.assertEqual(set(glue.state), {"on", "broken", "force", "torque", "gap", "work"})
        self.assertEqual(solid.surface()[0].shape[1], 3)
        self.assertEqual(len({*world.bodies, *world.bodies}), 4)
        grab.remove()
        ground.move([0, -1, 0], within=0.1)
        world.step()
        for body in (solid, rod, rigid, cloth):
            body.remove()
            self.assertFalse(body.exists)
        self.assertEqual(world.bodies, [])
        self.assertFalse(glue.exists, "it went with its bodies")

    def test_meshes_from_arrays(self):
        vertices = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], dtype=float)
        triangles = np.array([[0, 2, 1], [0, 3, 2]])
        world = pliant.World()
        cloth = world.add_cloth(vertices=vertices, triangles=triangles, position=[0, 2, 0], pins=[{"particles": [0]}])
        np.testing.assert_allclose(cloth.positions, vertices + [0, 2, 0], atol=1e-6)
        with self.assertRaisesRegex(pliant.InputError, "vertices"):
            world.add_cloth(vertices=vertices)
        box, faces = world.add_rigid(shape={"kind": "box"}).surface()
        collider = world.add_collider(vertices=box - [0, 3, 0], triangles=faces)
        self.assertEqual(collider.kind, "collider")

    def test_parameters_and_their_limits(self):
        world, cloth = hanging()
        cloth.set(damping=2, air_drag=0.5)
        self.assertAlmostEqual(cloth.parameters["damping"], 2)
        with self.assertRaisesRegex(pliant.InputError, "damping"):
            cloth.set(damping=-1)
        with self.assertRaisesRegex(pliant.InputError, 'did you mean "damping"'):
            cloth.set(dampin=1)
        world.set(forces={"gravity": np.array([0, 0, 0])}, settings={"substeps": 2})
        before = cloth.positions.copy()
        world.step()
        self.assertEqual(world.substeps, 2)
        np.testing.assert_allclose(cloth.positions, before, atol=1e-5)

    def test_errors_have_the_text_of_the_command_line(self):
        world = pliant.World()
        with self.assertRaisesRegex(pliant.InputError, 'unknown key "dampin" in cloths/0; did you mean "damping"') as caught:
            world.add_cloth(shape=SHEET, dampin=1)
        self.assertIsInstance(caught.exception, pliant.Error)
        with self.assertRaisesRegex(pliant.FileError, 'did you mean "cube_drop"'):
            pliant.World("cube_drp")
        with self.assertRaisesRegex(pliant.InputError, "no value of a scene"):
            world.add_cloth(shape=SHEET, damping=object())

    def test_a_failed_edit_changes_nothing(self):
        world, _ = hanging()
        before = world.snapshot()
        with self.assertRaises(pliant.InputError):
            world.add_cloth(shape=SHEET, pins=[{"low": [9, 9, 9], "high": [10, 10, 10]}])
        with self.assertRaises(pliant.InputError):
            world.extend({"rigids": [{"name": "box"}], "glue": [{"a": {"body": "nobody"}, "at": [0, 0, 0]}]})
        self.assertEqual([body.name for body in world.bodies], ["sheet"])
        world.step(5)
        again = pliant.World()
        again.restore(before)
        again.step(5)
        self.assertEqual(world.hash, again.hash)

    def test_bodies_without_a_name_get_one(self):
        world = pliant.World()
        names = {world.add_rigid(shape=BOX, position=[2 * i, 0, 0]).name for i in range(3)}
        self.assertEqual(names, {"rigid-0", "rigid-1", "rigid-2"})

    def test_a_trouble_is_an_exception(self):
        world, cloth = hanging()
        x = cloth.positions.copy()
        with self.assertRaises(pliant.InputError):
            cloth.positions = x * np.nan
        with self.assertRaisesRegex(pliant.SimulationError, "frame 1"):
            world.step(dt=float("nan"))

    def test_help_and_signature_come_from_the_tables(self):
        self.assertIn("areal_density: mass per area", pliant.World.add_cloth.__doc__)
        import inspect
        self.assertIn("bending_stiffness", inspect.signature(pliant.World.add_cloth).parameters)


class Views(unittest.TestCase):
    def test_a_view_is_no_copy_and_follows_the_steps(self):
        world, cloth = hanging()
        view, array = cloth.positions, np.asarray(cloth.positions)
        low = array[:, 1].min()
        world.step(10)
        self.assertLess(array[:, 1].min(), low)
        self.assertEqual(view[-1].tolist(), array[-1].tolist())
        self.assertTrue(np.shares_memory(array, cloth.positions[:]))
        self.assertEqual((view * 2 - view).tolist(), array.tolist())
        self.assertEqual(view.mean(axis=0).shape, (3,))
        self.assertEqual(array.dtype, np.float32 if pliant.precision == "float" else np.float64)
        with self.assertRaises(ValueError):
            array[0] = 0

    def test_a_view_outlives_edits_but_not_its_body(self):
        world, cloth = hanging()
        other = world.add_cloth(shape=SHEET, position=[3, 0, 0])
        view = other.positions
        expected = view.copy()
        cloth.remove()
        world.add_rigid(shape=BOX, position=[0, 5, 0])
        np.testing.assert_array_equal(view, expected)
        other.remove()
        with self.assertRaisesRegex(pliant.InputError, "has been removed"):
            view[0]
        with self.assertRaisesRegex(pliant.InputError, "has been removed"):
            np.asarray(view)

    def test_arrays_are_not_moved_under_numpy(self):
        world, cloth = hanging()
        array = cloth.positions[2:4]
        for edit in (cloth.remove, lambda: world.add_rigid(shape=BOX), lambda: world.restore(world.snapshot())):
            with self.assertRaisesRegex(BufferError, "1 NumPy array still looks at the particles"):
                edit()
        del array
        gc.collect()
        world.add_rigid(shape=BOX)

    def test_an_array_keeps_its_world_alive(self):
        array = np.asarray(hanging()[1].positions)
        gc.collect()
        self.assertEqual(array.shape, (81, 3))
        self.assertTrue(np.isfinite(array).all())

    def test_setting_positions_and_velocities(self):
        world = pliant.World()
        cloth = world.add_cloth(shape=SHEET, position=[0, 1, 0])
        cloth.positions = cloth.positions + np.array([0, 1, 0])
        self.assertAlmostEqual(float(cloth.positions[:, 1].mean()), 2, places=5)
        cloth.velocities = np.tile([1.0, 0, 0], (81, 1))
        world.step()
        self.assertGreater(cloth.positions[-1, 0], 0.5)
        with self.assertRaisesRegex(pliant.InputError, r"the shape \(81, 3\)"):
            cloth.velocities = np.zeros((3, 3))


class States(unittest.TestCase):
    def test_copies_snapshots_and_pickles_go_on_with_the_same_bits(self):
        world = pliant.World("glue_windmill")
        world.step(5)
        others = [world.copy(), copy.deepcopy(world), pickle.loads(pickle.dumps(world)), pliant.World()]
        self.assertTrue(world.snapshot().startswith(b"PLIANTSN"), "what C++ and the page write")
        others[-1].restore(world.snapshot())
        world.step(3)
        for other in others:
            self.assertEqual(other.frame, 5)
            other.step(3)
            self.assertEqual(other.hash, world.hash)

    def test_damaged_snapshots(self):
        world, _ = hanging()
        snapshot = bytearray(world.snapshot())
        snapshot[500] ^= 1
        with self.assertRaisesRegex(pliant.InputError, "damaged"):
            world.restore(bytes(snapshot))
        with self.assertRaises(pliant.InputError):
            world.restore(b"")

    def test_stats_energy_and_momentum(self):
        world, _ = hanging()
        world.step()
        self.assertEqual(world.stats()["hash"], world.hash)
        self.assertGreater(world.energy["kinetic"], 0)
        self.assertLess(world.momentum[1], 0)

    def test_queries_and_events(self):
        world = pliant.World()
        world.add_collider(name="ground")
        box = world.add_rigid(name="box", shape={"kind": "box"}, position=[0, 0.5, 0])
        world.add_glue(name="thread", a=box, at=[0, 1, 0], break_force=1e-3, kind="point")
        hit = world.raycast([0, 5, 0], [0, -1, 0])
        self.assertEqual(hit.body, box)
        self.assertAlmostEqual(hit.distance, 4, places=5)
        self.assertIsNone(world.raycast([9, 5, 0], [0, 1, 0]))
        self.assertIn(box, world.overlap([0, 1, 0], 0.1))
        other = world.add_rigid(shape={"kind": "box"}, position=[3, 0.5, 0])
        self.assertAlmostEqual(world.closest_points(box, other)[2], 2, places=5)
        events, touched = [], set()
        for _ in range(30):
            world.step()
            events += [(what, name) for _, what, name in world.events]
            touched |= {touch.b.name for touch in world.touches} | {touch.a.name for touch in world.touches}
        self.assertIn(("broken", "thread"), events)
        self.assertIn("ground", touched)


class Batches(unittest.TestCase):
    OVERRIDES = [{"solids.0.density": density} for density in (500, 1000, 2000)]

    def test_the_bits_are_those_of_a_loop(self):
        batched = pliant.batch("cube_drop", self.OVERRIDES, frames=12, progress=False)
        for world, change in zip(batched, self.OVERRIDES):
            alone = pliant.World("cube_drop", set=change)
            alone.step(12)
            self.assertEqual(world.hash, alone.hash)
        more = pliant.batch([world.copy() for world in batched], frames=3, threads=2)
        for world, other in zip(batched, more):
            world.step(3)
            self.assertEqual(world.hash, other.hash)

    def test_bad_input(self):
        world, _ = hanging()
        with self.assertRaisesRegex(pliant.InputError, "twice"):
            pliant.batch([world, world], frames=1)
        with self.assertRaisesRegex(pliant.InputError, "how many frames"):
            pliant.batch([world])
        self.assertEqual(pliant.batch([], frames=3), [])

    def test_the_interpreter_runs_while_worlds_step(self):
        world, _ = hanging()
        world.set(settings={"substeps": 400})
        thread = threading.Thread(target=world.step, args=(20,))
        thread.start()
        ticks = 0
        while thread.is_alive():
            ticks += 1
            time.sleep(0.001)
        thread.join()
        self.assertGreater(ticks, 3)

    def test_a_world_that_is_stepped_cannot_be_changed(self):
        world, _ = hanging()
        world.set(settings={"substeps": 2000})
        thread = threading.Thread(target=world.step, args=(5,))
        thread.start()
        time.sleep(0.02)
        if thread.is_alive():
            with self.assertRaisesRegex(RuntimeError, "another thread"):
                world.step()
        thread.join()


class Interrupts(unittest.TestCase):
    CODE = """
import pliant, sys
world = pliant.World("cloth_hang")
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    world.step()
    print("interrupted at", world.frame, flush=True)
"""

    def interrupted(self, call):
        process = subprocess.Popen([sys.executable, "-c", self.CODE.format(call=call)], stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        self.assertRegex(said, r"interrupted at \d+")

    def test_ctrl_c_stops_between_frames(self):
        self.interrupted("world.step(1000000)")

    def test_ctrl_c_stops_a_batch(self):
        self.interrupted("pliant.batch([world, world.copy()], frames=1000000)")


class Files(unittest.TestCase):
    def test_writers(self):
        with tempfile.TemporaryDirectory() as folder:
            world, _ = hanging()
            results = pliant.run(world, 5, [os.path.join(folder, "a.ply"), os.path.join(folder, "a.png")])
            self.assertEqual(results, [])
            self.assertEqual(len(glob.glob(os.path.join(folder, "a.*.ply"))), 6)
            with open(os.path.join(folder, "a.png"), "rb") as file:
                self.assertTrue(file.read().startswith(b"\x89PNG"))
            with self.assertRaises(pliant.InputError):
                pliant.Writer("a.nothing")

    def test_run_checks_expectations(self):
        world = pliant.World("cube_drop")
        results = pliant.run(world)
        self.assertTrue(results)
        self.assertTrue(all(result.met for result in results), results)


class Tutorials(unittest.TestCase):
    def test_their_python_runs(self):
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        found = 0
        for name in glob.glob(os.path.join(root, "docs", "tutorials", "*.md")) + [os.path.join(root, "README.md")]:
            with open(name, encoding="utf-8") as file:
                blocks = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
            for block in blocks:
                found += 1
                with self.subTest(file=os.path.basename(name)), tempfile.TemporaryDirectory() as folder:
                    subprocess.run([sys.executable, "-c", block], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        self.assertGreaterEqual(found, 3)


class Notebooks(unittest.TestCase):
    FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "python")
    PLAYER = os.path.join(os.path.dirname(__file__), "..", "..", "web", "page", "dist", "player.html")

    def test_they_run_and_show_a_page(self):
        if not os.path.exists(self.PLAYER):
            self.skipTest("the player is not built: make player")
        os.environ["PLIANT_WEB"] = os.path.dirname(os.path.abspath(self.PLAYER))
        for path in glob.glob(os.path.join(self.FOLDER, "*.ipynb")):
            with open(path, encoding="utf-8") as file:
                cells = ["".join(cell["source"]) for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
            names = {}
            for cell in cells[:-1]:
                exec(cell, names)
            page = eval(cells[-1], names)
            self.assertIn("<iframe srcdoc=", page._repr_html_())
            self.assertGreater(len(page.text), 10000)


class Fits(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(1)
        self.rest = random.normal(size=(4, 5, 7, 3))
        self.x = self.rest + 0.2 * random.normal(size=self.rest.shape)
        self.weights = random.uniform(0.5, 2, size=self.rest.shape[:-1])
        self.at = random.normal(size=(4, 5, 3))
        self.fit = pliant.fit_rigid(self.rest, self.x, self.weights)
        self.random = random

    def test_it_finds_a_rigid_motion(self):
        q, _ = np.linalg.qr(self.random.normal(size=(3, 3)))
        q *= np.sign(np.linalg.det(q))
        fit = pliant.fit_rigid(self.rest[0, 0], self.rest[0, 0] @ q.T + [1, 2, 3])
        np.testing.assert_allclose(fit.rotation, q, atol=1e-12)
        np.testing.assert_allclose(fit([1, 0, 0]), q @ [1, 0, 0] + [1, 2, 3], atol=1e-12)

    def test_the_jacobian_is_that_of_differences(self):
        direction, h = self.random.normal(size=self.x.shape), 1e-6
        ahead = pliant.fit_rigid(self.rest, self.x + h * direction, self.weights)(self.at)
        behind = pliant.fit_rigid(self.rest, self.x - h * direction, self.weights)(self.at)
        change = np.einsum("...nij,...nj->...i", self.fit.jacobian(self.at), direction)
        np.testing.assert_allclose(change, (ahead - behind) / (2 * h), atol=1e-7)
        velocity, _ = self.fit.velocity(self.at, direction)
        np.testing.assert_allclose(velocity, change, atol=1e-12)

    def test_forces_keep_their_sum_and_their_torque(self):
        force = self.random.normal(size=(4, 5, 3))
        forces = self.fit.forces(self.at, force)
        np.testing.assert_allclose(forces.sum(axis=-2), force, atol=1e-12)
        passed = np.einsum("...nji,...j->...ni", self.fit.jacobian(self.at), force)
        np.testing.assert_allclose(forces, passed, atol=1e-12)

    def test_bad_shapes(self):
        with self.assertRaisesRegex(pliant.InputError, "shape"):
            pliant.fit_rigid(np.zeros(3), np.zeros(3))
        with self.assertRaisesRegex(pliant.InputError, "above 0"):
            pliant.fit_rigid(self.rest, self.x, -self.weights)


if __name__ == "__main__":
    unittest.main()
