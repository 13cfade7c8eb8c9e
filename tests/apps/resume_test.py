"""Runs that are killed and resumed end with the same files as one that was not.

Run with the path of the program: python3 resume_test.py build/release/bin/pliant
"""

import glob
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ""
KILLS = 20
PLAYER = os.path.join(os.path.dirname(__file__), "..", "..", "web", "page", "dist", "player.html")

SCENE = {
    "frames": 240,
    "settings": {"substeps": 8},
    "contact": {"on": True},
    "cloths": [{"name": "sheet", "shape": {"kind": "rectangle", "size": [1, 1], "cells": [14, 14]}, "position": [0, 1, 0],
                "pins": [{"low": [-0.6, 0.9, -0.6], "high": [-0.4, 1.1, 0.6]}]}],
    "rigids": [{"name": "box", "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 1.3, 0]}],
    "colliders": [{"name": "ground"}],
    "expect": [{"what": "lowest", "min": -1, "when": "min"}, {"what": "max_speed", "max": 100, "when": "max"}],
}
TIMES = ("phase_ms", "step_ms")


class Resume(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pliant_resume_")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(self.path("scene.json"), "w") as file:
            json.dump(SCENE, file)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def command(self, out, *more):
        outputs = ["-o", f"{out}/f.ply", "-o", f"{out}/f.obj", "-o", f"{out}/sheet.png", "-o", f"{out}/c.pc2", "-o", f"{out}/u.usda", "--stats", f"{out}/s.json"]
        outputs += ["-o", f"{out}/g.glb", "-o", f"{out}/m.mdd", "-o", f"{out}/v.pvd", "-o", f"{out}/late@230.png"]
        if os.path.exists(PLAYER):
            outputs += ["-o", f"{out}/page.html"]
        outputs += ["--record", f"{out}/r.rec", "--expect"]
        return [PROGRAM, "run", "scene.json", *outputs, *more]

    def start(self, *arguments):
        return subprocess.Popen(self.command(*arguments), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def finish(self, *arguments):
        process = self.start(*arguments)
        said, _ = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, said)
        return said

    def stats(self, out):
        with open(self.path(out, "s.json")) as file:
            return json.load(file)

    def content(self, out):
        """All files but checkpoints and leftovers, with the times taken out."""
        files = {}
        for name in sorted(glob.glob("*", root_dir=self.path(out))):
            if any(part in name for part in (".checkpoint", ".part", ".spool")):
                continue
            with open(self.path(out, name), "rb") as file:
                files[name] = file.read()
        stats = json.loads(files["s.json"])
        for frame in stats["frames"]:
            for key in TIMES:
                del frame[key]
        files["s.json"] = stats
        return files

    def expect_same(self, out, reference):
        mine, theirs = self.content(out), self.content(reference)
        self.assertEqual(sorted(mine), sorted(theirs))
        for name in theirs:
            self.assertTrue(mine[name] == theirs[name], f"{name} differs")

    def last_frame(self, out):
        return len(glob.glob(self.path(out, "f.*.ply"))) - 1

    def wait_for(self, process, path):
        while not os.path.exists(path) and process.poll() is None:
            time.sleep(0.001)

    def test_killed_twenty_times(self):
        self.finish("whole")
        chance = random.Random(7)
        latest = 0
        for _ in range(KILLS):
            process = self.start("killed", "--checkpoint-every", "4", "--resume")
            if chance.random() < 0.75:  # on its way, a few frames further; otherwise while it starts
                self.wait_for(process, self.path("killed", f"f.{self.last_frame('killed') + chance.randint(1, 6):04}.ply"))
            time.sleep(chance.uniform(0, 0.008))
            self.assertIsNone(process.poll(), "it was still running")
            process.kill()
            process.communicate()
            if os.path.exists(self.path("killed", "s.json")):
                frames = [frame["frame"] for frame in self.stats("killed")["frames"]]
                self.assertEqual(frames, list(range(len(frames))), "without gap or duplicate")
                self.assertGreaterEqual(len(frames), self.last_frame("killed") - 4, "up to the last whole frame")
                latest = max(latest, len(frames) - 1)
        self.assertGreater(latest, 20, "runs were killed on their way, not only at their start")
        self.finish("killed", "--checkpoint-every", "4", "--resume")
        self.expect_same("killed", "whole")

    def test_interrupted(self):
        self.finish("whole")
        for number, name in ((signal.SIGINT, "int"), (signal.SIGTERM, "term")):
            process = self.start(name, "--checkpoint-every", "1000")
            while not os.path.exists(self.path(name, "f.0010.obj")):
                time.sleep(0.005)
            process.send_signal(number)
            said, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, -number, said)
            self.assertRegex(said, r"stopped after frame \d+ of 240; the same command with --resume goes on from there")
            self.assertTrue(os.path.exists(self.path(name, "sheet.png")), "interrupted runs finish their files")
            self.assertGreater(len(self.stats(name)["frames"]), 10)
            self.finish(name, "--checkpoint-every", "1000", "--resume")
            self.expect_same(name, "whole")

    def test_interrupted_without_checkpoints(self):
        process = self.start("plain")
        while not os.path.exists(self.path("plain", "f.0005.obj")):
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT, said)
        self.assertIn("with --checkpoint-every it could be resumed", said)
        self.assertTrue(os.path.exists(self.path("plain", "sheet.png")))
        self.assertFalse(glob.glob(self.path("plain", "*.checkpoint*")))

    def test_a_finished_run_can_go_on(self):
        self.finish("whole")
        self.finish("more", "--checkpoint-every", "7", "--frames", "40")
        self.finish("more", "--checkpoint-every", "7", "--resume")
        mine, theirs = self.content("more"), self.content("whole")
        mine.pop("sheet.png"), theirs.pop("sheet.png")  # chose other frames, not knowing that there would be more
        self.assertTrue(mine == theirs)

    def test_a_damaged_checkpoint_is_passed_over(self):
        self.finish("whole")
        self.finish("bad", "--checkpoint-every", "10", "--frames", "40")
        with open(self.path("bad", "f.checkpoint"), "r+b") as file:
            file.seek(5000)
            file.write(b"\xff\x00\xff\x13")
        said = self.finish("bad", "--checkpoint-every", "10", "--frames", "40", "--resume")
        self.assertIn("f.checkpoint: this snapshot is damaged or incomplete", said)

    def refused(self, code, *arguments):
        process = self.start(*arguments)
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, said)
        return said

    def test_refuses_what_would_not_be_the_same_run(self):
        self.finish("a", "--checkpoint-every", "10", "--frames", "20")
        said = self.refused(3, "a", "--resume", "--set", "cloths.sheet.damping=2")
        self.assertIn("another start: the scene, a --set, the --jitter or a mesh has changed", said)
        self.assertIn("was without -o a/new.obj", self.refused(3, "a", "--resume", "-o", "a/new.obj"))
        os.remove(self.path("a", "f.0003.ply"))
        self.assertIn("f.0003.ply' of the run to resume is missing", self.refused(5, "a", "--resume"))

    def test_refuses_outputs_that_cannot_be_resumed_at_once(self):
        said = self.refused(3, "p", "--checkpoint-every", "5", "-o", "p/video.mp4")
        self.assertIn("videos are written in one go", said)

    def test_stats_that_were_cut_off_are_mended(self):
        self.finish("whole")
        self.finish("cut", "--checkpoint-every", "10", "--frames", "20")
        with open(self.path("cut", "s.json"), "a") as file:
            file.write(',\n{"frame": 21, "ha')
        self.finish("cut", "--checkpoint-every", "10", "--resume")
        self.assertEqual(len(self.stats("cut")["frames"]), 241)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
