// Where the camera goes: a three-quarter view from slightly above, as near as the bodies allow. As in render/camera.cpp.

import { Vector3 } from "three";
import type { Layer, LayerData } from "../engine/protocol";

export interface View {
  eye: Vector3;
  target: Vector3;
}

export interface Bounds {
  low: Vector3;
  high: Vector3;
}

const azimuth = 0.55, elevation = 0.22, filled = 0.8;

/** Of all that is simulated; of everything if nothing is. */
export function boundsOf(layers: Layer[], data: LayerData[]): Bounds {
  const bounds = { low: new Vector3(Infinity, Infinity, Infinity), high: new Vector3(-Infinity, -Infinity, -Infinity) };
  const include = (wanted: (layer: Layer) => boolean): void => {
    layers.forEach((layer, i) => {
      const x = data[i]?.positions;
      if (!x || layer.ground || !wanted(layer)) return;
      const stride = 3 * Math.max(1, Math.floor(x.length / 3 / 3000));
      for (let k = 0; k + 2 < x.length; k += stride) {
        if (!(Math.abs(x[k]!) + Math.abs(x[k + 1]!) + Math.abs(x[k + 2]!) < 1e6)) continue;
        bounds.low.set(Math.min(bounds.low.x, x[k]!), Math.min(bounds.low.y, x[k + 1]!), Math.min(bounds.low.z, x[k + 2]!));
        bounds.high.set(Math.max(bounds.high.x, x[k]!), Math.max(bounds.high.y, x[k + 1]!), Math.max(bounds.high.z, x[k + 2]!));
      }
    });
  };
  include((layer) => !layer.scenery);
  if (bounds.low.x > bounds.high.x) include(() => true);
  if (bounds.low.x > bounds.high.x) return { low: new Vector3(-1, 0, -1), high: new Vector3(1, 1, 1) };
  return bounds;
}

/** Sees the whole box; `fov` is vertical [rad], `aspect` width over height. */
export function viewOf(bounds: Bounds, fov: number, aspect: number): View {
  const forward = new Vector3(-Math.cos(elevation) * Math.sin(azimuth), -Math.sin(elevation), -Math.cos(elevation) * Math.cos(azimuth));
  const right = forward.clone().cross(new Vector3(0, 1, 0)).normalize();
  const up = right.clone().cross(forward);
  const target = bounds.low.clone().add(bounds.high).multiplyScalar(0.5);
  const slope = filled * Math.tan(fov / 2);
  let distance = 0.05;
  for (let corner = 0; corner < 8; ++corner) {
    const p = new Vector3(
      corner & 1 ? bounds.high.x : bounds.low.x, corner & 2 ? bounds.high.y : bounds.low.y, corner & 4 ? bounds.high.z : bounds.low.z,
    ).sub(target);
    const depth = forward.dot(p);
    distance = Math.max(distance, Math.abs(up.dot(p)) / slope - depth, Math.abs(right.dot(p)) / (slope * aspect) - depth);
  }
  return { eye: target.clone().addScaledVector(forward, -distance), target };
}
