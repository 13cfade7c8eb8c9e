// The little that is needed of a framework.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** An element: h("button", { class: "round", onclick: run, "aria-label": "Play" }, icon("play")). */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const shapes: Record<string, string> = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  step: "M6 5v14l9-7zM16 5h3v14h-3z",
  reset: "M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  sliders: "M4 7h10v2H4zM18 7h2v2h-2zM14 5h4v6h-4zM4 15h2v2H4zM10 15h10v2H10zM6 13h4v6H6z",
  eye: "M12 5C6 5 2.5 12 2.5 12S6 19 12 19s9.500-7 9.500-7S18 5 12 5zm0 11a4 4 0 1 1 0-8 4 4 0 0 1 0 8zm0-2a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  graph: "M4 4h2v14h14v2H4zM8 14l4-5 3 3 4-6 1.600 1.200-5.400 7.800-3-3-2.700 3.300z",
  code: "M9 7 4 12l5 5 1.400-1.400L6.800 12l3.600-3.600zM15 7l5 5-5 5-1.400-1.400 3.600-3.600-3.600-3.600z",
  share: "M12 2l5 5-1.400 1.400L13 5.800V15h-2V5.800L8.400 8.400 7 7zM5 11h3v2H7v7h10v-7h-1v-2h3v11H5z",
  save: "M11 3h2v9.200l3.600-3.600L18 10l-6 6-6-6 1.400-1.400 3.600 3.600zM4 18h16v2H4z",
  moon: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  close: "M6.400 5 12 10.600 17.600 5 19 6.400 13.400 12 19 17.600 17.600 19 12 13.400 6.400 19 5 17.600 10.600 12 5 6.400z",
  home: "M12 3 3 11h2.500v9h5v-6h3v6h5v-9H21z",
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", shapes[name] ?? "");
  svg.append(path);
  return svg;
}

/** A button with an icon; `label` is read out and shown as a hint. */
export function iconButton(name: string, label: string, onclick: () => void): HTMLButtonElement {
  return h("button", { class: "icon", type: "button", "aria-label": label, title: label, onclick }, icon(name));
}

export function download(name: string, content: Blob | string): void {
  const blob = typeof content === "string" ? new Blob([content], { type: "application/json" }) : content;
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A number that can be read: four digits, no long tails. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(2).replace("e+", "e") : String(Number(value.toPrecision(4)));
}
