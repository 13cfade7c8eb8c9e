// What the engine sees, drawn over the picture: particles, clusters, fibres, frames, glue, contacts, crossings.

import {
  BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments, NormalBlending, Points,
  ShaderMaterial,
} from "three";
import type { DebugKind, DebugLayer } from "../engine/protocol";

interface Style {
  label: string;
  help: string;
  color: (value: number, top: number) => Color;
  pixels: number;
}

const fixed = (hex: string) => (): Color => new Color(hex);
const byNumber = (value: number): Color => new Color().setHSL((value * 0.381966) % 1, 0.65, 0.55);
const byAmount = (cold: string, hot: string) => (value: number, top: number): Color =>
  new Color(cold).lerp(new Color(hot), top > 0 ? Math.min(1, value / top) : 0);

export const debugStyles: Record<DebugKind, Style> = {
  particles: { label: "Particles", help: "what the engine moves; pinned ones in red", color: (v) => new Color(v > 0 ? "#ff4d4d" : "#4fb3e0"), pixels: 4 },
  clusters: { label: "Clusters", help: "of soft solids: each centre with its members", color: byNumber, pixels: 6 },
  fibres: { label: "Fibres", help: "threads of cloth that do not stretch", color: byNumber, pixels: 0 },
  rod_frames: { label: "Rod frames and ghosts", help: "the ghost point beside each edge of a rod, which carries its twist", color: fixed("#b48cff"), pixels: 4 },
  glue: { label: "Glue", help: "anchors, the particles that carry them, and their forces from yellow to red", color: byAmount("#ffd84d", "#ff3b30"), pixels: 8 },
  contacts: { label: "Contacts", help: "where bodies touch, along the normals", color: byAmount("#36d399", "#ffffff"), pixels: 6 },
  crossings: { label: "Crossings", help: "where a surface passes through another: there should be none", color: fixed("#ff0033"), pixels: 12 },
  pins: { label: "Pins", help: "particles that are held or carried", color: fixed("#ff4d4d"), pixels: 7 },
  velocities: { label: "Velocities", help: "the way of a hundredth of a second", color: byAmount("#4fb3e0", "#ff7ac6"), pixels: 0 },
};

class DebugDrawing {
  readonly group = new Group();
  private readonly points: Points<BufferGeometry, ShaderMaterial>;
  private readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;

  constructor(private readonly style: Style) {
    this.points = new Points(new BufferGeometry(), new ShaderMaterial({
      depthTest: false,
      transparent: true,
      blending: NormalBlending,
      uniforms: { pixels: { value: style.pixels } },
      vertexShader: `uniform float pixels; attribute vec3 color; varying vec3 tint;
        void main() { tint = color; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); gl_PointSize = pixels * ${Math.min(2, globalThis.devicePixelRatio || 1).toFixed(1)}; }`,
      fragmentShader: `varying vec3 tint;
        void main() { float r = length(gl_PointCoord - 0.5); if (r > 0.5) discard;
        gl_FragColor = vec4(mix(tint, tint * 0.25, smoothstep(0.32, 0.42, r)), 0.9);
        #include <colorspace_fragment>
        }`,
    }));
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.75, depthTest: false }));
    for (const thing of [this.points, this.lines]) {
      thing.frustumCulled = false;
      thing.renderOrder = 10;
      this.group.add(thing);
    }
  }

  update(data: DebugLayer): void {
    const top = Math.max(0, ...sample(data.pointValues), ...sample(data.lineValues));
    fill(this.points.geometry, data.points, this.colors(data.pointValues, top, 1));
    fill(this.lines.geometry, data.lines, this.colors(data.lineValues, top, 2));
    this.points.visible = this.style.pixels > 0 && data.points.length > 0;
    this.lines.visible = data.lines.length > 0;
  }

  dispose(): void {
    this.points.geometry.dispose();
    this.points.material.dispose();
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }

  private colors(values: Float32Array, top: number, repeat: number): Float32Array {
    const colors = new Float32Array(values.length * repeat * 3);
    values.forEach((value, i) => {
      const { r, g, b } = this.style.color(value, top);
      for (let k = 0; k < repeat; ++k) colors.set([r, g, b], 3 * (repeat * i + k));
    });
    return colors;
  }
}

export class Overlay {
  readonly group = new Group();
  private readonly drawings = new Map<DebugKind, DebugDrawing>();

  update(layers: DebugLayer[]): void {
    for (const [kind, drawing] of this.drawings) {
      if (layers.some((layer) => layer.kind === kind)) continue;
      this.group.remove(drawing.group);
      drawing.dispose();
      this.drawings.delete(kind);
    }
    for (const layer of layers) {
      let drawing = this.drawings.get(layer.kind);
      if (!drawing) {
        drawing = new DebugDrawing(debugStyles[layer.kind]);
        this.drawings.set(layer.kind, drawing);
        this.group.add(drawing.group);
      }
      drawing.update(layer);
    }
  }
}

/** The arguments of a function are limited: a few thousand values tell the largest well enough. */
function sample(values: Float32Array): number[] {
  const stride = Math.max(1, Math.ceil(values.length / 4000));
  return Array.from(values).filter((_, i) => i % stride === 0);
}

function fill(geometry: BufferGeometry, positions: Float32Array, colors: Float32Array): void {
  const old = geometry.getAttribute("position") as BufferAttribute | undefined;
  if (old && old.array.length === positions.length) {
    old.array = positions;
    old.needsUpdate = true;
    const color = geometry.getAttribute("color") as BufferAttribute;
    color.array = colors;
    color.needsUpdate = true;
    return;
  }
  geometry.dispose();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
}
