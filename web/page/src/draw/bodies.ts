// Layers of a frame as meshes of three. The arrays of a frame go to the graphics card as they are.

import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, IcosahedronGeometry, InstancedBufferAttribute,
  InstancedBufferGeometry, Mesh, MeshDepthMaterial, type Material, RGBADepthPacking,
} from "three";
import type { Layer, LayerData } from "../engine/protocol";
import { makeMaterial, type SharedUniforms } from "./finish";
import type { Look } from "./look";
import type { Quality } from "./quality";
import { restFrame } from "./rest";

interface Body {
  layer: Layer;
  mesh: Mesh;
  place: "position" | "offset"; // the attribute that moves
}

export class Bodies {
  readonly group = new Group();
  private bodies: Body[] = [];

  constructor(private readonly quality: Quality, private readonly shared: SharedUniforms) {}

  /** Builds the meshes of a scene. `first` has the positions of all layers. */
  build(layers: Layer[], looks: Look[], first: LayerData[]): void {
    this.clear();
    layers.forEach((layer, i) => {
      const positions = first[i]?.positions ?? new Float32Array(3 * layer.vertices);
      const body = layer.primitive === "triangles" ? this.surface(layer, looks[i]!, positions) : this.cloud(layer, looks[i]!, positions);
      body.mesh.name = layer.name;
      body.mesh.frustumCulled = false;
      body.mesh.visible = looks[i]!.shown && !layer.ground && layer.vertices > 0;
      body.mesh.castShadow = body.mesh.receiveShadow = true;
      this.bodies.push(body);
      this.group.add(body.mesh);
    });
    this.update(first);
  }

  update(data: LayerData[]): void {
    this.bodies.forEach(({ mesh, place }, i) => {
      const layer = data[i];
      if (!layer) return;
      put(mesh.geometry, place, layer.positions);
      put(mesh.geometry, "normal", place === "position" ? layer.normals : null);
      put(mesh.geometry, "field", layer.field);
    });
  }

  /** Whether bodies are shown at all: their inside is seen better without them. */
  showSurfaces(shown: boolean): void {
    for (const { mesh, layer } of this.bodies) {
      const material = mesh.material as Material;
      if (layer.scenery) continue;
      material.transparent = !shown;
      material.opacity = shown ? 1 : 0.12;
      material.depthWrite = shown;
      mesh.castShadow = shown;
    }
  }

  clear(): void {
    for (const { mesh } of this.bodies) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.customDepthMaterial?.dispose();
      this.group.remove(mesh);
    }
    this.bodies = [];
  }

  private surface(layer: Layer, look: Look, positions: Float32Array): Body {
    const geometry = new BufferGeometry();
    const { rest, size } = restFrame(positions);
    geometry.setIndex(new BufferAttribute(layer.indices, 1));
    addMoving(geometry, "position", layer.vertices, 3);
    addMoving(geometry, "normal", layer.vertices, 3);
    addMoving(geometry, "field", layer.vertices, 1);
    geometry.setAttribute("rest", new BufferAttribute(rest, 3));
    const warp = layer.uvs.length === 2 * layer.vertices ? layer.uvs : flatten(rest);
    geometry.setAttribute("warp", new BufferAttribute(warp, 2));
    const strands = layer.strands.length ? Float32Array.from(layer.strands) : new Float32Array(layer.vertices);
    geometry.setAttribute("strand", new BufferAttribute(strands, 1));
    return { layer, mesh: new Mesh(geometry, makeMaterial(layer, look, size, this.quality, this.shared)), place: "position" };
  }

  /** A ball for each point. */
  private cloud(layer: Layer, look: Look, positions: Float32Array): Body {
    const ball = new IcosahedronGeometry(1, layer.vertices > 20000 ? 0 : 2);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", ball.getAttribute("position"));
    geometry.setAttribute("normal", ball.getAttribute("position"));
    geometry.instanceCount = layer.vertices;
    const { size } = restFrame(positions);
    const radius = layer.radius > 0 ? layer.radius : size / 100;
    addMoving(geometry, "offset", layer.vertices, 3, true);
    addMoving(geometry, "field", layer.vertices, 1, true);
    const material = makeMaterial({ ...layer, sharp: false }, { ...look, finish: "plain", pattern: "none" }, size, this.quality, this.shared);
    const depth = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
    placeBalls(material, radius);
    placeBalls(depth, radius);
    const mesh = new Mesh(geometry, material);
    mesh.customDepthMaterial = depth;
    return { layer, mesh, place: "offset" };
  }
}

function placeBalls(material: Material, radius: number): void {
  const before = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    shader.uniforms.ballRadius = { value: radius };
    shader.vertexShader = `attribute vec3 offset;\nuniform float ballRadius;\n${shader.vertexShader}`
      .replace("#include <begin_vertex>", "#include <begin_vertex>\n  transformed = offset + ballRadius * transformed;");
  };
  material.customProgramCacheKey = () => "balls";
}

function addMoving(geometry: BufferGeometry, name: string, count: number, size: number, instanced = false): void {
  const array = new Float32Array(count * size);
  const attribute = instanced ? new InstancedBufferAttribute(array, size) : new BufferAttribute(array, size);
  attribute.setUsage(DynamicDrawUsage);
  geometry.setAttribute(name, attribute);
}

function put(geometry: BufferGeometry, name: string, array: Float32Array | null): void {
  if (!array) return;
  const attribute = geometry.getAttribute(name) as BufferAttribute;
  if (attribute.array.length !== array.length) return;
  attribute.array = array;
  attribute.needsUpdate = true;
}

function flatten(rest: Float32Array): Float32Array {
  const flat = new Float32Array((rest.length / 3) * 2);
  for (let i = 0; i < flat.length / 2; ++i) {
    flat[2 * i] = rest[3 * i]!;
    flat[2 * i + 1] = rest[3 * i + 1]!;
  }
  return flat;
}
