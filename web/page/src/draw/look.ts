// How a body looks: what the scene says, or what suits its kind.

import type { Layer, LookEntry } from "../engine/protocol";

export type Finish = "plain" | "fabric" | "wood" | "metal" | "skin" | "paper" | "glow" | "hair" | "rope" | "leaf";
export type Pattern = "none" | "stripes" | "checks" | "dots";

export interface Look {
  color: string;
  finish: Finish;
  pattern: Pattern;
  accent: string;
  repeat: number; // [m]
  shown: boolean;
}

export type { LookEntry };

// The palette of the pictures that the command line draws.
const palette = ["#f0764f", "#2f9fa8", "#f2b840", "#5a77d6", "#d8608f", "#74b35a", "#9a6cc9", "#4fb3e0"];

function isMeant(name: string, body: string): boolean {
  return name === body || (name.endsWith("*") && body.startsWith(name.slice(0, -1)));
}

function usualFinish(layer: Layer): Finish {
  switch (layer.kind) {
    case "cloth": return "fabric";
    case "solid": return "skin";
    case "rod": return countStrands(layer) > 100 ? "hair" : layer.radius >= 0.002 ? "rope" : "plain";
    default: return "plain";
  }
}

export function countStrands(layer: Pick<Layer, "strands">): number {
  return layer.strands.length ? layer.strands[layer.strands.length - 1]! + 1 : 0;
}

/** One for each layer. The last entry that names a body counts. */
export function findLooks(layers: Layer[], entries: LookEntry[]): Look[] {
  let bodies = 0;
  return layers.map((layer) => {
    const said = entries.filter((entry) => entry.of.some((name) => isMeant(name, layer.name))).at(-1);
    const usual = layer.scenery ? "#b4b6ba" : palette[bodies++ % palette.length]!;
    return {
      color: said?.color || usual,
      finish: said?.finish ?? usualFinish(layer),
      pattern: said?.pattern ?? "none",
      accent: said?.accent || "#ffffff",
      repeat: said?.repeat ?? 0.1,
      shown: said?.shown ?? true,
    };
  });
}
