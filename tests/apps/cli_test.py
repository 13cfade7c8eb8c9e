"""The command line from outside: exit codes, messages, files, and what stays behind when something goes wrong.

Run with the path of the program: python3 cli_test.py build/release/bin/pliant
"""

import json
import os
import pty
import resource
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""

DONE, WRONG_USAGE, BAD_INPUT, NON_FINITE, FILE_TROUBLE, EXPECT_NOT_MET = 0, 2, 3, 4, 5, 6


def box(**more):
    """A scene with one small body that falls freely."""
    solid = {"name": "box", "shape": {"kind": "box", "spacing": 0.25}, "position": [0, 5, 0]}
    return {"frames": 10, "solids": [{**solid, **more}]}


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pliant_cli_")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, content, name="scene.json"):
        """Writes a scene, given as a dictionary, text or bytes, and returns its path."""
        if isinstance(content, dict):
            content = json.dumps(content, indent=1)
        if isinstance(content, str):
            content = content.encode()
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def pliant(self, *arguments, code=DONE, **options):
        """Runs the program, checks its exit code, and returns what it said."""
        result = subprocess.run(
            [PROGRAM, *arguments], capture_output=True, text=True, errors="replace", timeout=300, cwd=self.folder, **options
        )
        self.assertEqual(result.returncode, code, f"pliant {' '.join(arguments)}\n{result.stdout}{result.stderr}")
        if code != DONE:
            self.assertIn("pliant: error: ", result.stderr)
        self.assertNotIn("\033", result.stdout + result.stderr, "no control characters but on a terminal")
        return result

    def refused(self, scene, *parts):
        """The scene is bad input for `run` and `check`, both say the same, and nothing is written."""
        path = self.write(scene)
        run = self.pliant("run", path, "-o", self.path("out", "f.ply"), "--stats", self.path("out", "s.json"), code=BAD_INPUT)
        check = self.pliant("check", path, code=BAD_INPUT)
        self.assertEqual(run.stderr, check.stderr)
        for part in ("scene.json:", *parts):
            self.assertIn(part, run.stderr)
        self.assertFalse(os.path.exists(self.path("out")), "nothing is written before the scene is read")

    def files(self, folder):
        return sorted(os.listdir(self.path(folder)))

    def contents(self, folder):
        result = {}
        for name in self.files(folder):
            with open(self.path(folder, name), "rb") as file:
                result[name] = file.read()
        return result


class Runs(CommandLine):
    def test_writes_stats_to_standard_output(self):
        scene = self.write(box())
        for name in ["-", "/dev/stdout"]:
            run = self.pliant("run", scene, "--frames", "3", "--stats", name)
            self.assertEqual(len(json.loads(run.stdout)["frames"]), 4, "nothing else is there")
            self.assertIn("3 frames in", run.stderr)
        self.assertFalse(os.path.exists(self.path("-")))

    def test_writes_stats_into_a_pipe(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        with subprocess.Popen([PROGRAM, "run", self.write(box()), "--frames", "3", "--quiet", "--stats", pipe]) as run:
            with open(pipe) as file:
                self.assertEqual(len(json.load(file)["frames"]), 4)
            self.assertEqual(run.wait(timeout=300), 0)

    def test_writes_frames_stats_and_a_summary(self):
        scene = self.write(box())
        run = self.pliant("run", scene, "-o", self.path("ply", "f.ply"), "-o", self.path("obj", "f.obj"), "--stats", self.path("s.json"))
        self.assertIn("10 frames in", run.stdout)
        self.assertIn("ms a frame", run.stdout)
        self.assertIn("s.json", run.stdout)
        self.assertEqual(len(self.files("ply")), 11, "the initial state and ten frames")
        self.assertEqual(len(self.files("obj")), 11)
        with open(self.path("s.json")) as file:
            stats = json.load(file)
        self.assertEqual(set(stats), {"settings", "counts", "frames"})
        self.assertEqual([frame["frame"] for frame in stats["frames"]], list(range(11)))
        keys = {"frame", "time", "phase_ms", "step_ms", "substeps", "asked_by", "kinetic_energy", "potential_energy", "elastic_energy", "total_energy", "linear_momentum", "angular_momentum"}
        keys |= {"max_strain", "p99_strain", "center", "contacts", "intersections", "events", "hash", "asleep"}
        for frame in stats["frames"]:
            self.assertEqual(set(frame), keys)
            self.assertRegex(frame["hash"], "^[0-9a-f]{16}$")
            self.assertEqual(set(frame["max_strain"]), {"box"})
        self.assertGreater(sum(stats["frames"][-1]["phase_ms"].values()), 0)
        self.assertLess(stats["frames"][-1]["center"]["box"][1], 5)

    def test_shows_progress_as_lines(self):
        run = self.pliant("run", self.write(box()), "--frames", "40")
        lines = [line for line in run.stderr.splitlines() if line.startswith("frame ")]
        self.assertEqual(len(lines), 10)
        self.assertRegex(lines[-1], r"^frame 40/40 \(100 %\), .* frames/s, .* left$")

    def test_shows_progress_as_a_bar_on_a_terminal(self):
        master, slave = pty.openpty()
        subprocess.run([PROGRAM, "run", self.write(box())], stdout=subprocess.DEVNULL, stderr=slave, check=True, timeout=300)
        os.close(slave)
        shown = os.read(master, 100000).decode()
        os.close(master)
        self.assertIn("\r[", shown)
        self.assertIn("10/10", shown)

    def test_quiet_says_nothing(self):
        run = self.pliant("run", self.write(box()), "--quiet", "--expect")
        self.assertEqual(run.stdout + run.stderr, "")

    def test_frames_zero_gives_the_initial_state(self):
        self.pliant("run", self.write(box()), "--frames", "0", "-o", self.path("f", "x.ply"))
        self.assertEqual(len(self.files("f")), 1)

    def test_set_by_index_and_by_name(self):
        scene = self.write(box())
        for key in ("solids.0.density", "solids.box.density"):
            self.pliant("run", scene, "--set", f"{key}=500", "--set", "settings.substeps=2", "--stats", self.path("s.json"), "--frames", "1")
            with open(self.path("s.json")) as file:
                stats = json.load(file)
            self.assertEqual(stats["settings"]["solids"]["box"]["density"], 500)
            self.assertEqual(stats["settings"]["substeps"], 2)

    def test_result_does_not_depend_on_threads(self):
        hashes = set()
        for threads in ("1", "2", "7"):
            self.pliant("run", "cube_drop", "--frames", "20", "--threads", threads, "--stats", self.path("s.json"))
            with open(self.path("s.json")) as file:
                hashes.add(json.load(file)["frames"][-1]["hash"])
        self.assertEqual(len(hashes), 1)

    def test_jitter(self):
        def hash_of(*arguments):
            self.pliant("run", "cube_drop", "--frames", "2", "--stats", self.path("s.json"), *arguments)
            with open(self.path("s.json")) as file:
                return json.load(file)["frames"][-1]["hash"]

        self.assertEqual(hash_of("--jitter", "1"), hash_of("--jitter", "1"))
        self.assertEqual(len({hash_of(), hash_of("--jitter", "1"), hash_of("--jitter", "2")}), 3)
        self.pliant("run", "cube_drop", "--jitter", "x", code=WRONG_USAGE)

    def test_expect(self):
        scene = box()
        scene["expect"] = [{"what": "height", "max": 5, "why": "it falls"}, {"what": "height", "min": 4}]
        met = self.pliant("run", self.write(scene), "--expect")
        self.assertIn("expect met: height (last) is 4.8", met.stdout)
        scene["expect"].append({"what": "height", "min": 100, "why": "it flies"})
        self.pliant("run", self.write(scene))
        missed = self.pliant("run", self.write(scene), "--expect", "-o", self.path("f", "x.ply"), code=EXPECT_NOT_MET)
        self.assertIn("must be at least 100: it flies", missed.stderr)
        self.assertEqual(len(self.files("f")), 11)


class Commands(CommandLine):
    def test_wrong_usage(self):
        for arguments in ([], ["fly"], ["run"], ["run", "cube_drop", "--frames", "-1"], ["run", "cube_drop", "--frames", "many"],
                          ["run", "cube_drop", "--warp", "9"], ["run", "cube_drop", "--set", "gamma"], ["run", "cube_drop", "-o", "x.doc"],
                          ["run", "cube_drop", "extra"], ["check"]):
            self.pliant(*arguments, code=WRONG_USAGE)
        self.assertIn(".ply", self.pliant("run", "cube_drop", "-o", "x.doc", code=WRONG_USAGE).stderr)
        self.assertIn('unknown command "chekc"; did you mean "check"?', self.pliant("chekc", "x.json", code=WRONG_USAGE).stderr)
        self.assertIn('unknown command "frobnicate"; known are run, replay, view, check', self.pliant("frobnicate", code=WRONG_USAGE).stderr)

    def test_help_and_version(self):
        self.assertIn("Exit codes", self.pliant("--help").stdout)
        self.assertIn("--stats", self.pliant("run", "--help").stdout)
        self.assertRegex(self.pliant("--version").stdout, r"^pliant \d+\.\d+\.\d+$")

    def test_scenes(self):
        listed = self.pliant("scenes").stdout
        for name in ("cube_stretch_one", "cube_stretch_many", "cube_drop", "cube_spin", "cube_spin_pbd", "bunny_drop", "bunny_damped",
                     "bunny_unlimited", "solids_100", "solid_million", "cloth_hang", "cloth_on_sphere", "flag", "shell_poke"):
            self.assertIn(name, listed)
        self.assertIn('"name": "bunny"', self.pliant("scenes", "bunny_drop").stdout)
        self.assertIn('did you mean "bunny_drop"?', self.pliant("scenes", "buny_drop", code=BAD_INPUT).stderr)

    def test_schema(self):
        schema = json.loads(self.pliant("schema").stdout)
        self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        self.assertIn("gamma", schema["properties"]["solids"]["items"]["properties"])
        self.assertIn("gain", schema["properties"]["cloths"]["items"]["properties"])

    def test_check(self):
        said = self.pliant("check", self.write(box())).stdout
        self.assertIn("nothing is wrong", said)
        self.assertRegex(said, r"box +64 ")
        inside = box(position=[0, 0, 0])
        inside["colliders"] = [{"name": "floor"}]
        self.assertIn("warning: box: starts with 32 of 64 particles inside floor", self.pliant("check", self.write(inside)).stderr)

    def test_check_and_run_warn_of_what_has_no_effect(self):
        scene = self.write({**box(gamma=0.2), "settings": {"iterations": 0}})
        for command in ("check", "run"):
            self.assertRegex(self.pliant(command, scene).stderr, r"pliant: warning: .*scene\.json:\d+: solids/0/gamma: has no effect")
        self.assertNotIn("warning", self.pliant("run", scene, "--quiet").stderr)

    def test_a_schema_named_in_a_scene_is_for_editors(self):
        self.assertNotIn("warning", self.pliant("check", self.write({"$schema": "nowhere.json", **box()})).stderr)

    def test_check_of_a_cloth(self):
        self.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 -1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n", "seam.obj")
        cloths = [{"name": "sheet", "shape": {"kind": "rectangle", "cells": [4, 3]}}, {"name": "seam", "shape": {"kind": "mesh", "file": "seam.obj"}}]
        said = self.pliant("check", self.write({"cloths": cloths}))
        self.assertRegex(said.stdout, r"sheet +20 +24 ")
        self.assertIn("warning: seam: three or more triangles meet in 1 edges", said.stderr)

    def test_check_reports_all_that_is_wrong(self):
        said = self.pliant("check", self.write(box(gama=1, density=-1)), code=BAD_INPUT).stderr
        self.assertEqual(said.count("pliant: error: "), 2)

    def test_a_file_wins_over_a_builtin_scene(self):
        self.write(box(), "cube_drop")
        self.assertIn("box", self.pliant("check", "cube_drop").stdout)

    def test_bench_says_when_it_is_not_built(self):
        copy = self.path("pliant_alone")
        os.symlink(PROGRAM, copy)  # the program looks beside itself, not beside the link
        beside = os.path.join(os.path.dirname(os.path.realpath(PROGRAM)), "pliant_bench")
        if os.path.exists(beside):
            self.skipTest("it is built")
        self.assertIn("not built", self.pliant("bench", code=FILE_TROUBLE).stderr)

    def test_bench_checks_physics(self):
        beside = os.path.join(os.path.dirname(os.path.realpath(PROGRAM)), "pliant_physics")
        if not os.path.exists(beside):
            self.skipTest("it is not built")
        said = self.pliant("bench", "--physics", "rods/end_rotation").stdout
        self.assertRegex(said, r"rods/end_rotation +twist per length.* ok\n")
        self.assertIn("all within their limits", said)
        self.assertIn("no case matches", self.pliant("bench", "--physics", "nothing", code=WRONG_USAGE).stderr)


class BadInput(CommandLine):
    def test_unknown_key(self):
        self.refused(box(gama=0.1), 'unknown key "gama" in solids/0; did you mean "gamma"?')

    def test_wrong_type(self):
        self.refused(box(density="heavy"), 'solids/0/density: must be a number, is "heavy"')
        self.refused(box(position=[1, 2]), "solids/0/position: must be three numbers")
        self.refused({"solids": 3}, "solids: must be an array")
        self.refused("[]", "must be an object")

    def test_line_numbers(self):
        self.refused('{\n"frames": 1,\n"solids": [],\n"setings": {}\n}', 'scene.json:4: unknown key "setings"')

    def test_missing_file(self):
        self.refused(box(shape={"kind": "mesh", "file": "gone.obj"}), "solids/0/shape/file", self.path("gone.obj"))

    def test_broken_mesh(self):
        self.write(b"\x00\x01\x02 no mesh", "broken.obj")
        self.refused(box(shape={"kind": "mesh", "file": "broken.obj"}), "solids/0/shape/file", "broken.obj")

    def test_nan(self):
        self.refused('{"forces": {"gravity": [0, NaN, 0]}}', "scene.json:1:", "NaN")
        self.refused('{"forces": {"gravity": [0, 1e999, 0]}}', "scene.json:1:", "1e999")
        self.refused('{"forces": {"gravity": [0, "nan", 0]}}', "forces/gravity/1: must be a number")

    def test_negative_mass(self):
        self.refused(box(mass=-1), "solids/0/mass: must be greater than 0, is -1")
        self.refused(box(density=-1), "solids/0/density: must be greater than 0, is -1")

    def test_zero_radius(self):
        self.refused(box(shape={"kind": "sphere", "radius": 0}), "solids/0/shape/radius: must be greater than 0, is 0")
        self.refused({"colliders": [{"shape": "sphere", "radius": 0}]}, "colliders/0/radius: must be greater than 0, is 0")

    def test_empty_body(self):
        self.refused(box(shape={"kind": "points", "points": []}), "solids/0/shape/points", "empty")
        self.refused(box(shape={"kind": "box", "count": 0}), "solids/0/shape/count: must be")

    def test_clusters_that_cover_nothing(self):
        self.refused(box(cluster_radius=0.01), "solids/0/cluster_radius", "covers no neighbour")
        self.refused(box(clustering="lists", clusters=[[]]), "solids/0/clusters/0", "covers nothing")

    def test_a_billion_particles(self):
        self.refused(box(shape={"kind": "box", "count": 1000000000}), "solids/0/shape/count", "1000000000 particles")
        self.refused(box(shape={"kind": "box", "spacing": 1e-3}), "solids/0/shape/spacing", "1000000000 particles", "use a spacing of")
        self.refused(box(array={"count": [1000, 1000, 1000]}), "solids/0/array/count", "1000000000 copies")

    def test_odd_sizes(self):
        for shape in ({"kind": "cylinder", "radius": 1e-9, "height": 1e9}, {"kind": "capsule", "radius": 1e-9, "height": 1e9},
                      {"kind": "torus", "radius": 1e9, "minor_radius": 1e-9}, {"kind": "torus", "radius": 1, "minor_radius": 1},
                      {"kind": "box", "size": [1e200, 1e200, 1e200]}, {"kind": "box", "size": [1e-200, 1e-200, 1e-200]},
                      {"kind": "points", "points": [[0, 0, 0], [0, 0, 0]]}, {"kind": "points", "points": [[1e300, 0, 0], [0, 0, 0]]}):
            self.refused(box(shape=shape), "solids/0")

    def test_garbage(self):
        self.refused(b"\x7fELF\x00\xff\xfe\x80garbage", "not valid JSON")
        self.refused(b"", "the file is empty")
        self.refused(b"[" * 1000000, "nested")
        self.refused(os.urandom(4096), "scene.json:")

    def test_set_is_checked_too(self):
        scene = self.write(box())
        self.assertIn("--set: solids/0/gamma: must be", self.pliant("run", scene, "--set", "solids.box.gamma=-1", code=BAD_INPUT).stderr)
        self.assertIn('did you mean "gamma"?', self.pliant("run", scene, "--set", "solids.box.gama=1", code=BAD_INPUT).stderr)


class Blowups(CommandLine):
    def test_frames_so_far_are_intact(self):
        stats, frames = self.path("s.json"), self.path("f", "x.ply")
        self.pliant("run", self.write(box()), "--frames", "0", "--stats", stats)
        with open(stats) as file:
            single = json.load(file)["settings"]["precision"] == "float"

        # Too far away after half of the frames: in double by frames that last long, since momenta must be finite too.
        scene = {**box(velocity=[0, 3e38 if single else 1e300, 0], alpha=0.5), "frames": 200}
        scene["settings"] = {"substeps": 1, "iterations": 1, "dt": 1 / 60 if single else 1e6}
        scene = self.write(scene)
        run = self.pliant("run", scene, "-o", frames, "--stats", stats, code=NON_FINITE)
        self.assertRegex(run.stderr, r'error: frame \d+: solid "box"')
        self.assertIn("Likely cause: ", run.stderr)
        with open(stats) as file:
            recorded = len(json.load(file)["frames"])
        self.assertTrue(1 < recorded < 200, recorded)
        written = self.files("f")
        self.assertEqual(len(written), recorded)
        for name in written:
            with open(self.path("f", name), "rb") as file:
                self.assertTrue(file.read().startswith(b"ply"))

    def test_contact_of_what_becomes_non_finite(self):
        far = {"frames": 2, "contact": {"on": True}}
        far["cloths"] = [{"name": "sheet", "shape": {"kind": "rectangle", "cells": [4, 4]}, "position": [0, 1, 0]}]
        far["colliders"] = [{"shape": "plane", "position": [0, 1e308, 0]}]
        scene = self.write(far)
        run = subprocess.run([PROGRAM, "run", scene], capture_output=True, text=True, timeout=300, cwd=self.folder)
        if run.returncode != DONE:  # double precision can still compute with it; single precision says who is lost
            self.assertEqual(run.returncode, NON_FINITE, run.stderr)
            self.assertIn('cloth "sheet"', run.stderr)


class FileTrouble(CommandLine):
    def test_recording_replays_with_any_threads(self):
        scene, file = self.write(box()), self.path("box.rec")
        self.pliant("run", scene, "--set", "solids.box.position=[0,1,0]", "--record", file)
        for threads in "1", "2", "7":
            self.assertIn("all 10 frames are equal", self.pliant("replay", file, "--threads", threads).stdout)

    def test_recording_that_was_changed(self):
        file = self.path("box.rec")
        self.pliant("run", self.write(box()), "--record", file)
        with open(file, encoding="utf-8") as opened:
            text = opened.read()
        start = text.index('"hashes": "') + len('"hashes": "') + 6 * 4
        other = "0" if text[start] != "0" else "1"
        forged = self.write(text[:start] + other + text[start + 1 :], "forged.rec")
        self.assertIn("frame 4 is the first of 10 that differs", self.pliant("replay", forged, code=EXPECT_NOT_MET).stderr)
        for damaged in text[: len(text) // 2], "", "{}", text.replace('recording": 1', 'recording": 99'), json.dumps(box()):
            self.assertIn("bad.rec", self.pliant("replay", self.write(damaged, "bad.rec"), code=BAD_INPUT).stderr)
        self.pliant("replay", self.path("none.rec"), code=FILE_TROUBLE)

    def test_scene_that_is_not_there(self):
        self.assertIn("gone.json", self.pliant("run", self.path("gone.json"), code=FILE_TROUBLE).stderr)
        self.assertIn('did you mean "bunny_drop"?', self.pliant("run", "bunny_dorp", code=FILE_TROUBLE).stderr)
        self.pliant("check", self.folder, code=FILE_TROUBLE)

    def test_folder_that_cannot_be_made(self):
        scene, blocker = self.write(box()), self.write("in the way", "file")
        run = self.pliant("run", scene, "-o", os.path.join(blocker, "f.ply"), code=FILE_TROUBLE)
        self.assertIn(blocker, run.stderr)
        self.assertNotIn("frame 1", run.stderr, "told by the first frame")
        run = self.pliant("run", scene, "--stats", os.path.join(blocker, "s.json"), code=FILE_TROUBLE)
        self.assertNotIn("frame 1", run.stderr, "told by the first frame")
        self.assertEqual(self.files("."), ["file", "scene.json"])

    def test_full_disk_leaves_no_half_written_file(self):
        def limit():  # every file is at most this long: what a full disk looks like from inside
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

        run = self.pliant("run", self.write(box()), "-o", self.path("f", "x.ply"), code=FILE_TROUBLE, preexec_fn=limit)
        self.assertIn("x", run.stderr)
        self.assertEqual(self.files("f") if os.path.exists(self.path("f")) else [], [])

    def test_full_disk_keeps_earlier_frames(self):
        self.pliant("run", self.write(box()), "-o", self.path("f", "x.ply"), "--frames", "3")
        before = self.contents("f")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        self.pliant("run", self.write(box(density=7)), "-o", self.path("f", "x.ply"), "--frames", "3", code=FILE_TROUBLE, preexec_fn=limit)
        self.assertEqual(before, self.contents("f"))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
