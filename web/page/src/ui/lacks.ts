// What this browser lacks, in words.

export interface Lack {
  what: string;
  /** Without it the page cannot work at all. */
  needed: boolean;
}

// A function with one SIMD instruction: i32x4.splat
const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]);

export function findLacks(): Lack[] {
  const lacks: Lack[] = [];
  const check = (there: boolean, what: string, needed: boolean): void => {
    if (!there) lacks.push({ what, needed });
  };
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl2");
  check(gl !== null, "WebGL 2, which draws the picture. It may be turned off, or the graphics driver too old.", true);
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  const wasm = typeof WebAssembly === "object";
  check(wasm, "WebAssembly, which runs the engine. Some browsers turn it off in a lockdown mode.", true);
  check(wasm && WebAssembly.validate(simd), "WebAssembly SIMD: Chrome 91, Firefox 89 or Safari 16.4 have it.", true);
  check(typeof Worker === "function", "Workers, which keep the page alive while the engine computes.", true);
  check(typeof CompressionStream === "function", "CompressionStream: links that carry a scene and compressed recordings do not work.", false);
  check(typeof MediaRecorder === "function", "MediaRecorder: videos cannot be saved.", false);
  return lacks;
}
