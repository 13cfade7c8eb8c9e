// What a slow machine can do without, and does where it draws without a graphics card. Every switch can be given in the address: ?shadows=0&detail=0&ratio=1

export interface Quality {
  shadows: boolean;
  /** Light from all around, and reflections. */
  environment: boolean;
  antialias: boolean;
  /** Weave, grain and other structure of surfaces. */
  detail: boolean;
  /** Pixels of the picture for one of the page. */
  ratio: number;
}

export const switches = ["shadows", "environment", "antialias", "detail"] as const;

/** Whether pictures are drawn by the processor, which cannot afford much. */
function isDrawnInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export function readQuality(query: URLSearchParams): Quality {
  const on = (name: string, usual = true): boolean => {
    const value = query.get(name);
    return value === null ? usual : value !== "0" && value !== "off";
  };
  const fast = on("fast", isDrawnInSoftware());
  const ratio = Number(query.get("ratio") ?? (fast ? 1 : Math.min(2, globalThis.devicePixelRatio || 1)));
  return {
    shadows: on("shadows", !fast),
    environment: on("environment", !fast),
    antialias: on("antialias", !fast),
    detail: on("detail", !fast),
    ratio: ratio >= 0.25 && ratio <= 4 ? ratio : 1,
  };
}
