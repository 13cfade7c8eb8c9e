// The shader code of finish.ts. Lengths are metres of the body at rest, so structure moves and bends with it.

export const vertexHead = /* glsl */ `
attribute vec3 rest;     // position at the start, along the body's own longest, middle and shortest axis [m]
attribute vec2 warp;     // along warp and weft, or around and along a rod [m]
attribute float strand;
attribute float field;
uniform float pixel;
uniform float tubeRadius;
varying vec3 vRest;
varying vec2 vWarp;
varying float vStrand;
varying float vField;

void structure_vertex(inout vec3 p, vec3 n) {
  vRest = rest;
  vWarp = warp;
  vStrand = strand;
  vField = field;
  if (tubeRadius > 0.0) {
    float depth = -(modelViewMatrix * vec4(p, 1.0)).z;
    p += n * max(0.0, 0.7 * pixel * depth - tubeRadius);
  }
}
`;

const noise = /* glsl */ `
float hash1(float n) { return fract(sin(n * 12.9898) * 43758.5453); }
float hash3(vec3 p) { return fract(sin(dot(p, vec3(12.9898, 78.233, 37.719))) * 43758.5453); }
float noise3(vec3 p) {
  vec3 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(mix(hash3(i), hash3(i + vec3(1, 0, 0)), f.x), mix(hash3(i + vec3(0, 1, 0)), hash3(i + vec3(1, 1, 0)), f.x), f.y),
             mix(mix(hash3(i + vec3(0, 0, 1)), hash3(i + vec3(1, 0, 1)), f.x), mix(hash3(i + vec3(0, 1, 1)), hash3(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}
/** 1 where structure of this phase can be seen, 0 where it is finer than a pixel. */
float seen(vec2 phase) { vec2 w = fwidth(phase); return 1.0 - smoothstep(0.2, 0.55, max(w.x, w.y)); }
float edge(float x, float width) { return smoothstep(-width, width, x); }
`;

const heights = /* glsl */ `
/** A plain weave: threads that go over and under each other; 0 to 1. */
float weave(vec2 phase) {
  vec2 f = fract(phase) - 0.5;
  float over = mod(floor(phase.x) + floor(phase.y), 2.0);
  vec2 c = cos(3.14159 * f);
  return mix(c.x * (0.55 + 0.45 * c.y), c.y * (0.55 + 0.45 * c.x), over);
}
float grain(vec3 p) {
  vec3 q = p / vec3(8.0, 1.0, 1.0);
  float rings = length(q.yz + 0.35 * pitch * vec2(noise3(q / pitch * 0.7), noise3(q / pitch * 0.7 + 9.0))) / pitch * 1.1;
  return 0.5 + 0.5 * sin(6.2832 * (rings + 0.6 * noise3(q / pitch * 0.25)));
}
float structure_height() {
  if (finish == 1) return pitch * 0.28 * weave(vWarp / pitch) * seen(vWarp / pitch);
  if (finish == 2) return pitch * 0.03 * grain(vRest);
  if (finish == 5 || finish == 6) return pitch * 0.5 * (0.5 + 0.5 * cos(6.2832 * vRest.x / (6.0 * pitch))) * seen(vRest.xx / (6.0 * pitch));
  if (finish == 8) {
    vec2 phase = vec2(3.0 * vWarp.x / (6.2832 * tubeRadius) + vWarp.y / (5.0 * tubeRadius), 0.0);
    return tubeRadius * 0.5 * abs(sin(3.14159 * phase.x)) * seen(phase);
  }
  return 0.0;
}
`;

const colors = /* glsl */ `
vec3 ramp(float t) { // of strain: calm blue over green and yellow to red
  t = clamp(t, 0.0, 1.0);
  vec3 a = vec3(0.05, 0.16, 0.42), b = vec3(0.04, 0.45, 0.42), c = vec3(0.85, 0.70, 0.10), d = vec3(0.72, 0.05, 0.03);
  return t < 0.33 ? mix(a, b, t / 0.33) : t < 0.66 ? mix(b, c, (t - 0.33) / 0.33) : mix(c, d, (t - 0.66) / 0.34);
}
float accented() {
  vec2 phase = (woven ? vWarp : vRest.xy) / repeat;
  float w = fwidth(phase.x) + 1e-4, v = fwidth(phase.y) + 1e-4;
  vec2 t = abs(fract(phase) - 0.5) - 0.25;
  if (pattern == 1) return edge(t.x, w);
  if (pattern == 2) { float a = edge(t.x, w), b = edge(t.y, v); return a * (1.0 - b) + b * (1.0 - a); }
  return 1.0 - edge(length(fract(phase + vec2(0.5 * mod(floor(phase.y), 2.0), 0.0)) - 0.5) - 0.22, max(w, v));
}
void structure_color(inout vec3 color, bool front) {
  if (pattern > 0) color = mix(color, accent, accented());
  if (finish == 1) {
    float s = seen(vWarp / pitch);
    color *= 1.0 + s * (0.34 * weave(vWarp / pitch) - 0.24 + 0.05 * (hash1(floor(vWarp.x / pitch)) - 0.5));
    if (!front) color *= 0.86;
  }
  if (finish == 2) color *= mix(0.72, 1.08, grain(vRest)) * (0.94 + 0.12 * noise3(vRest / pitch * 3.0));
  if (finish == 4) color *= 0.96 + 0.08 * noise3(vRest / (5.0 * pitch));
  if (finish == 5 || finish == 6) color *= 0.92 + 0.08 * noise3(vRest / pitch * 2.0);
  if (finish == 7) color *= 0.7 + 0.6 * hash1(vStrand + 1.0);
  if (finish == 8) color *= 0.75 + 0.25 * (structure_height() > 0.0 ? 2.0 * structure_height() / tubeRadius : 0.8);
  if (finish == 9) color *= 0.8 + 0.4 * hash1(vStrand + 3.0);
  if (fieldOn > 0.5) color = ramp(vField * fieldScale);
}
float structure_roughness(float r) { return finish == 3 ? r * (0.8 + 0.5 * noise3(vRest / pitch * vec3(0.4, 6.0, 6.0))) : r; }
float structure_glow() { return finish == 6 ? 0.75 + 0.5 * (0.5 + 0.5 * cos(6.2832 * vRest.x / (6.0 * pitch))) : 1.0; }
vec3 structure_normal(vec3 n, vec3 p) {
  if (finish == 0) return n;
  float h = structure_height();
  vec3 dx = dFdx(p), dy = dFdy(p), r1 = cross(dy, n), r2 = cross(n, dx);
  float det = dot(dx, r1);
  vec3 slope = sign(det) * (dFdx(h) * r1 + dFdy(h) * r2);
  return normalize(abs(det) * n - slope);
}
`;

export const fragmentHead = /* glsl */ `
uniform int finish;
uniform bool woven;
uniform float pitch;
uniform int pattern;
uniform vec3 accent;
uniform float repeat;
uniform float tubeRadius;
uniform float fieldOn;
uniform float fieldScale;
varying vec3 vRest;
varying vec2 vWarp;
varying float vStrand;
varying float vField;
${noise}${heights}${colors}`;
