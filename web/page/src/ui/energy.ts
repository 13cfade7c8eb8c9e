// The graph of energies. Potential energy counts from y = 0 and would hide all else: it and the total are shown by how much they
// have changed since the first frame of the graph.

import { Graph } from "./graphs";

export class EnergyGraph extends Graph {
  private first: { potential: number; total: number } | null = null;

  constructor(keep = 600) {
    super("Energy", "J", false, keep);
  }

  /** `potential`: of gravity and of all that is elastic. */
  addFrame(kinetic: number, potential: number): void {
    const total = kinetic + potential;
    this.first ??= { potential, total };
    this.add({ kinetic, "potential, change": potential - this.first.potential, "total, change": total - this.first.total });
  }

  override clear(): void {
    this.first = null;
    super.clear();
  }
}
