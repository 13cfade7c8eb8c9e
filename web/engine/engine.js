// The engine for JavaScript, over the functions of src/pliant_c.h. index.d.ts says what everything is for.

import { pages, setShared } from "./memory.js";

export class PliantError extends Error {
  constructor(text, sceneText = "") {
    super(text);
    this.name = "PliantError";
    this.problems = parseProblems(text, sceneText);
  }
}

/** `FILE:LINE: PATH: MESSAGE`, one problem a line; FILE:--set: has no line. */
export function parseProblems(text, sceneText = "") {
  const lines = sceneText.split("\n");
  return text.split("\n").filter((line) => line !== "").map((line) => {
    const found = /^(.*?):(\d+|--set): (?:([A-Za-z_$][\w$]*(?:\/[\w$-]+)*): )?(.*)$/.exec(line);
    if (!found) return { file: "", line: 0, column: 0, path: "", message: line };
    const number = found[2] === "--set" ? 0 : Number(found[2]);
    const problem = { file: found[1], line: number, column: 0, path: found[3] ?? "", message: found[4] };
    problem.column = findColumn(lines[number - 1] ?? "", problem);
    return problem;
  });
}

/** Where the key of a problem, or the word that it quotes, stands in its line; else the first character. */
function findColumn(line, problem) {
  const key = problem.path.split("/").pop();
  const quoted = /"([^"]+)"|`([^`]+)`/.exec(problem.message);
  for (const word of [key && `"${key}"`, quoted && (quoted[2] ?? `"${quoted[1]}"`)]) {
    if (word && line.includes(word)) return line.indexOf(word) + 1;
  }
  return line === "" ? 0 : line.search(/\S|$/) + 1;
}

/** What wasi-libc asks of its host: a clock, a place to print to, and no files. */
function makeWasi(memory, log) {
  const view = () => new DataView(memory().buffer);
  const EBADF = 8, ENOSYS = 52;
  let line = "";
  const functions = {
    clock_time_get(_id, _precision, out) {
      view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    fd_write(_fd, parts, count, written) {
      let bytes = 0;
      for (let i = 0; i < count; ++i) {
        const at = view().getUint32(parts + 8 * i, true), size = view().getUint32(parts + 8 * i + 4, true);
        line += new TextDecoder().decode(new Uint8Array(memory().buffer, at, size).slice());
        bytes += size;
      }
      const lines = line.split("\n");
      line = lines.pop();
      lines.forEach((text) => log(text));
      view().setUint32(written, bytes, true);
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_prestat_get: () => EBADF,
    fd_fdstat_get: () => EBADF,
    proc_exit(code) {
      throw new Error(`the engine has stopped with code ${code}`);
    },
  };
  return new Proxy(functions, { get: (known, name) => known[name] ?? (() => ENOSYS) });
}

/** The bytes of a module, or the module itself if it is compiled. */
async function read(wasm) {
  if (wasm instanceof WebAssembly.Module || wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return wasm;
  let source = wasm ?? new URL("./dist/pliant.wasm", import.meta.url);
  if (source instanceof URL && source.protocol === "file:") {
    const { readFile } = await import(/* @vite-ignore */ "node:fs/promises");
    return readFile(source);
  }
  if (typeof source === "string" || source instanceof URL) source = fetch(source);
  const response = await source;
  if (!response.ok) throw new Error(`cannot load the engine: ${response.status} ${response.url}`);
  return response.arrayBuffer();
}

export async function compileEngine({ wasm, shared = false } = {}) {
  const source = await read(wasm);
  if (source instanceof WebAssembly.Module) return source;
  const bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
  if (!shared) return WebAssembly.compile(bytes);
  const copy = bytes.slice();
  setShared(copy, true);
  return WebAssembly.compile(copy);
}

/** Starts a helper and waits until it is there. */
async function startHelper(message) {
  if (typeof Worker === "undefined") {
    const { Worker: Thread } = await import(/* @vite-ignore */ "node:worker_threads");
    const here = import.meta.url;
    const thread = new Thread(new URL("./helper.js", here));
    thread.unref(); // the program may end
    thread.postMessage(message);
    return new Promise((resolve, reject) => thread.once("message", resolve).once("error", reject));
  }
  const worker = new Worker(new URL("./helper.js", import.meta.url), { type: "module" });
  worker.postMessage(message);
  return new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = (event) => reject(new Error(event.message || "a thread does not start"));
  });
}

/** Each helper has a stack and thread-local data of its own. */
async function startHelpers(module, memory, exports, threads) {
  const stackSize = 1 << 20, align = (size) => (size + 15) & ~15;
  exports.pliant_use_threads(threads);
  await Promise.all(Array.from({ length: threads - 1 }, (_, i) => {
    const size = stackSize + align(exports.__tls_size.value) + 16;
    const at = align(exports.pliant_allocate(size));
    return startHelper({ module, memory, stack: at + stackSize, data: at + stackSize, thread: i + 1 });
  }));
}

export async function loadEngine({ wasm, log = (line) => console.error(line), threads = 1, shared = threads > 1, maxMemory = Infinity } = {}) {
  const module = await compileEngine({ wasm, shared });
  const maximum = Math.max(pages.initial, Math.min(pages.maximum, Math.floor(maxMemory / 65536)));
  const memory = new WebAssembly.Memory({ initial: pages.initial, maximum, shared });
  const wasi = makeWasi(() => memory, log);
  const imports = {};
  for (const { module: room, name, kind } of WebAssembly.Module.imports(module)) (imports[room] ??= {})[name] = kind === "memory" ? memory : wasi[name];
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports._initialize();
  if (threads > 1) await startHelpers(module, memory, exports, threads);
  return new Engine({ ...exports, memory }, threads);
}

/** Calls with texts as arguments, and what comes back from them. */
class Calls {
  constructor(exports) {
    this.exports = exports;
  }
  bytes(at, size) {
    return new Uint8Array(this.exports.memory.buffer, at, size);
  }
  /** Copies texts (with a zero at their end) and bytes in, calls, and frees them. */
  call(name, ...args) {
    const taken = [];
    const numbers = args.map((arg) => {
      if (typeof arg !== "string" && !(arg instanceof Uint8Array)) return arg;
      const bytes = typeof arg === "string" ? new TextEncoder().encode(arg + "\0") : arg;
      const at = this.exports.pliant_allocate(Math.max(bytes.length, 1));
      if (at === 0) throw new PliantError("out of memory");
      this.bytes(at, bytes.length).set(bytes);
      taken.push(at);
      return at;
    });
    try {
      return this.exports[`pliant_${name}`](...numbers);
    } finally {
      for (const at of taken) this.exports.pliant_free(at);
    }
  }
  text(at = this.exports.pliant_result(), size = this.exports.pliant_length()) {
    return new TextDecoder().decode(this.bytes(at, size).slice());
  }
  /** The result of a call that can fail, as text. */
  ask(name, ...args) {
    if (!this.call(name, ...args)) throw new PliantError(this.text());
    return this.text();
  }
  askBytes(name, ...args) {
    if (!this.call(name, ...args)) throw new PliantError(this.text());
    return this.bytes(this.exports.pliant_result(), this.exports.pliant_length()).slice();
  }
  json(name, ...args) {
    return JSON.parse(this.ask(name, ...args));
  }
  /** A copy of an array of numbers, in `into` if it fits. */
  array(Type, into, name, ...args) {
    return this.copy(Type, into, this.call(name, ...args));
  }
  copy(Type, into, at) {
    const length = this.exports.pliant_length();
    const out = into?.length === length ? into : new Type(length);
    if (length > 0) out.set(new Type(this.exports.memory.buffer, at, length));
    return out;
  }
}

class Engine {
  #calls;
  constructor(exports, threads) {
    this.#calls = new Calls(exports);
    this.threads = threads;
    const at = exports.pliant_version();
    const bytes = new Uint8Array(exports.memory.buffer, at, 32).slice();
    this.version = new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
  scenes() {
    return this.#calls.json("scenes");
  }
  sceneText(name) {
    return this.#calls.ask("scene_text", name);
  }
  schema() {
    return this.#calls.json("schema");
  }
  load(text, { source = "scene", sets = [], files = {} } = {}) {
    const calls = this.#calls;
    calls.call("clear_files");
    for (const [name, bytes] of Object.entries(files)) {
      const copy = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
      calls.ask("add_file", name, copy, copy.length);
    }
    const handle = calls.call("load", text, source, JSON.stringify(sets));
    if (handle === 0) throw new PliantError(calls.text(), text);
    return new Session(calls, handle, () => calls.call("close", handle));
  }
  openRecording(json) {
    const handle = this.#calls.call("open_recording", json);
    if (handle === 0) throw new PliantError(this.#calls.text(), json);
    return new Replay(this.#calls, handle);
  }
  memory() {
    return this.#calls.exports.memory.buffer.byteLength;
  }
}

class Session {
  #calls;
  #handle;
  #free;
  constructor(calls, handle, free) {
    this.#calls = calls;
    this.#handle = handle;
    this.#free = free;
    this.info = calls.json("info", handle);
  }
  get frame() {
    return this.#calls.call("frame", this.#handle);
  }
  get time() {
    return this.#calls.call("time", this.#handle);
  }
  step() {
    const fine = this.#calls.call("step", this.#handle);
    const trouble = fine ? null : this.#calls.text();
    return { frame: this.frame, trouble, milliseconds: this.#calls.call("step_ms", this.#handle) };
  }
  reset() {
    this.#do("reset");
  }
  hash() {
    return this.#calls.ask("hash", this.#handle);
  }
  layers({ rods = "tubes" } = {}) {
    const list = this.#calls.json("layers", this.#handle, rods === "lines" ? 1 : 0);
    return list.map((layer, i) => ({
      ...layer,
      indices: this.#calls.array(Uint32Array, undefined, "indices", this.#handle, i),
      uvs: this.#calls.array(Float32Array, undefined, "uvs", this.#handle, i),
      strands: this.#calls.array(Uint32Array, undefined, "strands", this.#handle, i),
    }));
  }
  positions(layer, into) {
    return this.#calls.array(Float32Array, into, "positions", this.#handle, layer);
  }
  normals(layer, into) {
    return this.#calls.array(Float32Array, into, "normals", this.#handle, layer);
  }
  field(layer, what, into) {
    const at = this.#calls.call("field", this.#handle, layer, what);
    if (at === 0) throw new PliantError(this.#calls.text());
    return this.#calls.copy(Float32Array, into, at);
  }
  debug(kind) {
    this.#do("debug", kind);
    const array = (number) => this.#calls.array(Float32Array, undefined, "debug_array", this.#handle, number);
    return { kind, points: array(0), sizes: array(1), pointValues: array(2), lines: array(3), lineValues: array(4) };
  }
  pick(origin, direction, reach = Number.MAX_VALUE) {
    return this.#calls.json("pick", this.#handle, ...origin, ...direction, reach);
  }
  grab(pick, compliance = -1) {
    const hand = this.#calls.call("grab", this.#handle, pick.body, pick.particle, ...pick.point, compliance);
    if (hand === 0 && this.#calls.text() !== "") throw new PliantError(this.#calls.text());
    return hand === 0 ? null : hand;
  }
  drag(grab, target) {
    this.#do("drag", grab, ...target);
  }
  release(grab) {
    this.#do("release", grab);
  }
  parameters() {
    return this.#calls.json("parameters", this.#handle);
  }
  set(path, value) {
    this.#do("set", path, JSON.stringify(value));
  }
  stats() {
    return this.#calls.json("stats", this.#handle);
  }
  save() {
    const snapshot = this.#calls.call("save", this.#handle);
    if (snapshot === 0) throw new PliantError(this.#calls.text());
    return snapshot;
  }
  restore(snapshot) {
    this.#do("restore", snapshot);
  }
  forget(snapshot) {
    this.#calls.call("forget", this.#handle, snapshot);
  }
  snapshot() {
    return this.#calls.askBytes("snapshot", this.#handle);
  }
  openSnapshot(bytes) {
    const copy = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    this.#do("open_snapshot", copy, copy.length);
  }
  recording() {
    return this.#calls.ask("recording", this.#handle);
  }
  close() {
    this.#free();
  }
  #do(name, ...args) {
    if (!this.#calls.call(name, this.#handle, ...args)) throw new PliantError(this.#calls.text());
  }
}

class Replay {
  #calls;
  #handle;
  constructor(calls, handle) {
    this.#calls = calls;
    this.#handle = handle;
    this.session = new Session(calls, calls.call("replay_session", handle), () => {});
    this.frames = calls.call("replay_frames", handle);
  }
  get firstDifference() {
    const frame = this.#calls.call("replay_difference", this.#handle);
    return frame < 0 ? null : frame;
  }
  step() {
    return this.#calls.json("replay_step", this.#handle);
  }
  seek(frame) {
    if (!this.#calls.call("replay_seek", this.#handle, frame)) throw new PliantError(this.#calls.text());
  }
  run() {
    while (this.step()) {
      // every frame is compared
    }
    return { frames: this.frames, firstDifference: this.firstDifference };
  }
  close() {
    this.#calls.call("close_replay", this.#handle);
  }
}
