// A link that carries everything: the scene's name or its whole text, changed parameters, and the view.

export interface Shared {
  /** Of a built-in scene. */
  scene?: string;
  /** Of one's own. */
  text?: string;
  /** As --set takes them: "solids.bunny.gamma=0.3". */
  sets?: string[];
  /** Eye and target. */
  view?: number[];
  speed?: number;
  /** Token of `pliant view`, which says what to show. */
  view_token?: string;
}

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The part of an address after the #. A built-in scene without changes has a short one that can be read. */
export async function toHash(shared: Shared): Promise<string> {
  if (shared.scene && !shared.sets?.length && !shared.view) return `scene=${encodeURIComponent(shared.scene)}`;
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  return `z=${toBase64Url(await pipe(bytes, new CompressionStream("deflate-raw")))}`;
}

/** Null for an empty hash. Throws if it cannot be read: a link that was cut off, for example. */
export async function fromHash(hash: string): Promise<Shared | null> {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const scene = fields.get("scene");
  if (scene) return { scene };
  const token = fields.get("view");
  if (token) return { view_token: token };
  const packed = fields.get("z");
  if (!packed) return null;
  const bytes = await pipe(fromBase64(packed), new DecompressionStream("deflate-raw"));
  return JSON.parse(new TextDecoder().decode(bytes)) as Shared;
}

export async function gzip(text: string): Promise<Blob> {
  const bytes = new TextEncoder().encode(text);
  return new Blob([await pipe(bytes, new CompressionStream("gzip"))], { type: "application/gzip" });
}

/** Text from a file that may be compressed. */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return new TextDecoder().decode(packed ? await pipe(bytes, new DecompressionStream("gzip")) : bytes);
}

export { pipe };
