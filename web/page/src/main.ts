import "./style.css";
import { App } from "./app";
import { h } from "./ui/dom";
import { findLacks } from "./ui/lacks";

const root = document.getElementById("app")!;
const lacks = findLacks();
const needed = lacks.filter((lack) => lack.needed);
if (needed.length) {
  root.append(h("main", { class: "lacks" }, h("h1", {}, "Pliant cannot run in this browser"),
    h("p", {}, "It lacks"), h("ul", {}, ...needed.map((lack) => h("li", {}, lack.what)))));
} else {
  const app = new App(root, lacks.map((lack) => lack.what));
  // For the console, and for tests: pliant.center("bunny") [m], pliant.onScreen("bunny") in pixels.
  const center = (name: string): number[] | undefined => app.live.center(name)?.toArray();
  const onScreen = (name: string): number[] | null => {
    const point = app.live.center(name);
    return point && app.live.onScreen(point);
  };
  Object.assign(window, { pliant: { center, onScreen } });
  void app.start();
}
