// Files that are dropped onto the page: scenes, recordings, and meshes for scenes to use.

import { readText } from "./share";

export interface Dropped {
  /** A snapshot. */
  state?: Uint8Array;
  scene?: { name: string; text: string };
  recording?: string;
  meshes: Record<string, Uint8Array>;
}

const meshSuffix = /\.(obj|ply|stl|gltf|glb|msh|vtk|txt|xyz|csv|bin|pc2|mdd)$/i;

export async function readFiles(files: Iterable<File>): Promise<Dropped> {
  const dropped: Dropped = { meshes: {} };
  for (const file of files) {
    if (meshSuffix.test(file.name)) {
      dropped.meshes[file.name] = new Uint8Array(await file.arrayBuffer());
      continue;
    }
    if (/\.state$/i.test(file.name)) {
      dropped.state = new Uint8Array(await file.arrayBuffer());
      continue;
    }
    const text = await readText(file).catch(() => {
      throw new Error(`${file.name} cannot be read; is it cut off?`);
    });
    if (!/^\uFEFF?\s*([{[]|\/[/*]|$)/.test(text))
      throw new Error(`${file.name} is none of what can be opened here: a scene, a recording, a mesh or a state.`);
    if (/"format"\s*:\s*"pliant[- ]recording"/.test(text.slice(0, 2000)) || /"hashes"\s*:/.test(text)) dropped.recording = text;
    else dropped.scene = { name: file.name.replace(/\.json.*$/, ""), text };
  }
  return dropped;
}

/** A scene for a mesh that none asks for: it falls onto the ground as a soft solid, or as cloth if it is open. */
export function sceneForMesh(name: string, open: boolean): string {
  const body = name.replace(/\.[^.]*$/, "").replace(/[^\w-]/g, "_") || "mesh";
  const kind = open
    ? `"cloths": [{ "name": "${body}", "shape": { "kind": "mesh", "file": "${name}" }, "position": [0, 1, 0] }]`
    : `"solids": [{ "name": "${body}", "shape": { "kind": "mesh", "file": "${name}", "count": 1500 }, "position": [0, 1, 0], "youngs_modulus": 2e5, "damping": 2 }]`;
  return `// Made for ${name}. If it is far too large or small, set "scale".
{
    "about": "${name} falls onto the ground",
    "frames": 240,
    ${kind},
    "colliders": [{ "name": "ground", "shape": "plane" }]
}
`;
}

export function takeDrops(target: HTMLElement, take: (files: File[]) => void): void {
  target.addEventListener("dragover", (event) => {
    event.preventDefault();
    target.classList.add("dropping");
  });
  target.addEventListener("dragleave", (event) => {
    if (!target.contains(event.relatedTarget as Node | null)) target.classList.remove("dropping"); // not into a part of it
  });
  target.addEventListener("drop", (event) => {
    event.preventDefault();
    target.classList.remove("dropping");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length) take(files);
  });
}
