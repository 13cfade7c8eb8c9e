// What page and Worker say to each other. The Worker owns the engine; the page asks for a frame when it has drawn the
// last one and hands the buffers back, so that neither waits for the other and nothing is allocated in the long run.

import type {
  DebugKind, DebugLayer, FrameStats, Layer, LoadOptions, ParameterTable, ParameterValue, Pick, Problem, SceneInfo, Vec3,
} from "@pliant/engine";

export type { DebugKind, DebugLayer, FrameStats, Layer, ParameterTable, ParameterValue, Pick, Problem, SceneInfo, Vec3 };
export type { BodyKind, CameraKey, LookEntry, Parameter } from "@pliant/engine";

export type FieldKind = "strain" | "speed";

/** The numbers of one layer. Null: as they were. */
export interface LayerData {
  positions: Float32Array | null;
  normals: Float32Array | null;
  field: Float32Array | null;
}

export interface Loaded {
  info: SceneInfo;
  layers: Layer[];
  tables: ParameterTable[];
  frame: FrameData;
  milliseconds: number;
}

export interface FrameRequest {
  steps: number;
  field: FieldKind | null;
  debug: DebugKind[];
  stats: boolean;
  /** Buffers of the frame before, to be filled again. */
  buffers: LayerData[];
}

export interface FrameData {
  frame: number;
  time: number;
  trouble: string | null;
  /** Of one step, mean over those of this frame; 0 if there was none. */
  milliseconds: number;
  layers: LayerData[];
  debug: DebugLayer[];
  stats: FrameStats[];
  /** Of a replay: the first frame whose hash differs, -1 for none; null if this is no replay. */
  difference: number | null;
  /** A replay has come to its end. */
  ended: boolean;
}

export interface SceneRequest {
  text: string;
  options: LoadOptions;
}

/** Every call of the Worker: name -> [arguments, result]. */
export interface Calls {
  /** With the compiled engine of another Worker, if there is one, and how many threads are wanted, if there may be several. */
  start: [{ module: WebAssembly.Module | null; threads: number },
    { version: string; scenes: { name: string; about: string }[]; module: WebAssembly.Module; threads: number }];
  schema: [undefined, object];
  text: [string, string];
  load: [SceneRequest, Loaded];
  replay: [string, Loaded & { frames: number }];
  seek: [number, null];
  frame: [FrameRequest, FrameData];
  reset: [undefined, null];
  grab: [{ origin: Vec3; direction: Vec3 }, { pick: Pick | null; grab: number | null }];
  drag: [{ grab: number; target: Vec3 }, null];
  release: [number, null];
  set: [{ path: string; value: ParameterValue }, ParameterTable[]];
  save: [undefined, null];
  restore: [undefined, null];
  recording: [undefined, string];
  snapshot: [undefined, Uint8Array];
  openSnapshot: [Uint8Array, null];
  hash: [undefined, string];
  close: [undefined, null];
}

export type CallName = keyof Calls;

export interface Ask {
  id: number;
  name: CallName;
  argument: unknown;
}

export interface Answer {
  id: number;
  result?: unknown;
  /** `broken`: the engine itself has stopped, and this Worker can do no more. */
  error?: { message: string; problems: Problem[]; broken: boolean };
}
