// A running scene: asks the Worker for frames, draws them, and keeps the clock. One request is under way at a time.

import { Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { cameraAt, type CameraView } from "./draw/camera";
import { findLooks } from "./draw/look";
import { Overlay } from "./draw/overlay";
import type { Quality } from "./draw/quality";
import { Stage } from "./draw/stage";
import type { View } from "./draw/framing";
import { EngineStopped, type EngineClient } from "./engine/client";
import type { DebugKind, FieldKind, FrameData, FrameStats, Layer, LayerData, Loaded } from "./engine/protocol";
import { Hand } from "./ui/hand";

export interface Wishes {
  field: FieldKind | null;
  debug: DebugKind[];
  stats: boolean;
  speed: number;
}

const patience = 30; // milliseconds of stepping for one picture

export class Live {
  readonly stage: Stage;
  readonly controls: OrbitControls;
  readonly hand: Hand;
  onframe: (frame: FrameData, milliseconds: number, dt: number) => void = () => undefined;
  onstats: (stats: FrameStats[]) => void = () => undefined;
  ontrouble: (text: string) => void = () => undefined;
  wishes: () => Wishes = () => ({ field: null, debug: [], stats: false, speed: 1 });
  playing = false;
  time = 0; // of what is drawn [s]
  private readonly overlay = new Overlay();
  private layers: Layer[] = [];
  private data: LayerData[] = []; // drawn now
  private spare: LayerData[] = []; // drawn before: goes back to the Worker
  private generation = 0; // counts scenes: frames of an old one are dropped
  private busy = false;
  private stale = false; // the picture should be asked for again without a step
  private single = false; // one step is wanted
  private owed = 0; // [s] of simulation that is due
  private last = 0;
  private dt = 1 / 60;
  private milliseconds = 0; // of a step, smoothed
  private key: CameraView | null = null; // the scene's own camera
  private covered = 0; // by a panel, in pixels

  constructor(canvas: HTMLCanvasElement, quality: Quality, private readonly engine: EngineClient) {
    this.stage = new Stage(canvas, quality);
    this.controls = new OrbitControls(this.stage.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.53 * Math.PI;
    this.hand = new Hand(canvas, this.stage.camera, this.controls, engine, () => (this.layers.length ? { layers: this.layers, data: this.data } : null));
    this.stage.scene.add(this.overlay.group, this.hand.mark);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    requestAnimationFrame((now) => this.tick(now));
  }

  show(loaded: Loaded, view: number[] | null): void {
    ++this.generation;
    this.layers = loaded.layers;
    this.data = loaded.frame.layers;
    this.spare = [];
    this.dt = loaded.info.dt;
    this.owed = this.milliseconds = 0;
    this.hand.forget();
    this.stage.show(this.layers, findLooks(this.layers, loaded.info.looks), this.data);
    this.key = cameraAt(loaded.info.camera, 0);
    if (this.key) this.stage.setFov(this.key.fov);
    if (view?.length === 6) this.go({ eye: new Vector3(...view.slice(0, 3)), target: new Vector3(...view.slice(3)) });
    else this.goHome();
    this.controls.minDistance = 0.02 * this.stage.size();
    this.controls.maxDistance = 12 * this.stage.size();
    this.time = loaded.frame.time;
    this.onframe(loaded.frame, 0, this.dt);
    this.refresh();
  }

  /** Asks for no frames until there is a scene again; the picture stays. */
  empty(): void {
    ++this.generation;
    this.layers = [];
    this.hand.forget();
  }

  get isEmpty(): boolean {
    return this.layers.length === 0;
  }

  /** Back to the view of the start. */
  goHome(): void {
    if (!this.isEmpty) this.go(this.home());
  }

  private home(): View {
    return this.key ?? this.stage.usualView();
  }

  view(): number[] {
    return [...this.stage.camera.position.toArray(), ...this.controls.target.toArray()].map((value) => Number(value.toPrecision(5)));
  }

  /** Turns about the target; for keys. */
  turn(azimuth: number, elevation: number): void {
    const offset = this.stage.camera.position.clone().sub(this.controls.target);
    const radius = offset.length();
    const around = Math.atan2(offset.x, offset.z) + azimuth;
    const up = Math.min(1.5, Math.max(-0.1, Math.asin(offset.y / radius) + elevation));
    offset.set(radius * Math.cos(up) * Math.sin(around), radius * Math.sin(up), radius * Math.cos(up) * Math.cos(around));
    this.stage.camera.position.copy(this.controls.target).add(offset);
  }

  step(): void {
    this.playing = false;
    this.single = true;
  }

  /** Shows the state again: something else is to be seen of it, or it was changed. */
  refresh(): void {
    this.stale = true;
  }

  draw(): void {
    this.stage.render();
  }

  /** The mean of a body's vertices as they are drawn [m]; null if there is no such body. */
  center(name: string): Vector3 | null {
    const x = this.data[this.layers.findIndex((layer) => layer.name === name)]?.positions;
    if (!x?.length) return null;
    const sum = new Vector3();
    for (let i = 0; i < x.length; i += 3) sum.add(new Vector3(x[i], x[i + 1], x[i + 2]));
    return sum.multiplyScalar(3 / x.length);
  }

  /** Where a point is on the page, in pixels. */
  onScreen(point: Vector3): [number, number] {
    const { x, y } = point.clone().project(this.stage.camera);
    const box = this.stage.canvas.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * x) * box.width, box.top + (0.5 - 0.5 * y) * box.height];
  }

  private go(view: View): void {
    this.controls.target.copy(view.target);
    this.stage.look(view);
    this.controls.update();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.stage.canvas;
    if (!clientWidth || !clientHeight) return;
    this.stage.resize(clientWidth, clientHeight);
    this.makeRoom(this.covered);
  }

  /** What is looked at stays in the middle of what controls leave of the picture; `panel`: pixels that an open one covers. */
  makeRoom(panel: number): void {
    this.covered = panel;
    const atHome = !this.isEmpty && this.home().eye.distanceTo(this.stage.camera.position) < 1e-3 * this.stage.size();
    const phone = this.stage.canvas.clientWidth <= 720; // panels come from below
    this.stage.setInsets({ top: 66, right: phone ? 0 : panel, bottom: phone ? 124 + panel : 70 });
    if (atHome) this.goHome(); // fits into the other part, too
  }

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const passed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    const running = this.playing || this.hand.holds;
    if (running) this.owed = Math.min(this.owed + passed * this.wishes().speed, 4 * this.dt + 0.02);
    if (!this.busy && this.layers.length) this.ask(running);
    this.controls.update();
    this.stage.render();
  }

  private ask(running: boolean): void {
    let steps = 0;
    if (this.single) steps = 1;
    else if (running) steps = Math.min(Math.floor(this.owed / this.dt), Math.max(1, Math.floor(patience / Math.max(1, this.milliseconds))));
    if (steps === 0 && !this.stale) return;
    this.owed -= this.single ? 0 : steps * this.dt;
    this.single = this.stale = false;
    void this.request(steps);
  }

  private async request(steps: number): Promise<void> {
    this.busy = true;
    const { generation } = this;
    const { field, debug, stats } = this.wishes();
    const buffers = this.spare;
    this.spare = [];
    try {
      this.hand.send();
      const frame = await this.engine.frame({ steps, field, debug, stats, buffers });
      if (generation === this.generation) this.take(frame, steps);
    } catch (error) {
      if (generation === this.generation && !(error instanceof EngineStopped)) {
        this.playing = false;
        this.ontrouble(error instanceof Error ? error.message : String(error));
      }
    }
    this.busy = false;
  }

  private take(frame: FrameData, steps: number): void {
    if (steps) this.milliseconds = this.milliseconds ? 0.9 * this.milliseconds + 0.1 * frame.milliseconds : frame.milliseconds;
    const before = this.data;
    // Layers that do not move have no buffers of their own in a frame: keep those that are there.
    this.data = frame.layers.map((layer, i) => ({
      positions: layer.positions ?? before[i]!.positions, normals: layer.normals ?? before[i]!.normals, field: layer.field ?? null,
    }));
    this.spare = frame.layers.map((layer, i) => (layer.positions ? before[i]! : { positions: null, normals: null, field: null }));
    this.stage.shared.fieldOn.value = this.wishes().field ? 1 : 0;
    this.time = frame.time;
    this.stage.update(this.layers, frame.layers);
    this.overlay.update(frame.debug);
    this.onframe(frame, this.milliseconds, this.dt);
    if (frame.stats.length) this.onstats(frame.stats);
    if (frame.ended) this.playing = false;
    if (frame.trouble) this.ontrouble(frame.trouble);
  }
}
