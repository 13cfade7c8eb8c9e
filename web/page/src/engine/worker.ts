// The Worker: the engine and one session of it.

import { compileEngine, loadEngine, PliantError, type Engine, type Replay, type Session } from "@pliant/engine";
import wasmUrl from "@pliant/engine/pliant.wasm?url";
import type { Answer, Ask, Calls, CallName, FrameData, FrameRequest, LayerData, Loaded } from "./protocol";

let engine: Engine;
let session: Session | null = null;
let replay: Replay | null = null;
let kept: number | null = null; // the snapshot that the page can go back to
let still: (Float32Array | null)[] = []; // of layers that do not move: what the page has already
let layerCount = 0;

function current(): Session {
  if (!session) throw new Error("no scene is loaded");
  return session;
}

/** Drops what is loaded; its memory is for the next scene. */
function close(): void {
  if (replay) replay.close();
  else session?.close();
  session = null;
  replay = null;
  kept = null;
}

function readLayer(s: Session, index: number, request: FrameRequest, triangles: boolean, scenery: boolean): LayerData {
  const old = request.buffers[index];
  const positions = s.positions(index, old?.positions ?? undefined);
  const before = still[index];
  const unmoved = scenery && before?.length === positions.length && before.every((value, i) => value === positions[i]);
  if (scenery && !unmoved) still[index] = positions.slice();
  return {
    positions: unmoved ? null : positions,
    normals: unmoved || !triangles ? null : s.normals(index, old?.normals ?? undefined),
    field: request.field && !scenery ? s.field(index, request.field, old?.field ?? undefined) : null,
  };
}

let shapes: { triangles: boolean; scenery: boolean }[] = [];

function advance(s: Session, request: FrameRequest): Pick<FrameData, "trouble" | "milliseconds" | "stats" | "ended"> {
  let spent = 0;
  const stats: FrameData["stats"] = [];
  for (let i = 0; i < request.steps; ++i) {
    const start = performance.now();
    if (replay) {
      if (!replay.step()) return { trouble: null, milliseconds: 0, stats, ended: true };
    } else {
      const report = s.step();
      if (report.trouble) return { trouble: report.trouble, milliseconds: 0, stats, ended: true };
    }
    spent += performance.now() - start;
    if (request.stats) stats.push(s.stats());
  }
  return { trouble: null, milliseconds: spent / Math.max(1, request.steps), stats, ended: false };
}

function makeFrame(request: FrameRequest): FrameData {
  const s = current();
  const report = advance(s, request);
  const layers: LayerData[] = [];
  for (let i = 0; i < layerCount; ++i) layers.push(readLayer(s, i, request, shapes[i]!.triangles, shapes[i]!.scenery));
  return {
    ...report,
    frame: s.frame,
    time: s.time,
    layers,
    debug: request.debug.map((kind) => s.debug(kind)),
    difference: replay ? replay.firstDifference ?? -1 : null,
  };
}

function open(s: Session, start: number): Loaded {
  session = s;
  const layers = s.layers({ rods: "tubes" });
  layerCount = layers.length;
  shapes = layers.map((layer) => ({ triangles: layer.primitive === "triangles", scenery: layer.scenery }));
  still = layers.map(() => null);
  const frame = makeFrame({ steps: 0, field: null, debug: [], stats: false, buffers: [] });
  return { info: s.info, layers, tables: s.parameters(), frame, milliseconds: performance.now() - start };
}

const calls: { [N in CallName]: (argument: Calls[N][0]) => Calls[N][1] | Promise<Calls[N][1]> } = {
  async start({ module: given, threads }) {
    const shared = self.crossOriginIsolated;
    const module = given ?? (shared ? await compileEngine({ wasm: wasmUrl, shared })
      : await WebAssembly.compileStreaming(fetch(wasmUrl)).catch(() => compileEngine({ wasm: wasmUrl })));
    engine = await loadEngine({ wasm: module, shared, threads: shared ? threads : 1 });
    return { version: engine.version, scenes: engine.scenes(), module, threads: engine.threads };
  },
  schema: () => engine.schema(),
  text: (name) => engine.sceneText(name),
  load({ text, options }) {
    const start = performance.now();
    const next = engine.load(text, options); // throws before anything is dropped: the page goes on with what it has
    close();
    return open(next, start);
  },
  replay(json) {
    const start = performance.now();
    const next = engine.openRecording(json);
    close();
    replay = next;
    return { ...open(next.session, start), frames: next.frames };
  },
  seek(frame) {
    replay?.seek(frame);
    return null;
  },
  frame: makeFrame,
  reset() {
    if (replay) replay.seek(0);
    else current().reset();
    return null;
  },
  grab({ origin, direction }) {
    const pick = current().pick(origin, direction);
    return { pick, grab: pick && !replay ? current().grab(pick) : null };
  },
  drag({ grab, target }) {
    current().drag(grab, target);
    return null;
  },
  release(grab) {
    current().release(grab);
    return null;
  },
  set({ path, value }) {
    current().set(path, value);
    return current().parameters();
  },
  save() {
    if (kept !== null) current().forget(kept);
    kept = current().save();
    return null;
  },
  restore() {
    if (kept === null) throw new Error("no state of this scene is kept");
    current().restore(kept);
    return null;
  },
  recording: () => current().recording(),
  snapshot: () => current().snapshot(),
  openSnapshot(bytes) {
    current().openSnapshot(bytes);
    return null;
  },
  hash: () => current().hash(),
  close() {
    close();
    return null;
  },
};

function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (v: unknown): void => {
    if (ArrayBuffer.isView(v)) found.add(v.buffer as ArrayBuffer);
    else if (Array.isArray(v)) v.forEach(visit);
    else if (v && typeof v === "object") Object.values(v).forEach(visit);
  };
  visit(value);
  return [...found];
}

async function settle({ id, name, argument }: Ask): Promise<void> {
  let answer: Answer;
  try {
    answer = { id, result: await (calls[name] as (a: unknown) => unknown)(argument) };
  } catch (error) {
    const problems = error instanceof PliantError ? error.problems : [];
    // A trap, or a stack that is too deep, leaves the engine's memory as it happened to be.
    const broken = [WebAssembly.RuntimeError, WebAssembly.Exception, RangeError].some((kind) => error instanceof kind);
    answer = { id, error: { message: error instanceof Error ? error.message : String(error), problems, broken } };
  }
  const moved = name === "frame" || name === "load" || name === "replay" || name === "snapshot" ? buffersOf(answer.result) : [];
  self.postMessage(answer, { transfer: moved });
}

let last = Promise.resolve(); // calls are answered one after the other: what comes while the engine starts waits for it
self.onmessage = (event: MessageEvent<Ask>) => {
  last = last.then(() => settle(event.data));
};
