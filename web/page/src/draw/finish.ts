// Materials: three's physically based ones, with the structure of the surface computed in the shader. No pictures are
// loaded. Structure that is finer than a pixel fades out instead of flickering.

import { Color, DoubleSide, FrontSide, MeshPhysicalMaterial, type IUniform, type MeshPhysicalMaterialParameters } from "three";
import type { Layer } from "../engine/protocol";
import type { Finish, Look } from "./look";
import { fragmentHead, vertexHead } from "./finish_shader";
import type { Quality } from "./quality";

const finishes: Record<Finish, MeshPhysicalMaterialParameters & { number: number }> = {
  plain: { number: 0, roughness: 0.45, clearcoat: 0.25, clearcoatRoughness: 0.3 },
  fabric: { number: 1, roughness: 0.9, sheen: 0.35, sheenRoughness: 0.6 },
  wood: { number: 2, roughness: 0.55, clearcoat: 0.2, clearcoatRoughness: 0.45 },
  metal: { number: 3, roughness: 0.32, metalness: 1 },
  skin: { number: 4, roughness: 0.5, sheen: 0.3, sheenRoughness: 0.4, clearcoat: 0.12, clearcoatRoughness: 0.4 },
  paper: { number: 5, roughness: 0.85 },
  glow: { number: 6, roughness: 0.85 },
  hair: { number: 7, roughness: 0.42, specularIntensity: 0.7 },
  rope: { number: 8, roughness: 0.85 },
  leaf: { number: 9, roughness: 0.6, sheen: 0.2 },
};

const patterns = { none: 0, stripes: 1, checks: 2, dots: 3 };

/** Shared by all materials of a picture. */
export interface SharedUniforms {
  /** World size of a pixel at distance 1, for rods that are never thinner than a pixel. */
  pixel: IUniform<number>;
  /** 1 where colours show a field instead of the material. */
  fieldOn: IUniform<number>;
  fieldScale: IUniform<number>;
}

export function makeShared(): SharedUniforms {
  return { pixel: { value: 0.001 }, fieldOn: { value: 0 }, fieldScale: { value: 5 } };
}

/** `size` is the diagonal of the body, for structure that can be seen. */
export function makeMaterial(layer: Layer, look: Look, size: number, quality: Quality, shared: SharedUniforms): MeshPhysicalMaterial {
  const { number, ...params } = finishes[look.finish];
  const cloth = layer.kind === "cloth";
  const material = new MeshPhysicalMaterial({
    ...params,
    color: new Color(look.color),
    sheenColor: new Color(look.color).lerp(new Color("#ffffff"), 0.3),
    side: cloth ? DoubleSide : FrontSide,
    shadowSide: cloth ? DoubleSide : FrontSide,
    flatShading: layer.sharp && layer.kind !== "rod",
  });
  if (look.finish === "glow") {
    material.emissive = new Color(look.color);
    material.emissiveIntensity = 0.55;
  }
  const uniforms = {
    ...shared,
    finish: { value: quality.detail ? number : 0 },
    woven: { value: look.finish === "fabric" }, // patterns run along the threads
    pitch: { value: Math.min(0.02, Math.max(0.0015, size / 220)) },
    pattern: { value: patterns[look.pattern] },
    accent: { value: new Color(look.accent) },
    repeat: { value: look.repeat },
    tubeRadius: { value: layer.kind === "rod" ? Math.max(1e-6, layer.radius) : 0 },
  };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = vertexHead + shader.vertexShader
      .replace("#include <begin_vertex>", "#include <begin_vertex>\n  structure_vertex(transformed, objectNormal);");
    shader.fragmentShader = fragmentHead + shader.fragmentShader
      .replace("#include <color_fragment>", "#include <color_fragment>\n  structure_color(diffuseColor.rgb, gl_FrontFacing);")
      .replace("#include <roughnessmap_fragment>", "#include <roughnessmap_fragment>\n  roughnessFactor = structure_roughness(roughnessFactor);")
      .replace("#include <normal_fragment_maps>", "#include <normal_fragment_maps>\n  normal = structure_normal(normal, -vViewPosition);")
      .replace("#include <emissivemap_fragment>", "#include <emissivemap_fragment>\n  totalEmissiveRadiance *= structure_glow();");
  };
  material.customProgramCacheKey = () => "structure";
  return material;
}
