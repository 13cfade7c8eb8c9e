// What is shown: the engine's inside, colours of a field, and what a slow machine can do without.

import { debugStyles } from "../draw/overlay";
import { switches, type Quality } from "../draw/quality";
import type { DebugKind, FieldKind } from "../engine/protocol";
import { h } from "./dom";

export class Display {
  readonly element: HTMLElement;
  readonly debug = new Set<DebugKind>();
  field: FieldKind | null = null;

  constructor(quality: Quality, changed: () => void, onsurfaces: (shown: boolean) => void, onscale: (scale: number) => void) {
    const kinds = (Object.keys(debugStyles) as DebugKind[]).map((kind) =>
      check(debugStyles[kind].label, debugStyles[kind].help, false, (on) => {
        if (on) this.debug.add(kind);
        else this.debug.delete(kind);
        changed();
      }, `show-${kind}`));
    const fields = h("select", { id: "show-field", onchange: () => {
      this.field = fields.value === "" ? null : (fields.value as FieldKind);
      changed();
    } }, h("option", { value: "" }, "material"), h("option", { value: "strain" }, "strain"), h("option", { value: "speed" }, "speed"));
    const top = h("input", { type: "range", min: -3, max: 1, step: 0.05, value: -0.7, "aria-label": "Red from", oninput: () => showScale() });
    const topText = h("output", {});
    const showScale = (): void => {
      const value = 10 ** Number(top.value);
      topText.textContent = Number(value.toPrecision(2)).toString();
      onscale(1 / value);
    };
    showScale();
    const costs = switches.map((name) => check(name, "part of the picture; turns the page over", quality[name], (on) => {
      const url = new URL(location.href);
      url.searchParams.set(name, on ? "1" : "0");
      location.replace(url);
    }, `quality-${name}`));
    this.element = h("div", { class: "display" },
      h("label", { class: "line" }, "Colours show", fields), h("label", { class: "line" }, "Red from", top, topText),
      check("Surfaces", "bodies as they look; without them their inside is seen", true, onsurfaces, "show-surfaces"),
      h("h3", {}, "What the engine sees"), ...kinds, h("h3", {}, "Picture"), ...costs);
  }
}

function check(label: string, help: string, on: boolean, set: (on: boolean) => void, id: string): HTMLElement {
  const box = h("input", { type: "checkbox", id, checked: on, onchange: () => set(box.checked) });
  return h("label", { class: "check", title: help }, box, h("span", {}, label[0]!.toUpperCase() + label.slice(1)));
}
