// What the data of a recorded page leave out because it can be computed: normals, and the tubes around rods.

import type { Layer, LayerData } from "../engine/protocol";

const sides = 8;

/** Normals of vertices, weighted by the areas of their triangles. */
export function computeNormals(positions: Float32Array, indices: Uint32Array): Float32Array {
  const n = new Float32Array(positions.length);
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t]!, b = 3 * indices[t + 1]!, c = 3 * indices[t + 2]!;
    const ux = positions[b]! - positions[a]!, uy = positions[b + 1]! - positions[a + 1]!, uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[c]! - positions[a]!, vy = positions[c + 1]! - positions[a + 1]!, vz = positions[c + 2]! - positions[a + 2]!;
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    for (const k of [a, b, c]) {
      n[k]! += x;
      n[k + 1]! += y;
      n[k + 2]! += z;
    }
  }
  for (let k = 0; k < n.length; k += 3) {
    const length = Math.hypot(n[k]!, n[k + 1]!, n[k + 2]!) || 1;
    n[k]! /= length;
    n[k + 1]! /= length;
    n[k + 2]! /= length;
  }
  return n;
}

/** Draws a layer of lines as tubes. Runs of edges that share their points are one tube, turned without twist. */
export class Tubes {
  readonly layer: Layer;
  private readonly runs: number[][] = [];

  constructor(private readonly lines: Layer) {
    for (let e = 0; e < lines.indices.length; e += 2) {
      const [a, b] = [lines.indices[e]!, lines.indices[e + 1]!];
      const run = this.runs.at(-1);
      if (run?.at(-1) === a) run.push(b);
      else this.runs.push([a, b]);
    }
    const rings = this.runs.reduce((sum, run) => sum + run.length, 0);
    const uvs = new Float32Array(2 * rings * sides), strands = new Uint32Array(rings * sides), indices: number[] = [];
    let ring = 0;
    this.runs.forEach((run) => run.forEach((point, k) => {
      for (let s = 0; s < sides; ++s) {
        const v = ring * sides + s, next = ring * sides + ((s + 1) % sides);
        uvs[2 * v] = (2 * Math.PI * lines.radius * s) / sides;
        uvs[2 * v + 1] = lines.uvs[2 * point + 1] ?? 0;
        strands[v] = lines.strands[point] ?? 0;
        if (k + 1 < run.length) indices.push(v, next, next + sides, v, next + sides, v + sides);
        else if (s > 0 && s + 1 < sides) indices.push(ring * sides, v, v + 1);
        if (k === 0 && s > 0 && s + 1 < sides) indices.push(ring * sides, v + 1, v);
      }
      ++ring;
    }));
    this.layer = { ...lines, primitive: "triangles", vertices: rings * sides, indices: Uint32Array.from(indices), uvs, strands };
  }

  surface(data: LayerData): LayerData {
    const x = data.positions!;
    const positions = new Float32Array(3 * this.layer.vertices), normals = new Float32Array(positions.length);
    let ring = 0;
    for (const run of this.runs) ring = this.tube(x, run, ring, positions, normals);
    return { positions, normals, field: null };
  }

  private tube(x: Float32Array, run: number[], first: number, positions: Float32Array, normals: Float32Array): number {
    let side = [0, 0, 0];
    run.forEach((point, k) => {
      const a = 3 * run[Math.max(0, k - 1)]!, b = 3 * run[Math.min(run.length - 1, k + 1)]!;
      const along = unit([x[b]! - x[a]!, x[b + 1]! - x[a + 1]!, x[b + 2]! - x[a + 2]!]);
      if (k === 0) side = Math.abs(along[1]!) < 0.9 ? [0, 1, 0] : [1, 0, 0];
      const dot = side[0]! * along[0]! + side[1]! * along[1]! + side[2]! * along[2]!;
      side = unit(side.map((value, i) => value - dot * along[i]!));
      const other = [along[1]! * side[2]! - along[2]! * side[1]!, along[2]! * side[0]! - along[0]! * side[2]!, along[0]! * side[1]! - along[1]! * side[0]!];
      for (let s = 0; s < sides; ++s) {
        const c = Math.cos((2 * Math.PI * s) / sides), t = Math.sin((2 * Math.PI * s) / sides);
        for (let i = 0; i < 3; ++i) {
          const normal = c * side[i]! + t * other[i]!, at = 3 * ((first + k) * sides + s) + i;
          normals[at] = normal;
          positions[at] = x[3 * point + i]! + this.lines.radius * normal;
        }
      }
    });
    return first + run.length;
  }
}

function unit(v: number[]): number[] {
  const length = Math.hypot(...v);
  return length > 1e-12 ? v.map((value) => value / length) : [0, 0, 1];
}
