import "../style.css";
import "./player.css";
import { findLacks } from "../ui/lacks";
import { h } from "../ui/dom";
import { readPlayerFile } from "./data";
import { Player } from "./player";

const root = document.getElementById("app")!;
const fail = (title: string, text: string): void => root.replaceChildren(h("main", { class: "lacks" }, h("h1", {}, title), h("p", {}, text)));
try {
  const file = readPlayerFile(document.getElementById("pliant-data")?.textContent ?? "");
  const gl = findLacks().find((lack) => lack.what.startsWith("WebGL"));
  if (gl) fail("This browser cannot show it", `It lacks ${gl.what}`);
  else if (!file) fail("No data", "This is the player itself. `pliant run SCENE -o result.html` makes a file that plays.");
  else new Player(root, file).start();
} catch (error) {
  fail("This file cannot be played", error instanceof Error ? error.message : String(error));
}
