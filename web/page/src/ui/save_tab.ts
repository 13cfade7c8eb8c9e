// Everything that leaves the page: links, pictures, videos, recordings, states, scenes. And the files that come in.

import type { EngineClient } from "../engine/client";
import type { Live } from "../live";
import { savePicture, Video } from "./capture";
import { download, h } from "./dom";
import { gzip } from "./share";

export interface SaveActions {
  name(): string; // of files
  text(): string; // of the scene
  share(): Promise<void>;
  open(files: File[]): void;
  say(text: string): void;
}

export class SaveTab {
  readonly element: HTMLElement;
  private readonly video = new Video();
  private readonly videoButton = h("button", { type: "button", class: "wide", onclick: () => void this.toggleVideo() }, "Start a video");

  constructor(private readonly canvas: HTMLCanvasElement, engine: EngineClient, live: () => Live, private readonly actions: SaveActions, lacks: string[]) {
    const button = (label: string, action: () => Promise<unknown>): HTMLElement =>
      h("button", { type: "button", class: "wide", onclick: () => void action().catch((error: Error) => actions.say(error.message)) }, label);
    const open = h("input", { type: "file", multiple: true, hidden: true, onchange: () => {
      actions.open([...(open.files ?? [])]);
      open.value = ""; // the same file may be opened again
    } });
    this.element = h("div", { class: "save-tab" },
      button("Copy a link to this", () => actions.share()),
      button("Save the picture", () => savePicture(canvas, () => live().draw(), actions.name())),
      this.videoButton,
      button("Save the recording", async () => download(`${actions.name()}.recording.json.gz`, await gzip(await engine.call("recording", undefined)))),
      button("Save the state as a file", async () =>
        download(`${actions.name()}.state`, new Blob([(await engine.call("snapshot", undefined)) as Uint8Array<ArrayBuffer>]))),
      button("Keep this state", async () => {
        await engine.call("save", undefined);
        actions.say(`The state at ${live().time.toFixed(2)} s is kept, until another scene is opened.`);
      }),
      button("Back to the kept state", async () => {
        await engine.call("restore", undefined);
        live().refresh();
      }),
      button("Save the scene", async () => download(`${actions.name()}.json`, actions.text())),
      open, h("button", { type: "button", class: "wide", onclick: () => open.click() }, "Open a scene, state, recording or mesh"),
      h("p", { class: "hint" }, "Or drop files here: scenes and recordings (.json), meshes (.obj, .ply, .stl, .gltf, .glb), states (.state) of the scene that is open. A recording has every input and a hash of every frame: `pliant replay FILE` and this page check them."),
      ...lacks.map((lack) => h("p", { class: "hint" }, `This browser lacks ${lack}`)));
  }

  private async toggleVideo(): Promise<void> {
    try {
      if (this.video.running) await this.video.stop(this.actions.name());
      else this.video.start(this.canvas);
    } catch (error) {
      this.actions.say(`No video: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.videoButton.textContent = this.video.running ? "Stop and save the video" : "Start a video";
  }
}
