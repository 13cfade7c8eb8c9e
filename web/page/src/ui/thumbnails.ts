// Moving thumbnails: a second engine computes a second or two of each scene that is in sight, and one small renderer
// draws them all. Nothing is stored with the page. While scenes wait for their first picture, each gets but a moment; those
// that had too little of it to move come once more when all have one.

import { EngineClient } from "../engine/client";
import type { Layer, LayerData, Loaded } from "../engine/protocol";
import { cameraAt } from "../draw/camera";
import { findLooks } from "../draw/look";
import { Stage } from "../draw/stage";
import type { Theme } from "../draw/backdrop";
import type { View } from "../draw/framing";

interface Reel {
  layers: Layer[];
  frames: LayerData[][];
  view: View;
  fov: number | null; // the scene's own [deg]
  looks: ReturnType<typeof findLooks>;
  canvas: HTMLCanvasElement;
  name: string;
}

const width = 320, height = 220;
const longest = 75; // frames
const patience = 2500; // milliseconds of stepping a scene
const haste = 300; // while others wait for their first picture
const enough = 20; // frames that make a picture move
const longestLoad = 8000; // milliseconds for reading a scene, before it is given up

export class Thumbnails {
  private readonly engine = new EngineClient();
  private readonly stage: Stage;
  private readonly queue: { name: string; canvas: HTMLCanvasElement }[] = []; // for their first picture
  private readonly later: { name: string; canvas: HTMLCanvasElement }[] = []; // that were cut short
  private readonly reels = new Map<string, Reel>();
  private readonly started: Promise<unknown>;
  private running = false;
  private working = false;
  private turn = 0;
  private rested = 0; // when to paint again
  private shown: string | null = null;

  constructor(fast: boolean, module: WebAssembly.Module | null, private readonly onpaint: () => void) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    this.stage = new Stage(canvas, { shadows: !fast, environment: !fast, antialias: true, detail: false, ratio: 1 });
    this.stage.resize(width, height);
    this.started = this.engine.start(module, 1);
  }

  setTheme(theme: Theme): void {
    this.stage.setTheme(theme);
  }

  /** Asks for a scene; those asked for first are made first. */
  want(name: string, canvas: HTMLCanvasElement): void {
    const reel = this.reels.get(name);
    if (reel) reel.canvas = canvas;
    else if (!this.queue.some((wish) => wish.name === name)) this.queue.push({ name, canvas });
    void this.work();
  }

  run(on: boolean): void {
    if (this.running === on) return;
    this.running = on;
    if (!on) return;
    void this.work();
    const tick = (): void => {
      if (!this.running) return;
      this.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    await this.started.catch(() => undefined); // calls that follow fail, too
    while (this.running && this.queue.length + this.later.length) {
      const { name, canvas } = (this.queue.shift() ?? this.later.shift())!;
      await this.record(name, canvas).catch(() => canvas.parentElement?.classList.add("failed"));
    }
    this.working = false;
  }

  private async record(name: string, canvas: HTMLCanvasElement): Promise<void> {
    const { layers, frame, info } = await this.load(name);
    const looks = findLooks(layers, info.looks);
    this.stage.show(layers, looks, frame.layers);
    const key = cameraAt(info.camera, 0);
    if (key) this.stage.setFov(key.fov);
    const again = this.reels.has(name);
    const reel: Reel = { layers, frames: [frame.layers], view: key ?? this.stage.usualView(), fov: key?.fov ?? null, looks, canvas, name };
    this.reels.set(name, reel);
    this.shown = name;
    this.paint(reel, 0);
    const start = performance.now();
    const given = (): number => (this.queue.length && !again ? haste : patience);
    while (this.running && reel.frames.length < longest && performance.now() - start < given()) {
      const next = await this.engine.frame({ steps: 2, field: null, debug: [], stats: false, buffers: [] });
      if (next.trouble) break;
      reel.frames.push(next.layers);
    }
    if (!again && reel.frames.length < enough) this.later.push({ name, canvas });
  }

  /** Gives up what takes too long, so that the others have their turn. */
  private async load(name: string): Promise<Loaded> {
    const text = await this.engine.call("text", name);
    const timer = setTimeout(() => this.engine.stop(), longestLoad);
    return this.engine.call("load", { text, options: { source: name } }).finally(() => clearTimeout(timer));
  }

  /** As many as a few milliseconds allow, in turn. Where one takes far longer, the page needs some time for itself. */
  private draw(): void {
    const start = performance.now();
    if (start < this.rested) return;
    const reels = [...this.reels.values()].filter((reel) => reel.frames.length > 1 && isInSight(reel.canvas));
    for (let i = 0; i < reels.length && performance.now() - start < 7; ++i) {
      const reel = reels[this.turn++ % reels.length]!;
      const last = reel.frames.length - 1;
      const at = Math.floor((performance.now() / 1000) * 30) % (2 * last);
      this.paint(reel, at <= last ? at : 2 * last - at); // there and back again
    }
    const spent = performance.now() - start;
    this.rested = spent > 20 ? start + 3 * spent : 0;
  }

  private paint(reel: Reel, frame: number): void {
    if (this.shown !== reel.name) {
      this.stage.show(reel.layers, reel.looks, reel.frames[0]!);
      if (reel.fov) this.stage.setFov(reel.fov);
      this.shown = reel.name;
    }
    this.stage.update(reel.layers, reel.frames[frame]!);
    this.stage.look(reel.view);
    this.stage.render();
    const pen = reel.canvas.getContext("2d")!;
    pen.drawImage(this.stage.canvas, 0, 0, reel.canvas.width, reel.canvas.height);
    reel.canvas.parentElement?.classList.add("ready");
    this.onpaint();
  }
}

function isInSight(canvas: HTMLCanvasElement): boolean {
  const box = canvas.getBoundingClientRect();
  return box.width > 0 && box.bottom > 0 && box.top < innerHeight;
}
