// Writes the data of a recorded page as src/player/data.ts reads it, for a flag that waves, a ball that rolls on the
// ground and a rope, all by formula: the player is tested without the engine.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

const template = fileURLToPath(new URL("../dist/player.html", import.meta.url));

function leb128(residuals) {
  const bytes = [];
  for (const r of residuals) {
    let value = r < 0 ? -2 * r - 1 : 2 * r;
    while (value > 127) {
      bytes.push((value % 128) | 128);
      value = Math.floor(value / 128);
    }
    bytes.push(value);
  }
  return Buffer.from(bytes);
}

const pack = (bytes) => deflateSync(bytes).toString("base64");

/** `frames[f][layer]` are positions; layers have `moves`. */
function encodeChunk(frames, layers, first, quantise) {
  const residuals = [];
  const q = [];
  frames.forEach((frame, f) => {
    q.push(frame.map((positions) => positions.map(quantise)));
    layers.forEach((layer, i) => {
      if (!layer.moves && !(first && f === 0)) return;
      q[f][i].forEach((value, k) => {
        if (f === 0) residuals.push(value - (k >= 3 ? q[f][i][k - 3] : 0));
        else if (f === 1) residuals.push(value - q[0][i][k]);
        else residuals.push(value - 2 * q[f - 1][i][k] + q[f - 2][i][k]);
      });
    });
  });
  return pack(leb128(residuals));
}

function sheet(n, at) {
  const positions = [], indices = [], uvs = [];
  for (let i = 0; i < n; ++i) {
    for (let j = 0; j < n; ++j) {
      positions.push(...at(i / (n - 1), j / (n - 1)));
      uvs.push(i / (n - 1), j / (n - 1));
      if (i + 1 < n && j + 1 < n) indices.push(i * n + j, (i + 1) * n + j, i * n + j + 1, i * n + j + 1, (i + 1) * n + j, (i + 1) * n + j + 1);
    }
  }
  return { positions, indices, uvs };
}

function ball(x, turn) {
  return sheet(24, (u, v) => {
    const a = turn - 2 * Math.PI * u, b = Math.PI * v;
    return [x + 0.2 * Math.sin(b) * Math.cos(a), 0.2 - 0.2 * Math.cos(b), 0.6 + 0.2 * Math.sin(b) * Math.sin(a)];
  });
}

function shapes(time) {
  const flag = sheet(40, (u, v) => [u - 0.5, 0.5 + 0.7 * v, 0.12 * u * Math.sin(6 * u - 5 * time + v)]);
  const square = sheet(2, (u, v) => [6 * u - 3, 0, 3 - 6 * v]);
  const rope = Array.from({ length: 30 }, (_, k) => [0.75 + 0.004 * k * Math.sin(3 * time), 1.2 - 0.03 * k, 0.1 * Math.sin(0.4 * k)]).flat();
  const edges = Array.from({ length: 29 }, (_, k) => [k, k + 1]).flat();
  return [flag, ball(0.3 * Math.sin(time), time), { positions: rope, indices: edges, uvs: [] }, square];
}

export function makeRecording(frames = 80) {
  const dt = 1 / 60, unit = 5e-5, low = [-3, 0, -3], chunk = 32;
  const first = shapes(0);
  const kinds = [["flag", "cloth", "triangles"], ["ball", "solid", "triangles"], ["rope", "rod", "lines"], ["ground", "collider", "triangles"]];
  const layers = kinds.map(([name, kind, primitive], i) => ({
    name, kind, body: i, scenery: kind === "collider", ground: kind === "collider", primitive, radius: kind === "rod" ? 0.012 : 0,
    vertices: first[i].positions.length / 3, sharp: false, moves: kind !== "collider", indices: first[i].indices.length, uvs: first[i].uvs.length, strands: 0,
  }));
  const fixed = Buffer.concat(first.flatMap((shape) => [Buffer.from(Uint32Array.from(shape.indices).buffer), Buffer.from(Float32Array.from(shape.uvs).buffer)]));
  const all = Array.from({ length: frames }, (_, f) => shapes(f * dt).map((shape) => shape.positions));
  const chunks = [];
  for (let f = 0; f < frames; f += chunk) chunks.push(encodeChunk(all.slice(f, f + chunk), layers, f === 0, (value, k) => Math.round((value - low[k % 3]) / unit)));
  const series = (value) => Array.from({ length: frames }, (_, f) => value(f * dt));
  return {
    format: "pliant-player", version: 1, name: "waving_flag", about: "A flag, a ball and a rope that move </script> by formula", program: "0",
    dt, frames, camera: [], unit, low, layers, static: pack(fixed), chunk, chunks,
    looks: [{ of: ["flag"], color: "#c8402f", pattern: "stripes", accent: "#f5efe2", repeat: 0.2 }],
    stats: {
      time: series((t) => t), kinetic_energy: series((t) => 1 + Math.sin(t)), potential_energy: series((t) => 2 - Math.sin(t)),
      contacts: series(() => 3), substeps: series(() => 8), max_strain: { flag: series((t) => 0.01 * t) },
    },
  };
}

/** Fills the template as `pliant run -o FILE.html` does. */
export function writeRecordedPage(file, recording) {
  const json = JSON.stringify(recording).replace(/</g, "\\u003c");
  writeFileSync(file, readFileSync(template, "utf8").replace("@PLIANT_DATA@", () => json));
}
