// Animated PNG from the pictures that a browser takes: one palette, and of each picture only what has changed since the last.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads a PNG of 8 bits, RGB or RGBA, as three bytes a pixel. */
export function readPng(bytes) {
  let header = null;
  const parts = [];
  for (let at = 8; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at), type = bytes.toString("latin1", at + 4, at + 8), data = bytes.subarray(at + 8, at + 8 + size);
    if (type === "IHDR") header = { width: data.readUInt32BE(0), height: data.readUInt32BE(4), depth: data[8], color: data[9], interlace: data[12] };
    if (type === "IDAT") parts.push(data);
    at += 12 + size;
  }
  const channels = header?.color === 6 ? 4 : 3;
  if (!header || header.depth !== 8 || header.interlace || ![2, 6].includes(header.color)) throw new Error("a PNG of another kind");
  const { width, height } = header, stride = width * channels, raw = inflateSync(Buffer.concat(parts));
  const lines = Buffer.alloc(stride * height), pixels = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; ++y) unfilter(raw, y, stride, channels, lines);
  for (let i = 0; i < width * height; ++i) pixels.set(lines.subarray(channels * i, channels * i + 3), 3 * i);
  return { width, height, pixels };
}

function unfilter(raw, y, stride, channels, lines) {
  const filter = raw[y * (stride + 1)], from = y * (stride + 1) + 1, to = y * stride;
  for (let x = 0; x < stride; ++x) {
    const left = x >= channels ? lines[to + x - channels] : 0, up = y ? lines[to + x - stride] : 0;
    const corner = y && x >= channels ? lines[to + x - stride - channels] : 0;
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    lines[to + x] = raw[from + x] + guess;
  }
}

function paeth(a, b, c) {
  const pa = Math.abs(b - c), pb = Math.abs(a - c), pc = Math.abs(a + b - 2 * c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

const bin = (p, i) => ((p[i] >> 3) << 10) | ((p[i + 1] >> 3) << 5) | (p[i + 2] >> 3);

/** At most 255 colours: boxes of the colours that occur, the fullest split where it is widest [Heckbert 1982]. */
function makePalette(pictures) {
  const sums = new Map();
  for (const { pixels } of pictures)
    for (let i = 0; i < pixels.length; i += 3) {
      const key = bin(pixels, i), sum = sums.get(key) ?? [0, 0, 0, 0];
      for (let k = 0; k < 3; ++k) sum[k] += pixels[i + k];
      ++sum[3];
      sums.set(key, sum);
    }
  const colors = [...sums.values()].map((s) => ({ c: [s[0] / s[3], s[1] / s[3], s[2] / s[3]], n: s[3] }));
  const boxOf = (list) => {
    const spread = [0, 1, 2].map((k) => Math.max(...list.map(({ c }) => c[k])) - Math.min(...list.map(({ c }) => c[k])));
    const axis = spread.indexOf(Math.max(...spread));
    return { list, axis, weight: spread[axis] * Math.sqrt(list.reduce((sum, { n }) => sum + n, 0)) };
  };
  const boxes = [boxOf(colors)];
  while (boxes.length < 255) {
    const box = boxes.reduce((a, b) => (b.list.length > 1 && b.weight > a.weight ? b : a));
    if (box.list.length < 2) break;
    box.list.sort((a, b) => a.c[box.axis] - b.c[box.axis]);
    const total = box.list.reduce((sum, { n }) => sum + n, 0);
    let cut = 0;
    for (let sum = 0; sum < total / 2 && cut < box.list.length - 1; ++cut) sum += box.list[cut].n;
    boxes.splice(boxes.indexOf(box), 1, boxOf(box.list.slice(0, cut)), boxOf(box.list.slice(cut)));
  }
  return boxes.map(({ list }) => {
    const n = list.reduce((sum, one) => sum + one.n, 0);
    return [0, 1, 2].map((k) => Math.round(list.reduce((sum, one) => sum + one.n * one.c[k], 0) / n));
  });
}

function chunk(type, data) {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, "latin1");
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

/** Indices of colours, by the nearest of the palette; index 0 is transparent. */
function toIndices({ pixels }, palette, known) {
  const indices = new Uint8Array(pixels.length / 3);
  for (let i = 0; i < indices.length; ++i) {
    const key = bin(pixels, 3 * i);
    if (!known.has(key)) {
      const distance = (c) => c.reduce((sum, value, k) => sum + (value - pixels[3 * i + k]) ** 2, 0);
      known.set(key, 1 + palette.reduce((best, color, k) => (distance(color) < distance(palette[best]) ? k : best), 0));
    }
    indices[i] = known.get(key);
  }
  return indices;
}

/** What has changed since `before`, as lines of indices in the smallest rectangle. */
function changed(indices, before, width, height) {
  let x0 = width, x1 = -1, y0 = height, y1 = -1;
  indices.forEach((value, i) => {
    if (before && before[i] === value) return;
    const x = i % width, y = (i - x) / width;
    x0 = Math.min(x0, x), x1 = Math.max(x1, x), y0 = Math.min(y0, y), y1 = Math.max(y1, y);
  });
  if (x1 < 0) x0 = y0 = x1 = y1 = 0;
  const w = x1 - x0 + 1, h = y1 - y0 + 1, lines = Buffer.alloc((w + 1) * h);
  for (let y = 0; y < h; ++y)
    for (let x = 0; x < w; ++x) {
      const i = (y0 + y) * width + x0 + x;
      lines[y * (w + 1) + 1 + x] = before && before[i] === indices[i] ? 0 : indices[i];
    }
  return { x: x0, y: y0, w, h, data: deflateSync(lines, { level: 9 }) };
}

/** An animation that repeats; pictures are PNG files of one size. */
export function makeAnimation(files, framesASecond) {
  const pictures = files.map(readPng), { width, height } = pictures[0], palette = makePalette(pictures), known = new Map();
  const numbers = (...words) => Buffer.concat(words.map(([bytes, value]) => (bytes === 4 ? Buffer.from(new Uint32Array([value]).buffer).swap32() : bytes === 2 ? Buffer.from(new Uint16Array([value]).buffer).swap16() : Buffer.from([value]))));
  const out = [signature, chunk("IHDR", numbers([4, width], [4, height], [1, 8], [1, 3], [1, 0], [1, 0], [1, 0])),
    chunk("acTL", numbers([4, pictures.length], [4, 0])), chunk("PLTE", Buffer.from([0, 0, 0, ...palette.flat()])), chunk("tRNS", Buffer.from([0]))];
  let before = null, sequence = 0;
  for (const picture of pictures) {
    const indices = toIndices(picture, palette, known), { x, y, w, h, data } = changed(indices, before, width, height);
    // Drawn over what is there (blend 1), which stays (dispose 0).
    out.push(chunk("fcTL", numbers([4, sequence++], [4, w], [4, h], [4, x], [4, y], [2, 1], [2, framesASecond], [1, 0], [1, before ? 1 : 0])));
    out.push(before ? chunk("fdAT", Buffer.concat([numbers([4, sequence++]), data])) : chunk("IDAT", data));
    before = indices;
  }
  return Buffer.concat([...out, chunk("IEND", Buffer.alloc(0))]);
}
