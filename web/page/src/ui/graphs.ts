// Graphs over time on a canvas. Used by the page and by the player.

import { h, shortNumber } from "./dom";

export interface Series {
  name: string;
  color: string;
  values: number[];
}

const colors = ["#f0764f", "#2f9fa8", "#f2b840", "#5a77d6", "#d8608f", "#74b35a", "#9a6cc9", "#4fb3e0"];

export class Graph {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "graph-canvas" });
  private readonly legend = h("div", { class: "legend" });
  private readonly series = new Map<string, Series>();
  private length = 0;

  /** `stacked` adds the series up; `keep` is the number of frames shown, 0 for all. */
  constructor(private readonly title: string, private readonly unit: string, private readonly stacked = false, private readonly keep = 600) {
    this.element = h("figure", { class: "graph" }, h("figcaption", {}, title, h("span", { class: "unit" }, unit)), this.canvas, this.legend);
  }

  add(values: Record<string, number>): void {
    for (const [name, value] of Object.entries(values)) {
      let series = this.series.get(name);
      if (!series) {
        series = { name, color: colors[this.series.size % colors.length]!, values: new Array<number>(this.length).fill(0) };
        this.series.set(name, series);
      }
      series.values.push(value);
    }
    ++this.length;
    for (const series of this.series.values()) {
      if (series.values.length < this.length) series.values.push(0);
      if (this.keep && series.values.length > this.keep) series.values.shift();
    }
    if (this.keep && this.length > this.keep) this.length = this.keep;
  }

  clear(): void {
    this.series.clear();
    this.length = 0;
  }

  /** `marker` is a frame to point at, -1 for none. */
  draw(marker = -1): void {
    const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (width === 0) return;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = this.canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const lines = this.stacked ? this.stack() : [...this.series.values()];
    const { low, high } = extent(lines);
    const x = (i: number): number => (i / Math.max(1, this.length - 1)) * width;
    const y = (value: number): number => height - 6 - ((value - low) / (high - low)) * (height - 12);
    pen.strokeStyle = style.getPropertyValue("--line");
    pen.fillStyle = style.color;
    pen.font = "10px system-ui, sans-serif";
    pen.beginPath();
    pen.moveTo(0, y(Math.max(low, 0)));
    pen.lineTo(width, y(Math.max(low, 0)));
    pen.stroke();
    for (const line of [...lines].reverse()) drawLine(pen, line, x, y, this.stacked ? y(0) : null);
    pen.globalAlpha = 0.65;
    pen.fillText(shortNumber(high), 2, 10);
    if (low !== 0) pen.fillText(shortNumber(low), 2, height - 2);
    if (marker >= 0) {
      pen.strokeStyle = style.color;
      pen.beginPath();
      pen.moveTo(x(marker), 0);
      pen.lineTo(x(marker), height);
      pen.stroke();
    }
    this.drawLegend(marker >= 0 ? marker : this.length - 1);
  }

  private stack(): Series[] {
    let below: number[] = [];
    return [...this.series.values()].map((series) => {
      const values = series.values.map((value, i) => value + (below[i] ?? 0));
      below = values;
      return { ...series, values };
    });
  }

  private drawLegend(at: number): void {
    const entries = [...this.series.values()].map((series) => {
      const dot = h("i", { style: `background:${series.color}` });
      return h("span", {}, dot, `${series.name} ${shortNumber(series.values[at] ?? 0)}`);
    });
    this.legend.replaceChildren(...entries.slice(0, 8));
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${this.title} over time in ${this.unit}`);
  }
}

function extent(lines: Series[]): { low: number; high: number } {
  let low = 0, high = 0;
  for (const { values } of lines) {
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return high - low > 1e-30 ? { low, high } : { low, high: low + 1 };
}

function drawLine(pen: CanvasRenderingContext2D, line: Series, x: (i: number) => number, y: (v: number) => number, floor: number | null): void {
  if (!line.values.length) return;
  pen.beginPath();
  line.values.forEach((value, i) => (i ? pen.lineTo(x(i), y(value)) : pen.moveTo(x(i), y(value))));
  pen.strokeStyle = line.color;
  pen.lineWidth = 1.5;
  pen.stroke();
  if (floor === null) return;
  pen.lineTo(x(line.values.length - 1), floor);
  pen.lineTo(x(0), floor);
  pen.fillStyle = line.color;
  pen.fill();
}
