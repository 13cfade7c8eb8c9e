// What the pointer means: the nearest surface under it, or a rod that is nearly under it.

import { Vector3 } from "three";
import type { Layer, LayerData } from "../engine/protocol";

/** A point on what can be grabbed, null for none. `slack` is the half-width of the pointer at distance 1. */
export function aimAt(layers: Layer[], data: LayerData[], origin: Vector3, direction: Vector3, slack: number): Vector3 | null {
  let nearest = Infinity;
  let found: Vector3 | null = null;
  layers.forEach((layer, i) => {
    const x = data[i]?.positions;
    if (!x || layer.ground || layer.vertices === 0) return;
    if (layer.primitive === "triangles") {
      const distance = hitTriangles(x, layer.indices, origin, direction, nearest);
      if (distance < nearest) {
        nearest = distance;
        found = layer.scenery ? null : origin.clone().addScaledVector(direction, distance);
      }
    }
    if (layer.scenery || (layer.kind !== "rod" && layer.primitive === "triangles")) return;
    const near = nearPoint(x, origin, direction, slack, layer.primitive === "points" ? layer.radius : 0);
    if (near && near.distance < nearest) {
      nearest = near.distance;
      found = near.point;
    }
  });
  return found;
}

/** Distance to the nearest triangle along the ray [Moeller and Trumbore 1997], or `most`. */
function hitTriangles(x: Float32Array, indices: Uint32Array, o: Vector3, d: Vector3, most: number): number {
  let nearest = most;
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t]!, b = 3 * indices[t + 1]!, c = 3 * indices[t + 2]!;
    const ax = x[a]!, ay = x[a + 1]!, az = x[a + 2]!;
    const ux = x[b]! - ax, uy = x[b + 1]! - ay, uz = x[b + 2]! - az;
    const vx = x[c]! - ax, vy = x[c + 1]! - ay, vz = x[c + 2]! - az;
    const px = d.y * vz - d.z * vy, py = d.z * vx - d.x * vz, pz = d.x * vy - d.y * vx;
    const det = ux * px + uy * py + uz * pz;
    if (det === 0) continue;
    const sx = o.x - ax, sy = o.y - ay, sz = o.z - az;
    const u = (sx * px + sy * py + sz * pz) / det;
    if (!(u >= 0 && u <= 1)) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const v = (d.x * qx + d.y * qy + d.z * qz) / det;
    if (!(v >= 0 && u + v <= 1)) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / det;
    if (distance > 0 && distance < nearest) nearest = distance;
  }
  return nearest;
}

/** The first point that is nearer to the ray than the pointer is wide. */
function nearPoint(x: Float32Array, o: Vector3, d: Vector3, slack: number, radius: number): { point: Vector3; distance: number } | null {
  let best = -1, nearest = Infinity;
  for (let i = 0; i < x.length; i += 3) {
    const px = x[i]! - o.x, py = x[i + 1]! - o.y, pz = x[i + 2]! - o.z;
    const along = px * d.x + py * d.y + pz * d.z;
    if (!(along > 0) || along >= nearest) continue;
    const beside2 = px * px + py * py + pz * pz - along * along;
    const reach = Math.max(slack * along, radius);
    if (beside2 > reach * reach) continue;
    nearest = along;
    best = i;
  }
  return best < 0 ? null : { point: new Vector3(x[best]!, x[best + 1]!, x[best + 2]!), distance: nearest };
}
