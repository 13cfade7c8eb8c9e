// Plays a recorded page: scrubbing, speed, graphs, orbit. The picture is drawn by the code of the live page.

import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { cameraAt } from "../draw/camera";
import { findLooks } from "../draw/look";
import { readQuality } from "../draw/quality";
import { Stage } from "../draw/stage";
import type { Layer, LayerData } from "../engine/protocol";
import { h, icon, iconButton } from "../ui/dom";
import { EnergyGraph } from "../ui/energy";
import { Graph } from "../ui/graphs";
import { FrameReader, readLayers, type PlayerFile } from "./data";
import { computeNormals, Tubes } from "./surfaces";

export class Player {
  private readonly canvas = h("canvas", { class: "stage", tabindex: 0, "aria-label": "The recorded scene; drag to turn it" });
  private readonly stage: Stage;
  private readonly controls: OrbitControls;
  private reader!: FrameReader;
  private readonly bar: HTMLInputElement;
  private readonly readout = h("output", {});
  private readonly playButton: HTMLButtonElement;
  private readonly speed = h("select", { "aria-label": "Speed" }, ...[0.1, 0.25, 0.5, 1, 2].map((s) => h("option", { value: s, selected: s === 1 }, `${s} ×`)));
  private readonly followButton = iconButton("home", "Back to the camera of the scene", () => this.follow(true));
  private readonly graphs: Graph[] = [];
  private readonly drawer = h("aside", { class: "player-graphs", hidden: true });
  private layers: Layer[] = []; // as they are drawn
  private tubes: (Tubes | null)[] = [];
  private time = 0; // [frames]
  private shown = -1;
  private following = false;
  private playing = true;
  private last = 0;

  constructor(root: HTMLElement, private readonly file: PlayerFile) {
    document.title = `${file.name} — Pliant`;
    const theme = new URLSearchParams(location.search).get("theme") === "dark" ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
    const bare = new URLSearchParams(location.search).get("bare") === "1"; // the picture alone
    document.body.classList.toggle("bare", bare);
    this.bar = h("input", { type: "range", min: 0, max: file.frames - 1, step: 1, value: 0, "aria-label": "Frame", oninput: () => this.seek(Number(this.bar.value)) });
    this.playButton = iconButton("pause", "Play or pause (space)", () => this.play(!this.playing));
    this.playButton.classList.add("main");
    root.append(this.canvas, h("div", { class: "player-title" }, h("h1", {}, file.name.replace(/_/g, " ")), h("p", {}, file.about)),
      h("div", { class: "player-tools" }, this.followButton, iconButton("moon", "Dark or light", () => this.toggleTheme()), iconButton("graph", "Graphs", () => this.toggleGraphs())),
      this.drawer, h("div", { class: "player-bar" }, this.playButton, this.bar, this.speed, this.readout));
    this.stage = new Stage(this.canvas, readQuality(new URLSearchParams(location.search)));
    this.stage.setTheme(theme);
    if (!bare) this.stage.setInsets({ top: 56, right: 0, bottom: 68 });
    this.controls = new OrbitControls(this.stage.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.maxPolarAngle = 0.53 * Math.PI;
    this.canvas.addEventListener("pointerdown", () => this.follow(false));
    this.canvas.addEventListener("wheel", () => this.follow(false), { passive: true });
    window.addEventListener("keydown", (event) => this.key(event));
  }

  start(): void {
    const { layers, start } = readLayers(this.file);
    this.reader = new FrameReader(this.file, start);
    this.tubes = layers.map((layer) => (layer.primitive === "lines" ? new Tubes(layer) : null));
    this.layers = layers.map((layer, i) => this.tubes[i]?.layer ?? layer);
    new ResizeObserver(() => this.stage.resize(this.canvas.clientWidth, this.canvas.clientHeight)).observe(this.canvas);
    this.stage.resize(this.canvas.clientWidth, this.canvas.clientHeight);
    const first = this.surfaces(0);
    this.stage.show(this.layers, findLooks(this.layers, this.file.looks), first);
    const view = this.stage.usualView();
    this.stage.look(view);
    this.controls.target.copy(view.target);
    this.follow(this.file.camera.length > 0);
    this.moveCamera();
    this.controls.update();
    this.makeGraphs();
    requestAnimationFrame((now) => this.tick(now));
  }

  private surfaces(frame: number): LayerData[] {
    return this.reader.frame(frame).map((layer, i) => {
      const tubes = this.tubes[i];
      if (tubes) return tubes.surface(layer);
      const { primitive, indices } = this.layers[i]!;
      return { ...layer, normals: primitive === "triangles" ? computeNormals(layer.positions!, indices) : null };
    });
  }

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const passed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (this.playing) this.time = (this.time + (passed * Number(this.speed.value)) / this.file.dt) % this.file.frames;
    const frame = Math.min(this.file.frames - 1, Math.floor(this.time));
    if (frame !== this.shown) this.show(frame);
    this.moveCamera();
    this.controls.update();
    this.stage.render();
  }

  private show(frame: number): void {
    this.stage.update(this.layers, this.surfaces(frame));
    this.shown = frame;
    this.bar.value = String(frame);
    this.canvas.dataset.frame = String(frame);
    this.readout.textContent = `${(frame * this.file.dt).toFixed(2)} s`;
    if (!this.drawer.hidden) this.graphs.forEach((graph) => graph.draw(frame));
  }

  /** Whether the camera goes along the path of the scene; a hand on the picture takes it off. */
  private follow(on: boolean): void {
    this.following = on;
    this.followButton.hidden = on || !this.file.camera.length;
  }

  private moveCamera(): void {
    const view = this.following ? cameraAt(this.file.camera, this.time * this.file.dt) : null;
    if (!view) return;
    this.stage.setFov(view.fov);
    this.stage.look(view);
    this.controls.target.copy(view.target);
  }

  private seek(frame: number): void {
    this.play(false);
    this.time = Math.min(this.file.frames - 1, Math.max(0, frame));
  }

  private play(on: boolean): void {
    this.playing = on;
    this.playButton.replaceChildren(icon(on ? "pause" : "play"));
  }

  private makeGraphs(): void {
    const { stats } = this.file;
    const energy = new EnergyGraph(0), strain = new Graph("Largest strain", "1", false, 0), effort = new Graph("Contacts and substeps", "1", false, 0);
    stats.time.forEach((_, i) => {
      energy.addFrame(stats.kinetic_energy[i] ?? 0, stats.potential_energy[i] ?? 0);
      strain.add(Object.fromEntries(Object.entries(stats.max_strain).slice(0, 8).map(([name, values]) => [name, values[i] ?? 0])));
      effort.add({ contacts: stats.contacts[i] ?? 0, substeps: stats.substeps[i] ?? 0 });
    });
    this.graphs.push(energy, strain, effort);
    this.drawer.append(...this.graphs.map((graph) => graph.element));
  }

  private toggleGraphs(): void {
    this.drawer.hidden = !this.drawer.hidden;
    if (!this.drawer.hidden) this.graphs.forEach((graph) => graph.draw(this.shown));
  }

  private toggleTheme(): void {
    const theme = this.stage.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    this.stage.setTheme(theme);
  }

  private key(event: KeyboardEvent): void {
    if (event.key === " " && !(event.target as HTMLElement).closest("button, select")) this.play(!this.playing);
    else if (event.key === "." || event.key === "ArrowRight") this.seek(this.shown + 1);
    else if (event.key === "," || event.key === "ArrowLeft") this.seek(this.shown - 1);
    else return;
    event.preventDefault();
  }
}
