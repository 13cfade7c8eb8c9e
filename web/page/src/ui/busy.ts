// Says that something takes a while, and lets one stop it. What takes less than a moment is not worth a word.

import { h } from "./dom";

const moment = 400; // milliseconds

export class Busy {
  readonly element: HTMLElement;
  private readonly text = h("span", {});
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(oncancel: () => void) {
    this.element = h("div", { class: "busy", role: "status", hidden: true }, h("i", { "aria-hidden": "true" }), this.text,
      h("button", { type: "button", class: "wide", onclick: oncancel }, "Cancel"));
  }

  begin(text: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.text.textContent = `${text} …`;
      this.element.hidden = false;
    }, moment);
  }

  end(): void {
    clearTimeout(this.timer);
    this.element.hidden = true;
  }
}
