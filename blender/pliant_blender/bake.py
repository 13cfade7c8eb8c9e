"""Bake and clear. The program runs beside Blender: Blender stays alive, and Esc stops it after a whole frame."""

import os
import re
import signal
import subprocess

import bpy

from . import cache, export, program
from .motion import ObjectError

KEY_PATH = re.compile(r"(?:^|[\s:])([a-z]+)/(\d+)((?:/[\w-]+)*): ([^\n]*)")


def folder_of(context):
    named = context.scene.pliant.folder
    if named.startswith("//") and not bpy.data.filepath:  # not saved yet
        named = os.path.join(bpy.app.tempdir, named[2:])
    path = os.path.abspath(bpy.path.abspath(named))
    os.makedirs(path, exist_ok=True)
    return path


def clear_errors(context):
    context.scene.pliant.error = ""
    for thing in context.scene.objects:
        thing.pliant.error = ""


def show_error(context, out, text):
    """At the object that the program speaks of, by its place in the scene or by its name; otherwise at the scene."""
    context.scene.pliant.error = text
    found = KEY_PATH.search(text)
    if found and out and found[1] in out.entries:
        thing = out.entries[found[1]][int(found[2])]
        key = found[3].strip("/")
        thing.pliant.error = f"{key}: {found[4]}" if key else found[4]
        context.scene.pliant.error = f"{thing.name}: {thing.pliant.error}"
        return
    for name, own in sorted(out.names.items(), key=lambda item: -len(item[1])) if out else ():
        if re.search(rf"(?<![\w-]){re.escape(own)}(?![\w-])", text.split("scene.json", 1)[-1]):
            context.scene.objects[name].pliant.error = text
            return


class Run:
    """The program at work on an exported scene."""

    def __init__(self, context, found):
        folder = folder_of(context)
        self.out = export.Writer(context, folder).write()
        self.frames = self.out.scene["frames"] + 1
        self.unit = export.unit_of(context)
        for thing in self.out.bodies:
            if os.path.exists(cache.written_path(self.out, thing)):
                os.remove(cache.written_path(self.out, thing))
        self.log_path = os.path.join(folder, "bake.log")
        self.log = open(self.log_path, "w", encoding="utf-8")
        command = [found, "run", self.out.path, "-o", os.path.join(folder, "cache.pc2"),
                   "--threads", str(program.preferences(context).threads)]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def done(self):
        """Frames that have been written."""
        head = cache.read_head(cache.written_path(self.out, self.out.bodies[0]))
        return head[1] if head else 0

    def stop(self):
        """What has been simulated is kept."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)

    def errors(self):
        self.log.close()
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file]
        return [line.split("error: ", 1)[1] for line in lines if "error: " in line] or lines[-1:]

    def attach(self, context):
        """Plays what there is; returns how many frames."""
        frames = 0
        for thing in self.out.bodies:
            if cache.read_head(cache.written_path(self.out, thing)):
                frames = cache.make_local_cache(self.out, thing, self.unit)
                cache.attach(context, thing, cache.played_path(self.out, thing))
        return frames


class PliantBake(bpy.types.Operator):
    """Simulate all marked objects over the frames of the scene. Esc stops and keeps what is done"""

    bl_idname = "pliant.bake"
    bl_label = "Bake"

    run = None
    timer = None
    stopped = False

    def start(self, context):
        clear_errors(context)
        found = program.find_program(context)
        try:
            if not found:
                raise ValueError(program.MISSING)
            self.run = Run(context, found)
        except ObjectError as error:
            error.thing.pliant.error = str(error)
            context.scene.pliant.error = f"{error.thing.name}: {error}"
        except (ValueError, OSError) as error:
            context.scene.pliant.error = str(error)
        if self.run is None:
            self.report({"ERROR"}, context.scene.pliant.error)
        return self.run is not None

    def finish(self, context):
        code = self.run.process.wait()
        errors = self.run.errors()
        context.scene.pliant.progress = 0
        frames = self.run.attach(context) if code in (0, 4) or self.stopped else 0
        if code != 0 and not self.stopped:
            show_error(context, self.run.out, errors[0] if errors else f"pliant ended with {code}")
            self.report({"ERROR"}, context.scene.pliant.error)
            return {"CANCELLED"}
        self.report({"INFO"}, f"{frames} frames in {self.run.out.folder}")
        return {"FINISHED"}

    def execute(self, context):
        """Without a window, or from a script: waits."""
        return self.finish(context) if self.start(context) else {"CANCELLED"}

    def invoke(self, context, event):
        if not self.start(context):
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(0.2, window=context.window)
        context.window_manager.progress_begin(0, self.run.frames)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.stopped = True
            self.run.stop()
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        done = self.run.done()
        context.scene.pliant.progress = 100 * done / self.run.frames
        context.window_manager.progress_update(done)
        context.workspace.status_text_set(f"Pliant: frame {done} of {self.run.frames}.  Esc: stop here")
        for area in context.screen.areas:
            area.tag_redraw()
        if self.run.process.poll() is None:
            return {"RUNNING_MODAL"}
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        return self.finish(context)


class PliantClear(bpy.types.Operator):
    """Take the baked motion off all objects and delete its files"""

    bl_idname = "pliant.clear"
    bl_label = "Clear"
    bl_options = {"UNDO"}

    def execute(self, context):
        clear_errors(context)
        for thing in context.scene.objects:
            path = cache.detach(thing)
            if path and os.path.exists(bpy.path.abspath(path)):
                os.remove(bpy.path.abspath(path))
        return {"FINISHED"}


CLASSES = (PliantBake, PliantClear)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)


def unregister():
    for each in CLASSES:
        bpy.utils.unregister_class(each)
