// A body's own frame at the start: structure such as grain runs along its longest axis.

export interface RestFrame {
  /** Positions about the centre, along the longest, the middle and the shortest axis. */
  rest: Float32Array;
  /** Diagonal of the box around them. */
  size: number;
}

export function restFrame(positions: Float32Array): RestFrame {
  const count = positions.length / 3;
  const center = [0, 0, 0];
  for (let i = 0; i < positions.length; ++i) center[i % 3]! += positions[i]! / count;
  const axes = principalAxes(covariance(positions, center));
  const rest = new Float32Array(positions.length);
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; ++i) {
    for (let a = 0; a < 3; ++a) {
      let sum = 0;
      for (let k = 0; k < 3; ++k) sum += axes[a]![k]! * (positions[3 * i + k]! - center[k]!);
      rest[3 * i + a] = sum;
      low[a] = Math.min(low[a]!, sum);
      high[a] = Math.max(high[a]!, sum);
    }
  }
  return { rest, size: count ? Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!) : 0 };
}

type Matrix = number[][];

function covariance(positions: Float32Array, center: number[]): Matrix {
  const c = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (let i = 0; i < positions.length; i += 3)
    for (let a = 0; a < 3; ++a)
      for (let b = 0; b < 3; ++b) c[a]![b]! += (positions[i + a]! - center[a]!) * (positions[i + b]! - center[b]!);
  return c;
}

/** Unit eigenvectors of a symmetric matrix by Jacobi rotations, that of the largest eigenvalue first. */
function principalAxes(m: Matrix): Matrix {
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 8; ++sweep) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      if (Math.abs(m[p]![q]!) < 1e-12 * (Math.abs(m[p]![p]!) + Math.abs(m[q]![q]!))) continue;
      const angle = 0.5 * Math.atan2(2 * m[p]![q]!, m[q]![q]! - m[p]![p]!);
      const c = Math.cos(angle), s = Math.sin(angle);
      for (const row of [...m, ...v]) [row[p], row[q]] = [c * row[p]! - s * row[q]!, s * row[p]! + c * row[q]!];
      for (let k = 0; k < 3; ++k) [m[p]![k], m[q]![k]] = [c * m[p]![k]! - s * m[q]![k]!, s * m[p]![k]! + c * m[q]![k]!];
    }
  }
  const order = [0, 1, 2].sort((a, b) => m[b]![b]! - m[a]![a]!);
  return order.map((column) => v.map((row) => row[column]!));
}
