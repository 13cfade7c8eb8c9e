// Reads the data of a recorded page, which src/pliant/files/write_page.h describes: quantised numbers, a chunk of frames at
// a time, each frame when it is asked for.

import type { CameraKey, Layer, LayerData } from "../engine/protocol";
import type { LookEntry } from "../draw/look";
import { fromBase64 } from "../ui/share";
import { ResidualReader } from "./residuals";

interface LayerEntry extends Omit<Layer, "indices" | "uvs" | "strands"> {
  /** "points": every vertex in every frame; "pose": a place and a turn; "still": nothing. */
  moves: "still" | "pose" | "points";
  center: [number, number, number]; // of a pose, at the start
  indices: number;
  uvs: number;
  strands: number;
}

export interface PlayerStats {
  time: number[];
  kinetic_energy: number[];
  potential_energy: number[];
  contacts: number[];
  substeps: number[];
  max_strain: Record<string, number[]>;
}

export interface PlayerFile {
  format: string;
  version: number;
  name: string;
  about: string;
  dt: number;
  frames: number;
  camera: CameraKey[];
  looks: LookEntry[];
  unit: number;
  low: [number, number, number];
  layers: LayerEntry[];
  constants: string;
  chunk: number;
  chunks: string[];
  stats: PlayerStats;
}

const textureUnit = 1e-5, rotationUnit = 2 ** -20;
const poseNumbers = 9;

/** Null where the template has no data. Throws where they are of another version. */
export function readPlayerFile(text: string): PlayerFile | null {
  let file: PlayerFile;
  try {
    file = JSON.parse(text) as PlayerFile;
  } catch {
    return null;
  }
  if (file.format !== "pliant-player" || file.version !== 2) throw new Error(`cannot play ${file.format} of version ${file.version}`);
  return file;
}

function addUp(values: Int32Array, stride: number): Int32Array {
  for (let k = stride; k < values.length; ++k) values[k]! += values[k - stride]!;
  return values;
}

/** What does not change: the layers, and where their points are at the start. */
export function readLayers(file: PlayerFile): { layers: Layer[]; start: Float32Array[] } {
  const reader = new ResidualReader(fromBase64(file.constants));
  const take = (length: number, stride: number): Int32Array => addUp(reader.read(new Int32Array(length)), stride);
  const start: Float32Array[] = [];
  const layers = file.layers.map((entry) => {
    const indices = Uint32Array.from(take(entry.indices, 1));
    const uvs = Float32Array.from(take(entry.uvs, 2), (value) => textureUnit * value);
    const strands = Uint32Array.from(take(entry.strands, 1));
    start.push(place(file, take(3 * entry.vertices, 3)));
    return { ...entry, indices, uvs, strands };
  });
  return { layers, start };
}

function place({ low, unit }: PlayerFile, q: Int32Array): Float32Array {
  const positions = new Float32Array(q.length);
  for (let i = 0; i < q.length; ++i) positions[i] = low[i % 3]! + unit * q[i]!;
  return positions;
}

/** A chunk in memory: the numbers of those frames of it that were asked for, and of all before them. */
interface Chunk {
  number: number;
  reader: ResidualReader;
  frames: Int32Array[][]; // by frame, then by layer; empty for one that is still
}

export class FrameReader {
  private chunks: Chunk[] = []; // the last few

  constructor(private readonly file: PlayerFile, private readonly start: Float32Array[]) {}

  frame(number: number): LayerData[] {
    const chunk = this.load(Math.floor(number / this.file.chunk));
    while (chunk.frames.length <= number % this.file.chunk) this.decode(chunk);
    const numbers = chunk.frames[number % this.file.chunk]!;
    return this.file.layers.map((layer, i) => ({ positions: this.positions(layer, i, numbers[i]!), normals: null, field: null }));
  }

  private positions(layer: LayerEntry, index: number, numbers: Int32Array): Float32Array {
    if (layer.moves === "points") return place(this.file, numbers);
    const start = this.start[index]!;
    return layer.moves === "still" ? start : this.turn(start, layer.center, numbers);
  }

  /** x = R (x_0 - c_0) + c, with the first two columns of R given. */
  private turn(start: Float32Array, center: [number, number, number], numbers: Int32Array): Float32Array {
    const { low, unit } = this.file;
    const [ax, ay, az, bx, by, bz] = Array.from(numbers.subarray(3, poseNumbers), (n) => rotationUnit * n) as [number, number, number, number, number, number];
    const cx = ay * bz - az * by, cy = az * bx - ax * bz, cz = ax * by - ay * bx;
    const [x, y, z] = low.map((value, i) => value + unit * numbers[i]!) as [number, number, number];
    const positions = new Float32Array(start.length);
    for (let i = 0; i < start.length; i += 3) {
      const u = start[i]! - center[0], v = start[i + 1]! - center[1], w = start[i + 2]! - center[2];
      positions[i] = x + ax * u + bx * v + cx * w;
      positions[i + 1] = y + ay * u + by * v + cy * w;
      positions[i + 2] = z + az * u + bz * v + cz * w;
    }
    return positions;
  }

  private load(number: number): Chunk {
    const there = this.chunks.find((chunk) => chunk.number === number);
    if (there) return there;
    const chunk = { number, reader: new ResidualReader(fromBase64(this.file.chunks[number]!)), frames: [] };
    this.chunks = [...this.chunks.slice(-2), chunk];
    return chunk;
  }

  /** The next frame of a chunk, from what is left of it after going on as in the two before. */
  private decode(chunk: Chunk): void {
    const [two, one] = chunk.frames.slice(-2).length === 2 ? chunk.frames.slice(-2) : [undefined, chunk.frames.at(-1)];
    chunk.frames.push(this.file.layers.map((layer, i) => {
      if (layer.moves === "still") return new Int32Array(0);
      const q = chunk.reader.read(new Int32Array(layer.moves === "pose" ? poseNumbers : 3 * layer.vertices));
      const a = one?.[i], b = two?.[i];
      if (!a) return addUp(q, 3);
      for (let k = 0; k < q.length; ++k) q[k]! += b ? 2 * a[k]! - b[k]! : a[k]!;
      return q;
    }));
  }
}
