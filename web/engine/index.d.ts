// Pliant in JavaScript: the engine itself, compiled to WebAssembly. It runs in node, in a Worker and on the main thread;
// one Engine serves any number of Sessions, one after the other or side by side. Everything is synchronous once the
// engine is loaded. SI units. A session computes the same bits as the native program: compare Session.hash().
//
//   import { loadEngine } from "@pliant/engine";
//   const engine = await loadEngine();
//   const session = engine.load(engine.sceneText("bunny_drop"));
//   for (let i = 0; i < 60; ++i) session.step();
//   console.log(session.hash());

export type Vec3 = [number, number, number];
export type Bytes = ArrayBuffer | Uint8Array;

export interface EngineOptions {
  /** The compiled engine. Left out: pliant.wasm beside engine.js, by `fetch`, or from the disk in node. */
  wasm?: Bytes | Response | Promise<Response> | WebAssembly.Module | URL | string;
  /** What the engine prints, which is nothing unless something is broken. */
  log?: (line: string) => void;
  /** How many threads compute: the bits are the same for any number. More than one needs node, or a page that is `crossOriginIsolated`. */
  threads?: number;
  /** Whether `wasm`, if it is compiled already, was compiled for shared memory; true for more threads than one. */
  shared?: boolean;
  /** The most that the engine may take, in bytes: from 16 MiB to 2 GiB, which is the default. A scene that needs more is refused. */
  maxMemory?: number;
}

/** For several engines of one module; `shared` is needed for threads. */
export function compileEngine(options?: { wasm?: EngineOptions["wasm"]; shared?: boolean }): Promise<WebAssembly.Module>;

export function loadEngine(options?: EngineOptions): Promise<Engine>;

/** Splits an error text into its lines, as PliantError.problems has them. */
export function parseProblems(text: string): Problem[];

export interface Engine {
  readonly version: string;
  readonly threads: number;
  /** The built-in scenes in order of their names, without their texts. */
  scenes(): { name: string; about: string }[];
  /** The text of a built-in scene: JSON with comments. Throws PliantError if there is none. */
  sceneText(name: string): string;
  /** The JSON Schema of scene files. */
  schema(): object;
  /** Reads a scene. Throws PliantError with all that is wrong with it. */
  load(text: string, options?: LoadOptions): Session;
  /** Opens a recording for replay. Throws PliantError if it is none, or of another version. */
  openRecording(json: string): Replay;
  /** Bytes of memory that the engine has taken from the browser so far. It never gives any back. */
  memory(): number;
}

export interface LoadOptions {
  /** What errors call it; default "scene". A name like "bunny_drop" or "folder/bunny.json". */
  source?: string;
  /** Edits such as "solids.bunny.gamma=0.2", made before anything is checked: the same as --set. */
  sets?: string[];
  /** Files that the scene names: those that were dropped onto the page. The key is the name in the scene. */
  files?: Record<string, Bytes>;
}

/** Everything that is wrong with an input. `message` has all of it as text, a line each. */
export class PliantError extends Error {
  readonly problems: Problem[];
}

export interface Problem {
  file: string;
  /** From 1; 0 if the problem has no line, such as one of an override. */
  line: number;
  /** From 1: where the value or key begins; 0 if not known. */
  column: number;
  /** Such as "solids/0/gamma"; empty if not known. */
  path: string;
  message: string;
}

// ---------------------------------------------------------------------------------------------------------------------

export type BodyKind = "solid" | "cloth" | "rod" | "rigid" | "collider";

export interface SceneInfo {
  name: string;
  about: string;
  /** How many the scene says it has; a session may go on after them. */
  frames: number;
  /** Seconds of a frame. */
  dt: number;
  /** What is allowed but probably a mistake. */
  warnings: string[];
  particles: number;
  /** Numbered as Layer.body and Pick.body are: all bodies, then the colliders. */
  bodies: { name: string; kind: BodyKind; particles: number }[];
  /** Of the scene, if it has one: where to look from at a time. */
  camera: CameraKey[];
  /** Colours and materials that the scene gives to bodies; the last that names a body counts. */
  looks: LookEntry[];
}

export interface LookEntry {
  /** Names of bodies and colliders; a * at the end stands for the rest of a name. */
  of: string[];
  /** "#rrggbb"; empty: none is given. */
  color: string;
  finish?: "plain" | "fabric" | "wood" | "metal" | "skin" | "paper" | "glow" | "hair" | "rope" | "leaf";
  pattern: "none" | "stripes" | "checks" | "dots";
  accent: string;
  repeat: number; // [m]
  shown: boolean;
}

export interface CameraKey {
  time: number; // [s]
  position: Vec3;
  target: Vec3;
  fov: number; // vertical [deg]
}

export interface Session {
  readonly info: SceneInfo;
  /** 0 before the first step. */
  readonly frame: number;
  readonly time: number; // [s]

  /** Advances by a frame. `trouble` says what became non-finite; the session is then useless but for restore(). */
  step(): { frame: number; trouble: string | null; milliseconds: number };
  /** Back to frame 0, with the parameters as the scene has them. What was recorded is dropped. */
  reset(): void;
  /** Of all particles and rigid bodies: 16 hexadecimal digits, those of `pliant run --stats`. */
  hash(): string;

  /** One for each body and collider, in order of SceneInfo.bodies. Their arrays are copies of your own and constant. */
  layers(options?: { rods?: "tubes" | "lines" }): Layer[];
  /** The current positions of a layer, three numbers a vertex. `into` is filled and returned if it has the right length. */
  positions(layer: number, into?: Float32Array): Float32Array;
  /** Unit normals of the vertices of a layer of triangles, likewise. */
  normals(layer: number, into?: Float32Array): Float32Array;
  /**
   * A number for every vertex of a layer, for colours. strain: relative elongation of cloth and rods, distance from the
   * rigid fit as a part of the cluster's radius for solids; zero for rigid bodies and colliders. speed [m/s].
   */
  field(layer: number, what: "strain" | "speed", into?: Float32Array): Float32Array;

  /** What the engine sees, for drawing over the picture. */
  debug(kind: DebugKind): DebugLayer;

  /** The first surface that a ray meets; null for none. The direction need not be of unit length. */
  pick(origin: Vec3, direction: Vec3, reach?: number): Pick | null;
  /**
   * Takes hold of the body at a pick with a spring; the handle for drag and release. `compliance` [m/N]: 0 moves the point
   * exactly; left out, a spring that suits the mass of the body. Null where nothing can be held (a collider, a pin).
   */
  grab(pick: Pick, compliance?: number): number | null;
  /** Moves the hand. It is reached in the next step. */
  drag(grab: number, target: Vec3): void;
  release(grab: number): void;

  /** What can be changed while it runs: settings, forces, contact, every body, glue and collider. */
  parameters(): ParameterTable[];
  /** Changes one, such as "solids.bunny.gamma". null leaves an optional one out. Throws PliantError if not allowed. */
  set(path: string, value: ParameterValue): void;

  /** About the last frame. Costs about as much as a step. */
  stats(): FrameStats;

  /** Keeps the state in memory. The handle for restore and forget. */
  save(): number;
  /** Back to a saved state, as often as you like. The recording is cut there. */
  restore(snapshot: number): void;
  forget(snapshot: number): void;
  /** The state as bytes, to be kept, or opened by a native build of the same version (`World.restore` in Python). */
  snapshot(): Uint8Array;
  /** Goes on from such bytes, of here or of a native build, bit for bit. There is no recording until the next reset. */
  openSnapshot(bytes: Uint8Array | ArrayBuffer): void;

  /** Everything that was done since the start, with a hash for every frame: JSON, for openRecording and `pliant replay`. */
  recording(): string;

  /** Frees its memory. */
  close(): void;
}

export interface Layer {
  name: string;
  kind: BodyKind;
  /** Index into SceneInfo.bodies. */
  body: number;
  /** A collider's surface rather than a simulated body. */
  scenery: boolean;
  /** An infinite ground plane, shown as a large square: the page may draw its own ground at this height and normal. */
  ground: boolean;
  primitive: "triangles" | "lines" | "points";
  /** Of the points of a cloud, or of rods [m]. */
  radius: number;
  vertices: number;
  /** Three (triangles) or two (lines) for each primitive; empty for points. */
  indices: Uint32Array;
  /** Two for each vertex, in metres along warp and weft for cloth, around and along for rods; empty where there are none. */
  uvs: Float32Array;
  /** Has sharp edges at the start: normals of faces, not of vertices, look right. */
  sharp: boolean;
  /** The strand of every vertex of rods, for colours that vary; empty for others. */
  strands: Uint32Array;
}

export type DebugKind =
  | "particles" // points: value 0 free, 1 pinned
  | "clusters" // points at the centres, size their radius; lines to the members, value the cluster's number
  | "fibres" // lines along fibres of cloth, value the fibre's number
  | "rod_frames" // lines from the middle of an edge to its ghost; points at the ghosts
  | "glue" // points at the anchors, lines to their parents and between the two sides; value the force [N]
  | "contacts" // points, value the impulse [kg m/s]; lines along the normals
  | "crossings" // lines: edges that pass through a triangle; points where
  | "pins" // points
  | "velocities"; // lines, the way of 0.01 s; value the speed [m/s]

export interface DebugLayer {
  kind: DebugKind;
  points: Float32Array; // three a point [m]
  sizes: Float32Array; // one a point: radius [m], 0 where it has none
  pointValues: Float32Array; // one a point
  lines: Float32Array; // six a line: both ends [m]
  lineValues: Float32Array; // one a line
}

export interface Pick {
  body: number; // index into SceneInfo.bodies
  name: string;
  kind: BodyKind;
  /** Of the body, the nearest to the point; -1 for rigid bodies and colliders. */
  particle: number;
  point: Vec3;
  normal: Vec3;
  distance: number;
}

export type ParameterValue = number | boolean | string | Vec3 | null;

export interface ParameterTable {
  /** "settings", "forces", "contact", "solids.bunny", "glue.hand". */
  path: string;
  kind: BodyKind | "settings" | "forces" | "contact" | "glue";
  /** Index into SceneInfo.bodies; -1 for settings, forces, contact and glue. */
  body: number;
  parameters: Parameter[];
}

export interface Parameter {
  name: string;
  type: "number" | "integer" | "boolean" | "choice" | "vector" | "text";
  /** "1" where it has none; empty where units make no sense. */
  unit: string;
  help: string;
  /** Null: left out, the engine chooses. */
  value: ParameterValue;
  default: ParameterValue;
  optional: boolean;
  /** What is allowed; null for no limit. low itself is excluded if openLow. */
  low: number | null;
  high: number | null;
  openLow: boolean;
  choices: string[];
  /** Whether set() can change it; otherwise the scene has to be loaded again with it in `sets`. */
  live: boolean;
}

export interface FrameStats {
  frame: number;
  time: number;
  step_ms: number;
  phase_ms: Record<string, number>;
  substeps: number;
  /** Who asked for as many substeps, and why. */
  asked_by: string;
  kinetic_energy: number; // [J]
  potential_energy: number; // [J], of gravity, and of solids
  elastic_energy: number; // [J], of all that is elastic
  total_energy: number; // [J]
  linear_momentum: Vec3;
  angular_momentum: Vec3;
  max_strain: Record<string, number>;
  p99_strain: Record<string, number>;
  center: Record<string, Vec3>;
  contacts: number;
  intersections: number;
  events: { time: number; what: "attached" | "released" | "broken"; glue: string }[];
  glue?: Record<string, { on: boolean; force: number; torque: number; gap: number; work: number }>;
  glue_gap?: number;
  hash: string;
  /** What the effort did not hold, first seen in this frame: a line each. */
  warnings: string[];
}

/** A recording being run again. `session` shows it; do not step, grab or set there: that is the recording's to do. */
export interface Replay {
  readonly session: Session;
  /** Of the recording. */
  readonly frames: number;
  /** The first frame whose hash differs from the recorded one; null for none so far. */
  readonly firstDifference: number | null;
  /** Runs the next frame with its inputs. Null at the end. */
  step(): { frame: number; hash: string; recorded: string; equal: boolean } | null;
  /** Goes to a frame, from the nearest keyframe kept in memory on the way. Hashes are compared on the way, too. */
  seek(frame: number): void;
  /** Runs to the end. */
  run(): { frames: number; firstDifference: number | null };
  close(): void;
}
