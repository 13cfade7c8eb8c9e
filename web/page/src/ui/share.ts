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

// Far more than any scene or recording: a few kilobytes that swell without end do not fill the memory.
const mostBytes = 64 << 20;

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value as Uint8Array<ArrayBuffer>);
    size += part.value.length;
    if (size <= mostBytes) continue;
    void reader.cancel();
    throw new Error("that is too long");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
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
  try {
    const bytes = await pipe(fromBase64(packed), new DecompressionStream("deflate-raw"));
    return checked(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    throw new Error("The link cannot be read; it may have been cut off.");
  }
}

/** Whatever the link says; what is not of its form is left out. Throws if there is no scene. */
function checked(json: Partial<Record<keyof Shared, unknown>>): Shared {
  const { scene, text, sets, view, speed } = json;
  const shared: Shared = typeof text === "string" ? { text } : { scene: String(scene) };
  if (typeof text !== "string" && typeof scene !== "string") throw new Error("no scene");
  if (Array.isArray(sets)) shared.sets = sets.filter((set): set is string => typeof set === "string");
  const isNumber = (value: unknown): value is number => typeof value === "number" && Math.abs(value) < 1e6;
  if (Array.isArray(view) && view.length === 6 && view.every(isNumber)) shared.view = view;
  if (isNumber(speed) && speed > 0 && speed <= 100) shared.speed = speed;
  return shared;
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
