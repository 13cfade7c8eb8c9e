// The camera of a scene: a smooth path through its keys. As camera_at of src/pliant/render/look.cpp.

import { Vector3 } from "three";
import type { CameraKey } from "../engine/protocol";
import type { View } from "./framing";

export interface CameraView extends View {
  fov: number; // vertical [deg]
}

type Member = (key: CameraKey) => number;

/** Speed of a path at a key: the slope between its neighbours, and zero at both ends. */
function slope(keys: CameraKey[], k: number, of: Member): number {
  const before = keys[k - 1], after = keys[k + 1];
  return before && after ? (of(after) - of(before)) / (after.time - before.time) : 0;
}

/** Null where there are no keys. */
export function cameraAt(keys: CameraKey[], time: number): CameraView | null {
  const first = keys[0];
  if (!first) return null;
  let k = 0;
  while (k + 2 < keys.length && keys[k + 1]!.time <= time) ++k;
  const a = keys[k]!, b = keys[k + 1] ?? first, span = b.time - a.time;
  const t = span > 0 ? Math.min(1, Math.max(0, (time - a.time) / span)) : 0, s = 1 - t;
  const at = (of: Member): number =>
    s * s * (1 + 2 * t) * of(a) + t * t * (1 + 2 * s) * of(b) + s * s * t * span * slope(keys, k, of) - t * t * s * span * slope(keys, k + 1, of);
  const place = (of: (key: CameraKey) => number[]): Vector3 => new Vector3(at((key) => of(key)[0]!), at((key) => of(key)[1]!), at((key) => of(key)[2]!));
  return { eye: place((key) => key.position), target: place((key) => key.target), fov: at((key) => key.fov) };
}
