// The graphs of the page: energy, momentum, strain, time by phase.

import type { FrameStats } from "../engine/protocol";
import { h } from "./dom";
import { EnergyGraph } from "./energy";
import { Graph } from "./graphs";

export class Charts {
  readonly element: HTMLElement;
  private readonly energy = new EnergyGraph();
  private readonly momentum = new Graph("Momentum", "kg m/s, kg m²/s");
  private readonly strain = new Graph("Largest strain", "1");
  private readonly time = new Graph("Time by phase", "ms", true, 200);
  private readonly facts = h("p", { class: "hint" });

  constructor() {
    this.element = h("div", { class: "charts" }, this.facts, ...this.all().map((graph) => graph.element));
  }

  add(stats: FrameStats): void {
    this.energy.addFrame(stats.kinetic_energy, stats.total_energy - stats.kinetic_energy);
    this.momentum.add({ linear: Math.hypot(...stats.linear_momentum), angular: Math.hypot(...stats.angular_momentum) });
    const largest = Object.entries(stats.max_strain).sort((a, b) => b[1] - a[1]).slice(0, 6);
    this.strain.add(Object.fromEntries(largest));
    this.time.add(stats.phase_ms);
    const crossings = stats.intersections ? `, ${stats.intersections} crossings` : "";
    this.facts.textContent = `${stats.contacts} contacts${crossings}, ${stats.substeps} substeps${stats.asked_by ? ` (${stats.asked_by})` : ""}. State ${stats.hash}`;
  }

  clear(): void {
    this.all().forEach((graph) => graph.clear());
  }

  draw(): void {
    this.all().forEach((graph) => graph.draw());
  }

  private all(): Graph[] {
    return [this.energy, this.momentum, this.strain, this.time];
  }
}
