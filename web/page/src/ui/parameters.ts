// Sliders, made from the engine's parameter tables.

import type { Parameter, ParameterTable, ParameterValue } from "../engine/protocol";
import { h, shortNumber } from "./dom";

type Change = (path: string, parameter: Parameter, value: ParameterValue) => Promise<string | null>;

const titles: Record<string, string> = { settings: "Settings", forces: "Forces", contact: "Contact" };

export class Parameters {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "tables" });
  private readonly search = h("input", { type: "search", placeholder: "Find a parameter", "aria-label": "Find a parameter", oninput: () => this.build() });
  private tables: ParameterTable[] = [];
  private readonly unfolded = new Map<string, boolean>(); // by hand, by path

  /** `change` answers with an error text, or null. */
  constructor(private readonly change: Change) {
    this.element = h("div", { class: "parameters" }, this.search, this.list);
  }

  /** A scene that starts again leaves what was unfolded, and the focus, where they were. */
  show(tables: ParameterTable[]): void {
    this.tables = tables;
    const focus = (document.activeElement as HTMLElement | null)?.dataset.set;
    const scroller = this.element.closest(".panel");
    const top = scroller?.scrollTop ?? 0;
    this.build();
    if (focus) this.list.querySelector<HTMLElement>(`[data-set="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    if (scroller) scroller.scrollTop = top;
  }

  private build(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const firstBody = this.tables.find((table) => table.body >= 0)?.path;
    const shown = this.tables.flatMap((table) => {
      const fits = (parameter: Parameter): boolean => !wanted || `${table.path} ${parameter.name} ${parameter.help}`.toLowerCase().includes(wanted);
      const parameters = table.parameters.filter((parameter) => parameter.type !== "text" && fits(parameter));
      return parameters.length ? [this.table(table, parameters, wanted !== "" || (this.unfolded.get(table.path) ?? (table.path === "forces" || table.path === firstBody)))] : [];
    });
    this.list.replaceChildren(...(shown.length ? shown : [h("p", { class: "hint" }, "No parameter has this in its name.")]));
  }

  /** Filled when it is opened: a scene may have hundreds of bodies. */
  private table(table: ParameterTable, parameters: Parameter[], open: boolean): HTMLElement {
    const kind = table.body >= 0 || table.kind === "glue" ? h("small", {}, table.kind) : null;
    const name = titles[table.path] ?? table.path.slice(table.path.indexOf(".") + 1);
    const details = h("details", { open, "data-path": table.path }, h("summary", {}, name, kind));
    const fill = (): void => {
      if (details.open && details.childElementCount === 1) details.append(...parameters.map((p) => this.row(table, p)));
    };
    details.addEventListener("toggle", fill);
    details.querySelector("summary")!.addEventListener("click", () => this.unfolded.set(table.path, !details.open));
    fill();
    return details;
  }

  private row(table: ParameterTable, parameter: Parameter): HTMLElement {
    const path = `${table.path}.${parameter.name}`;
    const note = h("output", { class: "problem", role: "status" });
    const set = async (value: ParameterValue): Promise<void> => {
      parameter.value = value;
      note.textContent = (await this.change(path, parameter, value)) ?? "";
    };
    const unit = parameter.unit && parameter.unit !== "1" ? h("span", { class: "unit" }, parameter.unit) : null;
    const label = h("span", { class: "name" }, parameter.name.replace(/_/g, " "), unit);
    return h("div", { class: "parameter", title: `${parameter.help}${parameter.live ? "" : " — starts the scene again"}` },
      h("label", {}, label, ...control(parameter, path, (value) => void set(value))), note);
  }
}

function control(parameter: Parameter, path: string, set: (value: ParameterValue) => void): HTMLElement[] {
  const { value, choices } = parameter;
  switch (parameter.type) {
    case "boolean": {
      if (parameter.optional) return [threeWayControl(value, path, set)];
      const box = h("input", { type: "checkbox", checked: value === true, "data-set": path, onchange: () => set(box.checked) });
      return [box];
    }
    case "choice": {
      const options = choices.map((name) => h("option", { value: name, selected: name === value }, name));
      const list = h("select", { "data-set": path, onchange: () => set(list.value) }, ...options);
      return [list];
    }
    case "vector": return vectorControl(parameter, path, set);
    case "text": return [];
    default: return numberControl(parameter, path, set);
  }
}

/** On, off, or left out. */
function threeWayControl(value: ParameterValue, path: string, set: (value: ParameterValue) => void): HTMLElement {
  const states: [string, ParameterValue][] = [["auto", null], ["on", true], ["off", false]];
  const options = states.map(([name, state]) => h("option", { value: name, selected: state === value }, name));
  const list = h("select", { "data-set": path, onchange: () => set(states[list.selectedIndex]?.[1] ?? null) }, ...options);
  return list;
}

function vectorControl(parameter: Parameter, path: string, set: (value: ParameterValue) => void): HTMLElement[] {
  const current = Array.isArray(parameter.value) ? [...parameter.value] : [0, 0, 0];
  const fields = ["x", "y", "z"].map((axis, i) =>
    h("input", {
      type: "number", step: "any", value: shortNumber(current[i] ?? 0), "aria-label": `${parameter.name} ${axis}`, "data-set": `${path}.${i}`,
      onchange: (event: Event) => {
        current[i] = Number((event.target as HTMLInputElement).value);
        set([...current] as [number, number, number]);
      },
    }));
  return [h("span", { class: "vector" }, ...fields)];
}

/** How positions of a slider, 0 to 1, become values: evenly between limits, by powers of ten without. */
export function sliderScale(parameter: Parameter): { toValue: (t: number) => number; toSlider: (value: number) => number } {
  const { low, high } = parameter;
  const whole = (value: number): number => (parameter.type === "integer" ? Math.round(value) : value);
  if (low !== null && high !== null && high - low <= 1000)
    return { toValue: (t) => whole(low + t * (high - low)), toSlider: (value) => (value - low) / (high - low) };
  const usual = [parameter.value, parameter.default].find((v): v is number => typeof v === "number" && v !== 0);
  const size = Math.abs(usual ?? (parameter.type === "integer" ? 10 : 1));
  const signed = low === null || low < 0;
  const top = Math.min(high ?? Infinity, 100 * size);
  // A fourth power: small values have room, zero is reached.
  const toValue = (t: number): number => whole(signed ? Math.sign(t - 0.5) * top * Math.abs(2 * t - 1) ** 4 : Math.max(low ?? 0, top * t ** 4));
  const root = (value: number): number => Math.min(1, Math.abs(value) / top) ** 0.25;
  return { toValue, toSlider: (value) => (signed ? 0.5 + 0.5 * Math.sign(value) * root(value) : root(value)) };
}

function numberControl(parameter: Parameter, path: string, set: (value: ParameterValue) => void): HTMLElement[] {
  const scale = sliderScale(parameter);
  const value = typeof parameter.value === "number" ? parameter.value : null;
  const field = h("input", {
    type: "number", step: parameter.type === "integer" ? 1 : "any", value: value === null ? "" : shortNumber(value),
    placeholder: "auto", "aria-label": `${parameter.name}, value`,
    onchange: () => {
      const entered = field.value.trim() === "" ? null : Number(field.value);
      if (entered !== null) slider.value = String(scale.toSlider(entered));
      set(entered === null && !parameter.optional ? parameter.default : entered);
    },
  });
  const slider = h("input", {
    type: "range", min: 0, max: 1, step: 0.001, value: scale.toSlider(value ?? 0), "data-set": path, "aria-label": `${parameter.name}, slider`,
    oninput: () => slide(parameter.live),
    onchange: () => slide(!parameter.live), // where the scene starts again, only once the slider is let go
  });
  const slide = (now: boolean): void => {
    let entered = Number(scale.toValue(Number(slider.value)).toPrecision(3));
    if (parameter.openLow && parameter.low !== null && entered <= parameter.low) entered = scale.toValue(0.001) || 1e-6;
    field.value = shortNumber(entered);
    if (now) set(entered);
  };
  return [slider, field];
}
