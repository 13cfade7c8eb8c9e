// The drawer with the tabs: parameters, display, graphs, scene. At the side, or at the bottom of a phone.

import { h, icon } from "./dom";

export interface Tab {
  id: string;
  label: string;
  icon: string;
  content: HTMLElement;
  onopen?: () => void;
}

export class Panel {
  readonly element: HTMLElement;
  readonly buttons: HTMLElement;
  private open: string | null = null;
  onchange: () => void = () => undefined;

  constructor(private readonly tabs: Tab[]) {
    this.buttons = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels" }, ...tabs.map((tab) =>
      h("button", {
        class: "icon", role: "tab", type: "button", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}`, "aria-selected": "false",
        "aria-label": tab.label, title: tab.label, onclick: () => this.toggle(tab.id),
      }, icon(tab.icon))));
    this.element = h("aside", { class: "panel", hidden: true }, ...tabs.map((tab) =>
      h("section", { role: "tabpanel", id: `panel-${tab.id}`, "aria-labelledby": `tab-${tab.id}`, hidden: true }, h("h2", {}, tab.label), tab.content)));
  }

  get current(): string | null {
    return this.open;
  }

  toggle(id: string | null): void {
    this.open = this.open === id ? null : id;
    this.element.hidden = this.open === null;
    for (const tab of this.tabs) {
      const shown = tab.id === this.open;
      this.element.querySelector<HTMLElement>(`#panel-${tab.id}`)!.hidden = !shown;
      this.buttons.querySelector(`#tab-${tab.id}`)!.setAttribute("aria-selected", String(shown));
      if (shown) tab.onopen?.();
    }
    this.onchange();
  }

  show(id: string): void {
    if (this.open !== id) this.toggle(id);
  }
}
