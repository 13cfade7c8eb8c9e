// The gallery: showpieces first, then every built-in scene by what is in it.

import { h, iconButton } from "./dom";
import { Thumbnails } from "./thumbnails";
import type { Theme } from "../draw/backdrop";

export const showpieces = ["marionette", "market_stall", "scarecrow"];

const groups: [string, (name: string) => boolean][] = [
  ["Showpieces", (name) => showpieces.includes(name)],
  ["All together", (name) => /^(puppet|lantern|mixed_pile|glue_.*|joint_dummy|branch_crash)$/.test(name)],
  ["Cloth", (name) => /^(cloth|flag|shirt|shell)/.test(name)],
  ["Soft solids", (name) => /^(bunny|cube|solid|collider)/.test(name)],
  ["Rods and hair", (name) => /^(rod|hair|ring|knot|branches|tree|capstan)/.test(name)],
  ["Rigid bodies and joints", () => true],
];

export class Gallery {
  readonly element: HTMLElement;
  private readonly grid = h("div", { class: "gallery-groups" });
  private thumbnails: Thumbnails | null = null;
  private readonly seen: IntersectionObserver;
  private theme: Theme = "light";
  private module: WebAssembly.Module | null = null;
  private resolve: () => void = () => undefined;
  /** When a picture is there, or the gallery was closed: until then nothing else should compute. */
  readonly painted = new Promise<void>((resolve) => (this.resolve = resolve));

  constructor(private readonly open: (name: string) => void, onclose: () => void, private readonly fast: boolean) {
    this.element = h("section", { class: "gallery", "aria-label": "Gallery", hidden: true },
      h("header", {}, h("div", {}, h("h1", {}, "Pliant"),
        h("p", {}, "Things that bend, and what holds them together. Every picture below is computed here and now: open one, and pull at it.")),
        iconButton("close", "Close the gallery", onclose)),
      this.grid);
    this.seen = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        const canvas = entry.target as HTMLCanvasElement;
        this.thumbnails?.want(canvas.dataset.scene!, canvas);
      }
    });
  }

  fill(scenes: { name: string; about: string }[], module: WebAssembly.Module): void {
    this.module = module;
    const left = [...scenes].sort((a, b) => showpieces.indexOf(a.name) - showpieces.indexOf(b.name));
    const sections = groups.flatMap(([title, fits]) => {
      const mine = left.filter((scene) => fits(scene.name));
      mine.forEach((scene) => left.splice(left.indexOf(scene), 1));
      if (!mine.length) return [];
      return [h("section", { class: title === "Showpieces" ? "large" : "" }, h("h2", {}, title), h("div", { class: "tiles" }, ...mine.map((scene) => this.tile(scene))))];
    });
    this.grid.replaceChildren(...sections);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.thumbnails?.setTheme(theme);
  }

  show(): void {
    this.element.hidden = false;
    this.thumbnails ??= new Thumbnails(this.fast, this.module, this.resolve);
    this.thumbnails.setTheme(this.theme);
    this.thumbnails.run(true);
    for (const canvas of this.element.querySelectorAll("canvas")) {
      this.seen.unobserve(canvas);
      this.seen.observe(canvas);
    }
  }

  hide(): void {
    this.element.hidden = true;
    this.thumbnails?.run(false);
    this.resolve();
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  private tile(scene: { name: string; about: string }): HTMLElement {
    const canvas = h("canvas", { width: 320, height: 220, "data-scene": scene.name, "aria-hidden": "true" });
    return h("button", { class: "tile", type: "button", "data-open": scene.name, onclick: () => this.open(scene.name) },
      canvas, h("strong", {}, scene.name.replace(/_/g, " ")), h("span", {}, scene.about));
  }
}
