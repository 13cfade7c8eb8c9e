// Reads the data of a recorded page: quantised positions, a chunk of frames at a time.

import type { CameraKey, Layer, LayerData } from "../engine/protocol";
import type { LookEntry } from "../draw/look";
import { fromBase64, pipe } from "../ui/share";

interface LayerEntry extends Omit<Layer, "indices" | "uvs" | "strands"> {
  moves: boolean;
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
  unit: number;
  low: [number, number, number];
  layers: LayerEntry[];
  static: string;
  chunk: number;
  chunks: string[];
  stats: PlayerStats;
  looks?: LookEntry[];
}

/** Null where the template has no data. Throws where they are of another version. */
export function readPlayerFile(text: string): PlayerFile | null {
  let file: PlayerFile;
  try {
    file = JSON.parse(text) as PlayerFile;
  } catch {
    return null;
  }
  if (file.format !== "pliant-player" || file.version !== 1) throw new Error(`cannot play ${file.format} of version ${file.version}`);
  return file;
}

async function unpack(blob: string): Promise<Uint8Array<ArrayBuffer>> {
  return pipe(fromBase64(blob), new DecompressionStream("deflate"));
}

export async function readLayers(file: PlayerFile): Promise<Layer[]> {
  const { buffer } = await unpack(file.static);
  let at = 0;
  const take = <T>(make: (b: ArrayBuffer, offset: number, length: number) => T, length: number): T => {
    const part = make(buffer, at, length);
    at += 4 * length;
    return part;
  };
  return file.layers.map((entry) => ({
    ...entry,
    indices: take((b, o, n) => new Uint32Array(b, o, n), entry.indices),
    uvs: take((b, o, n) => new Float32Array(b, o, n), entry.uvs),
    strands: take((b, o, n) => new Uint32Array(b, o, n), entry.strands),
  }));
}

/** A chunk in memory: the quantised coordinates of every frame of it. */
interface Chunk {
  number: number;
  frames: Int32Array[][]; // by frame, then by layer; a layer that does not move is empty after the very first frame
}

export class FrameReader {
  private chunks: Chunk[] = []; // the last few
  private still: Int32Array[] = [];

  constructor(private readonly file: PlayerFile) {}

  async frame(number: number): Promise<LayerData[]> {
    if (!this.still.length) this.still = (await this.load(0)).frames[0]!;
    const chunk = await this.load(Math.floor(number / this.file.chunk));
    const quantised = chunk.frames[number % this.file.chunk]!;
    return this.file.layers.map((layer, i) => ({
      positions: this.place(layer.moves ? quantised[i]! : this.still[i]!), normals: null, field: null,
    }));
  }

  private place(q: Int32Array): Float32Array {
    const { low, unit } = this.file;
    const positions = new Float32Array(q.length);
    for (let i = 0; i < q.length; ++i) positions[i] = low[i % 3]! + unit * q[i]!;
    return positions;
  }

  private async load(number: number): Promise<Chunk> {
    const there = this.chunks.find((chunk) => chunk.number === number);
    if (there) return there;
    const bytes = await unpack(this.file.chunks[number]!);
    const chunk = { number, frames: this.decode(bytes, number) };
    this.chunks = [...this.chunks.slice(-3), chunk];
    return chunk;
  }

  private decode(bytes: Uint8Array, number: number): Int32Array[][] {
    const { chunk, layers } = this.file;
    const count = Math.min(chunk, this.file.frames - number * chunk);
    const next = residuals(bytes);
    const frames: Int32Array[][] = [];
    for (let f = 0; f < count; ++f) {
      frames.push(layers.map((layer, i) => {
        if (!layer.moves && (f > 0 || number > 0)) return new Int32Array(0);
        return decodeLayer(3 * layer.vertices, next, frames[f - 1]?.[i], frames[f - 2]?.[i]);
      }));
    }
    return frames;
  }
}

function decodeLayer(length: number, next: () => number, one: Int32Array | undefined, two: Int32Array | undefined): Int32Array {
  const q = new Int32Array(length);
  for (let k = 0; k < length; ++k) {
    if (one && two) q[k] = 2 * one[k]! - two[k]! + next();
    else if (one) q[k] = one[k]! + next();
    else q[k] = (k >= 3 ? q[k - 3]! : 0) + next();
  }
  return q;
}

/** LEB128 with zigzag. */
function residuals(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let value = 0, scale = 1, byte: number;
    do {
      byte = bytes[at++]!;
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte & 128);
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
}
