// The page: puts the parts together and says what happens when.

import type { Theme } from "./draw/backdrop";
import { readQuality } from "./draw/quality";
import { EngineClient, EngineError, EngineStopped } from "./engine/client";
import type { Loaded, Parameter, ParameterValue, Problem } from "./engine/protocol";
import { Live } from "./live";
import { Busy } from "./ui/busy";
import { Charts } from "./ui/charts";
import { Display } from "./ui/display";
import { h, iconButton } from "./ui/dom";
import type { Editor } from "./ui/editor";
import { readFiles, sceneForMesh, takeDrops } from "./ui/files";
import { Gallery, showpieces } from "./ui/gallery";
import { Panel } from "./ui/panel";
import { Parameters } from "./ui/parameters";
import { SaveTab } from "./ui/save_tab";
import { Served } from "./ui/served";
import { fromHash, toHash, type Shared } from "./ui/share";
import { Transport } from "./ui/transport";

export class App {
  private readonly query = new URLSearchParams(location.search);
  private readonly engine = new EngineClient();
  private readonly canvas = h("canvas", { class: "stage", tabindex: 0, "aria-label": "The scene. Drag a body to pull it, drag beside it to turn the view, arrow keys turn it too." });
  readonly live: Live;
  private readonly transport: Transport;
  private readonly display: Display;
  private readonly parameters = new Parameters((path, parameter, value) => this.change(path, parameter, value));
  private readonly charts = new Charts();
  private readonly panel: Panel;
  private readonly gallery: Gallery;
  private readonly title = h("h1", {}, "Pliant");
  private readonly about = h("p", {});
  private readonly notice = h("div", { class: "notice", role: "alert", hidden: true });
  private readonly editorBox = h("div", { class: "editor" });
  private readonly problems = h("ul", { class: "problems", role: "status" });
  private readonly writeButton = h("button", { type: "button", class: "wide", hidden: true, onclick: () => void this.writeServed() }, "Write the file (Ctrl+S)");
  private editor: Editor | null = null;
  private served: Served | null = null; // where the scene file is, if `pliant view` shows one
  private chosen = false; // somebody has opened a scene
  private scene = ""; // name of the built-in scene, empty for one's own
  private name = "scene"; // for files
  private text = "";
  private sets = new Map<string, string>();
  private files: Record<string, Uint8Array> = {};
  private readonly busy = new Busy(() => void this.cancelLoad());
  private loading: Promise<unknown> | null = null; // a scene that is under way
  private loaded = false; // there is one to go back to

  constructor(root: HTMLElement, lacks: string[]) {
    const quality = readQuality(this.query);
    this.transport = new Transport({
      play: (on) => this.play(on), step: () => this.step(), reset: () => void this.reset(), seek: (frame) => void this.seek(frame),
    });
    this.gallery = new Gallery((name) => void this.openScene(name), () => this.gallery.hide(), !quality.shadows);
    this.display = new Display(quality, () => this.live.refresh(), (on) => this.live.stage.bodies.showSurfaces(on), (scale) => {
      if (this.live) this.live.stage.shared.fieldScale.value = scale;
    });
    const save = new SaveTab(this.canvas, this.engine, () => this.live, {
      name: () => this.name, text: () => this.editor?.text ?? this.text, share: () => this.share(), open: (files) => this.openFiles(files), say: (text) => this.say(text),
    }, lacks);
    this.panel = new Panel([
      { id: "parameters", label: "Parameters", icon: "sliders", content: this.parameters.element },
      { id: "display", label: "Display", icon: "eye", content: this.display.element },
      { id: "graphs", label: "Graphs", icon: "graph", content: this.charts.element, onopen: () => this.live.refresh() },
      { id: "scene", label: "Scene", icon: "code", content: this.sceneTab(), onopen: () => void this.openEditor() },
      { id: "save", label: "Save and share", icon: "share", content: save.element },
    ]);
    root.append(this.canvas, this.header(), this.notice, this.busy.element, this.panel.element, this.transport.element, this.gallery.element);
    this.live = new Live(this.canvas, quality, this.engine);
    this.connect(root);
    this.setTheme((this.query.get("theme") as Theme | null) ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  }

  async start(): Promise<void> {
    try {
      const wanted = Number(this.query.get("threads") ?? Math.min(8, navigator.hardwareConcurrency || 1));
      const { scenes, module, threads } = await this.engine.start(null, Math.max(1, wanted));
      this.canvas.dataset.threads = String(threads);
      this.gallery.fill(scenes, module);
    } catch (error) {
      return this.say(`The engine does not start: ${messageOf(error)}`);
    }
    this.engine.onbreakdown = (message) => void this.recover(message);
    await this.openAddress();
    if (this.loaded || this.chosen) return;
    if (this.query.get("gallery") !== "0") {
      this.gallery.show();
      await this.gallery.painted;
    }
    // Behind the gallery, so that closing it shows something. What is wrong with the address stays to be read.
    if (!this.loaded && !this.chosen) await this.load({ scene: showpieces[0]! }, false, this.notice.textContent ?? "");
  }

  /** What the address asks for, if it asks for anything. */
  private async openAddress(): Promise<void> {
    try {
      const shared = await fromHash(location.hash);
      if (shared?.view_token) await this.openServed(new Served(shared.view_token));
      else if (shared) await this.openShared(shared);
      else if (this.loaded) this.gallery.show();
    } catch (error) {
      this.say(messageOf(error));
    }
  }

  /** The engine has broken down; a new one goes on with what was there. */
  private async recover(message: string): Promise<void> {
    const text = `The engine broke down (${message}) and was started again.`;
    this.live.empty();
    if (this.loaded) await this.goBack(text);
    else this.say(text);
  }

  private async cancelLoad(): Promise<void> {
    this.dropEngine();
    if (!this.loaded) return this.gallery.show();
    history.replaceState(null, "", `#${await toHash(this.shared())}`);
    await this.goBack("");
  }

  /** To the start of what was there before. */
  private async goBack(note: string): Promise<void> {
    this.loaded = false; // once: what breaks the engine again is not tried for ever
    await this.load(this.shared(this.live.view()), false, note);
  }

  // ------------------------------------------------------------------------------------------------------ scenes

  private async openScene(name: string): Promise<void> {
    this.chosen = true;
    this.gallery.hide();
    history.pushState(null, "", `#scene=${encodeURIComponent(name)}`);
    await this.load({ scene: name }, true);
    this.canvas.focus({ preventScroll: true });
  }

  private async openShared(shared: Shared): Promise<void> {
    this.gallery.hide();
    if (shared.speed) this.transport.setSpeed(shared.speed);
    await this.load(shared, this.query.get("paused") !== "1");
  }

  /** Waits for a scene that the engine was asked for, after giving up one that is still on its way. */
  private async wait<T>(name: string, ask: () => Promise<T>): Promise<T> {
    if (this.loading) this.dropEngine();
    const loading = ask();
    this.loading = loading;
    this.busy.begin(`Loading ${name.replace(/_/g, " ")}`);
    try {
      return await loading;
    } finally {
      if (this.loading === loading) {
        this.loading = null;
        this.busy.end();
      }
    }
  }

  private async read(shared: Shared): Promise<Loaded & { text: string }> {
    const text = shared.text ?? (await this.engine.call("text", shared.scene ?? ""));
    return { ...(await this.engine.call("load", { text, options: { source: shared.scene ?? this.name, sets: shared.sets ?? [], files: this.files } })), text };
  }

  private dropEngine(): void {
    this.live.empty();
    this.engine.stop();
  }

  /** Loads a scene and says whether it worked. If it does not, the old one goes on. `note`: to be said beside what the engine says. */
  private async load(shared: Shared, play: boolean, note = ""): Promise<boolean> {
    try {
      const loaded = await this.wait(shared.scene ?? this.name, () => this.read(shared));
      const { text } = loaded;
      this.loaded = true;
      this.scene = shared.text === undefined ? shared.scene ?? "" : "";
      this.name = this.scene || loaded.info.name || "scene";
      this.text = text;
      this.sets = new Map((shared.sets ?? []).map((set) => [set.slice(0, set.indexOf("=")), set]));
      this.showLoaded(loaded, shared.view ?? null);
      this.transport.setFrames(0);
      if (this.editor && this.editor.text !== text) this.editor.text = text;
      this.showProblems([]);
      this.say([note, ...loaded.info.warnings].filter((line) => line).join("\n"));
      this.play(play);
      return true;
    } catch (error) {
      if (error instanceof EngineStopped) return false; // something else was asked for meanwhile
      this.showProblems(error instanceof EngineError && error.problems.length ? error.problems
        : [{ file: "", line: 0, column: 0, path: "", message: messageOf(error) }]);
      if (this.loaded && this.live.isEmpty) await this.goBack(this.notice.textContent ?? "");
      return false;
    }
  }

  private showLoaded(loaded: Loaded, view: number[] | null): void {
    this.title.textContent = loaded.info.name.replace(/_/g, " ");
    this.about.textContent = loaded.info.about;
    document.title = `${this.title.textContent} — Pliant`;
    this.charts.clear();
    this.parameters.show(loaded.tables);
    this.live.show(loaded, view);
    this.canvas.dataset.scene = loaded.info.name;
  }

  private showProblems(problems: Problem[]): void {
    this.problems.replaceChildren(...problems.map((problem) =>
      h("li", {}, problem.line ? `line ${problem.line}: ` : "", problem.path ? `${problem.path}: ` : "", problem.message)));
    this.editor?.mark(problems);
    const seen = this.panel.current === "scene"; // they stand in the list, and at their lines
    this.say(problems.length && !seen ? `The scene has ${problems.length === 1 ? "a mistake" : `${problems.length} mistakes`}: ${problems[0]!.message}` : "");
  }

  // ---------------------------------------------------------------------------------------------------- controls

  private play(on: boolean): void {
    this.live.playing = on;
    this.transport.setPlaying(on);
  }

  private step(): void {
    this.live.step();
    this.transport.setPlaying(false);
  }

  private async reset(): Promise<void> {
    await this.engine.call("reset", undefined).catch((error: Error) => this.say(error.message));
    for (const set of this.sets.values()) {
      const at = set.indexOf("=");
      await this.engine.call("set", { path: set.slice(0, at), value: JSON.parse(set.slice(at + 1)) as ParameterValue }).catch(() => undefined);
    }
    this.live.hand.forget();
    this.charts.clear();
    this.live.refresh();
  }

  private async seek(frame: number): Promise<void> {
    this.play(false);
    await this.engine.call("seek", frame);
    this.live.refresh();
  }

  private async change(path: string, parameter: Parameter, value: ParameterValue): Promise<string | null> {
    const set = `${path}=${JSON.stringify(value)}`;
    try {
      if (parameter.live) await this.engine.call("set", { path, value });
      else {
        const sets = [...this.sets.values()].filter((other) => !other.startsWith(`${path}=`)).concat(set);
        if (!(await this.load({ scene: this.scene || undefined, text: this.scene ? undefined : this.text, sets, view: this.live.view() }, this.live.playing))) return "not allowed";
      }
      this.sets.set(path, set);
      this.live.refresh();
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  private connect(root: HTMLElement): void {
    this.live.wishes = () => ({
      field: this.display.field, debug: [...this.display.debug], stats: this.panel.current === "graphs", speed: this.transport.speed,
    });
    this.live.onframe = (frame, milliseconds, dt) => {
      this.transport.show(frame.frame, frame.time, milliseconds, dt);
      this.transport.setPlaying(this.live.playing);
      this.canvas.dataset.frame = String(frame.frame);
      if (frame.difference !== null) this.showReplay(frame.frame, frame.difference, frame.ended);
    };
    this.live.onstats = (stats) => {
      stats.forEach((one) => this.charts.add(one));
      this.charts.draw();
    };
    this.live.ontrouble = (text) => {
      this.play(false);
      this.say(text);
    };
    this.live.hand.onchange = (held) => (this.canvas.dataset.held = held ?? "");
    this.panel.onchange = () => {
      document.body.classList.toggle("with-panel", this.panel.current !== null);
      const { offsetWidth, offsetHeight } = this.panel.element; // 0 while it is closed
      document.body.style.setProperty("--panel", `${offsetWidth + 12}px`);
      this.live.makeRoom(innerWidth <= 720 ? offsetHeight : offsetWidth && offsetWidth + 12);
    };
    takeDrops(root, (files) => this.openFiles(files));
    window.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("popstate", () => void this.openAddress());
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, .cm-editor")) return;
    const turn = 0.08;
    const keys: Record<string, () => void> = {
      " ": () => this.play(!this.live.playing), ".": () => this.step(), r: () => void this.reset(), f: () => this.live.goHome(),
      g: () => (this.gallery.isOpen ? this.gallery.hide() : this.gallery.show()), Escape: () => (this.gallery.isOpen ? this.gallery.hide() : this.panel.current && this.panel.toggle(null)),
      p: () => this.panel.toggle("parameters"), e: () => this.panel.toggle("scene"),
      ArrowLeft: () => this.live.turn(-turn, 0), ArrowRight: () => this.live.turn(turn, 0), ArrowUp: () => this.live.turn(0, turn), ArrowDown: () => this.live.turn(0, -turn),
    };
    const action = keys[event.key];
    if (!action || (event.key === " " && target.closest("button, summary"))) return;
    if (event.key.startsWith("Arrow") && target !== this.canvas && target !== document.body) return;
    event.preventDefault();
    action();
  }

  private setTheme(theme: Theme): void {
    document.documentElement.dataset.theme = theme;
    this.live.stage.setTheme(theme);
    this.gallery.setTheme(theme);
  }

  private say(text: string): void {
    this.notice.hidden = text === "";
    const whole = h("button", { type: "button", class: "text", onclick: () => this.notice.classList.toggle("whole") }, text);
    this.notice.classList.remove("whole"); // a few lines of it, all of it with a click
    this.notice.replaceChildren(whole, iconButton("close", "Close", () => (this.notice.hidden = true)));
  }

  // ------------------------------------------------------------------------------------------------------- parts

  private header(): HTMLElement {
    const dark = iconButton("moon", "Dark or light", () => this.setTheme(this.live.stage.theme === "dark" ? "light" : "dark"));
    return h("header", { class: "bar" },
      iconButton("grid", "Gallery (G)", () => this.gallery.show()), h("div", { class: "names" }, this.title, this.about),
      iconButton("home", "View of the start (F)", () => this.live.goHome()), dark, this.panel.buttons);
  }

  private sceneTab(): HTMLElement {
    const run = h("button", { type: "button", class: "wide main", onclick: () => void this.runText() }, "Run (Ctrl+Enter)");
    return h("div", { class: "scene-tab" }, h("div", { class: "row" }, run, this.writeButton), this.problems, this.editorBox);
  }

  private async openEditor(): Promise<void> {
    if (this.editor) return;
    const { Editor } = await import("./ui/editor");
    this.editor = new Editor(this.editorBox, () => void this.runText());
    this.editor.setSchema(await this.engine.call("schema", undefined));
    this.editor.text = this.text;
  }

  private async runText(): Promise<void> {
    if (!this.editor) return;
    const text = this.editor.text;
    if (await this.load(text === this.text && this.scene ? { scene: this.scene } : { text }, true)) history.replaceState(null, "", `#${await toHash(this.shared())}`);
  }

  private shared(view?: number[]): Shared {
    const sets = [...this.sets.values()];
    return { ...(this.scene ? { scene: this.scene } : { text: this.text }), ...(sets.length ? { sets } : {}), ...(view ? { view } : {}) };
  }

  private async share(): Promise<void> {
    const hash = await toHash({ ...this.shared(this.live.view()), ...(this.transport.speed === 1 ? {} : { speed: this.transport.speed }) });
    history.replaceState(null, "", `#${hash}`);
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    const left = Object.keys(this.files).filter((name) => this.text.includes(`"${name}"`));
    this.say(`The address of this page is now a link to what you see${copied ? ", and in the clipboard" : ": copy it from the address bar"}.`
      + (left.length ? ` It does not carry ${left.join(", ")}: whoever opens it needs to drop that, too.` : ""));
  }

  // ------------------------------------------------------------------------------------------------------- files

  private openFiles(files: File[]): void {
    this.gallery.hide();
    void this.takeFiles(files).catch((error: Error) => this.say(error.message));
  }

  private async takeFiles(files: File[]): Promise<void> {
    const dropped = await readFiles(files);
    Object.assign(this.files, dropped.meshes);
    if (dropped.state) return this.openState(dropped.state);
    if (dropped.recording) return this.openRecording(dropped.recording);
    if (dropped.scene) {
      this.name = dropped.scene.name;
      if (await this.load({ text: dropped.scene.text }, true)) return;
      this.panel.show("scene"); // with its mistakes
      await this.openEditor();
      this.editor!.text = dropped.scene.text;
      return;
    }
    const mesh = Object.keys(dropped.meshes)[0];
    if (!mesh) return;
    this.name = mesh.replace(/\.[^.]*$/, "");
    const asked = this.text.includes(`"${mesh}"`);
    if (asked && (await this.load(this.shared(), true))) return;
    if (await this.load({ text: sceneForMesh(mesh, false) }, true)) return;
    if (await this.load({ text: sceneForMesh(mesh, true) }, true)) return; // not closed: a sheet
    this.say(this.problems.textContent ?? "");
  }

  /** What `pliant view` was asked to show, and again whenever it changes. */
  private async openServed(served: Served): Promise<void> {
    const shown = await served.read();
    this.served = shown.kind === "scene" ? served : null;
    this.writeButton.hidden = !this.served;
    Object.assign(this.files, shown.files);
    this.name = shown.name || this.name;
    if (shown.kind === "gallery") this.gallery.show();
    else if (shown.kind === "builtin") await this.load({ scene: shown.name }, true);
    else if (shown.kind === "recording") await this.openRecording(shown.text);
    else if (!(await this.load({ text: shown.text }, true))) {
      this.panel.show("scene");
      await this.openEditor();
      this.editor!.text = shown.text;
    }
    served.watch(() => void this.openServed(served).catch((error: Error) => this.say(error.message)));
  }

  private async writeServed(): Promise<void> {
    if (!this.editor || !this.served) return;
    await this.served.write(this.editor.text).then(() => this.say("The file is written."), (error: Error) => this.say(error.message));
    await this.runText();
  }

  private async openState(bytes: Uint8Array): Promise<void> {
    this.play(false);
    await this.engine.call("openSnapshot", bytes);
    this.live.hand.forget();
    this.charts.clear();
    this.live.refresh();
  }

  private async openRecording(json: string): Promise<void> {
    try {
      const loaded = await this.wait("recording", () => this.engine.call("replay", json));
      this.gallery.hide();
      this.text = "";
      this.showLoaded(loaded, null);
      this.transport.setFrames(loaded.frames);
      this.play(true);
    } catch (error) {
      if (!(error instanceof EngineStopped)) this.say(messageOf(error));
    }
  }

  private showReplay(frame: number, difference: number, ended: boolean): void {
    this.canvas.dataset.difference = String(difference);
    if (difference >= 0) this.say(`The replay differs from the recording from frame ${difference} on.`);
    else this.say(ended ? `Replayed to its end: the hashes of all ${frame} frames are equal.` : `Replay, frame ${frame}: all hashes equal so far.`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
