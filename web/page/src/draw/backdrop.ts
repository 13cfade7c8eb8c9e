// The studio: a ground that fades into the backdrop, and the light from all around, both made in code.

import {
  BackSide, BoxGeometry, CircleGeometry, Color, Mesh, MeshBasicMaterial, MeshStandardMaterial, PMREMGenerator, Scene,
  ShaderMaterial, SphereGeometry, type Texture, type WebGLRenderer,
} from "three";

export type Theme = "light" | "dark";

export interface Palette {
  sky: string; // above
  horizon: string; // where the ground ends
  ground: string;
  line: string;
}

export const palettes: Record<Theme, Palette> = {
  light: { sky: "#dfe6ee", horizon: "#f1f0ec", ground: "#dcd8d0", line: "#c9c4ba" },
  dark: { sky: "#0d1117", horizon: "#1b212b", ground: "#2a313c", line: "#39424f" },
};

/** A sphere around everything: horizon colour below, sky colour above. */
export class Backdrop {
  readonly mesh: Mesh;
  private readonly material: ShaderMaterial;

  constructor() {
    this.material = new ShaderMaterial({
      side: BackSide,
      depthWrite: false,
      depthTest: false,
      uniforms: { sky: { value: new Color() }, horizon: { value: new Color() } },
      vertexShader: `varying vec3 d; void main() { d = position; vec4 p = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0); gl_Position = p.xyww; }`,
      fragmentShader: `varying vec3 d; uniform vec3 sky, horizon;
        void main() { gl_FragColor = vec4(mix(horizon, sky, smoothstep(0.0, 0.6, normalize(d).y)), 1.0);
        #include <colorspace_fragment>
        }`,
    });
    this.mesh = new Mesh(new SphereGeometry(1, 32, 16), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  setTheme(palette: Palette): void {
    (this.material.uniforms.sky!.value as Color).set(palette.sky);
    (this.material.uniforms.horizon!.value as Color).set(palette.horizon);
  }
}

/** A disc with a quiet grid whose cells are 1, 0.1 or 10 m, as the scene is large. It takes shadows. */
export class Ground {
  readonly mesh: Mesh;
  private readonly uniforms = {
    fadeColor: { value: new Color() }, lineColor: { value: new Color() }, fadeRadius: { value: 10 }, cell: { value: 1 },
  };
  private readonly material = new MeshStandardMaterial({ roughness: 0.95, envMapIntensity: 0.6 });

  constructor() {
    this.material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = `varying vec2 vGround; varying float vFar;\n${shader.vertexShader}`.replace(
        "#include <begin_vertex>",
        "#include <begin_vertex>\n vec4 groundWorld = modelMatrix * vec4(position, 1.0); vGround = groundWorld.xz; vFar = length(position.xy);",
      );
      shader.fragmentShader = `varying vec2 vGround; varying float vFar; uniform vec3 fadeColor, lineColor; uniform float fadeRadius, cell;
        float gridLine(vec2 p) { vec2 w = fwidth(p), d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-5);
          return (1.0 - min(min(d.x, d.y), 1.0)) * (1.0 - smoothstep(0.1, 0.5, max(w.x, w.y))); }
        ${shader.fragmentShader}`
        .replace("#include <color_fragment>", "#include <color_fragment>\n diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, 0.8 * gridLine(vGround / cell));")
        .replace("#include <opaque_fragment>", "#include <opaque_fragment>\n float fade = smoothstep(0.25, 0.95, vFar);\n")
        .replace("#include <colorspace_fragment>", "#include <colorspace_fragment>\n vec4 fadeTo = sRGBTransferOETF(vec4(fadeColor, 1.0)); gl_FragColor.rgb = mix(gl_FragColor.rgb, fadeTo.rgb, fade);");
    };
    this.mesh = new Mesh(new CircleGeometry(1, 96), this.material);
    this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -5;
  }

  setTheme(palette: Palette): void {
    this.material.color.set(palette.ground);
    this.uniforms.fadeColor.value.set(palette.horizon);
    this.uniforms.lineColor.value.set(palette.line);
  }

  place(x: number, height: number, z: number, size: number): void {
    this.mesh.position.set(x, height, z);
    this.mesh.scale.setScalar(Math.max(14 * size, 1));
    this.uniforms.cell.value = 10 ** Math.round(Math.log10(Math.max(size, 1e-3)) - 0.4);
  }
}

/** A studio of soft boxes, filtered for reflections. */
export function makeEnvironment(renderer: WebGLRenderer): Texture {
  const studio = new Scene();
  const shell = new Mesh(new SphereGeometry(20, 24, 12), new MeshBasicMaterial({ color: "#8f98a6", side: BackSide }));
  const floor = new Mesh(new BoxGeometry(40, 0.1, 40), new MeshBasicMaterial({ color: "#6b655d" }));
  floor.position.y = -4;
  studio.add(shell, floor);
  const soft = (color: string, strength: number, x: number, y: number, z: number, width: number, height: number): void => {
    const panel = new Mesh(new BoxGeometry(width, height, 0.1), new MeshBasicMaterial({ color: new Color(color).multiplyScalar(strength) }));
    panel.position.set(x, y, z);
    panel.lookAt(0, 0, 0);
    studio.add(panel);
  };
  soft("#fff4e4", 9, 7, 9, 5, 7, 5);
  soft("#dfeaff", 4, -10, 5, 3, 4, 8);
  soft("#ffffff", 3, 0, 13, 0, 9, 9);
  soft("#ffe9d6", 3, 3, 4, -12, 10, 3);
  const generator = new PMREMGenerator(renderer);
  const { texture } = generator.fromScene(studio, 0.03);
  generator.dispose();
  studio.traverse((thing) => {
    if (thing instanceof Mesh) {
      thing.geometry.dispose();
      (thing.material as MeshBasicMaterial).dispose();
    }
  });
  return texture;
}
