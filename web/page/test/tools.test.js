// The tools of the page: meshes that are dropped, links, what the engine sees, the kept state, completion, keys, pictures.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { countColors, newPage, openBrowser, serve, takePicture, waitForFrame } from "./browser.js";

const cheap = "?fast=1&ratio=0.5&paused=1";
let browser, site;
before(async () => {
  site = await serve("page");
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  site.close();
});

async function open(scene, options) {
  const opened = await newPage(browser.context, options);
  await opened.page.goto(`${site.address}${cheap}#scene=${scene}`);
  await waitForFrame(opened.page, 0);
  return opened;
}

const tab = (page, name) => page.getByRole("tab", { name }).click();
const sceneOf = (page) => page.evaluate(() => document.querySelector("canvas.stage").dataset.scene);

/** A box of 0.3 m, as the text of each kind of file. */
function boxFiles() {
  const corners = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2].map((k) => 0.3 * k));
  const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const faces = quads.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);
  const bytes = Buffer.concat([Buffer.from(new Float32Array(corners.flat()).buffer), Buffer.from(new Uint16Array(faces.flat()).buffer)]);
  const gltf = {
    asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString("base64")}` }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 96 }, { buffer: 0, byteOffset: 96, byteLength: 72 }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: "VEC3", min: [0, 0, 0], max: [0.3, 0.3, 0.3] },
      { bufferView: 1, componentType: 5123, count: 36, type: "SCALAR" },
    ],
  };
  const lines = (list, prefix, add = 0) => list.map((row) => `${prefix}${row.map((k) => k + add).join(" ")}`).join("\n");
  return {
    "obj_box.obj": `${lines(corners, "v ")}\n${lines(faces, "f ", 1)}\n`,
    "ply_box.ply": `ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\nelement face 12\nproperty list uchar int vertex_indices\nend_header\n${lines(corners, "")}\n${lines(faces, "3 ")}\n`,
    "stl_box.stl": `solid box\n${faces.map((f) => `facet normal 0 0 0\nouter loop\n${lines(f.map((i) => corners[i]), "vertex ")}\nendloop\nendfacet`).join("\n")}\nendsolid box\n`,
    "gltf_box.gltf": JSON.stringify(gltf),
  };
}

test("meshes that are dropped fall as soft bodies: OBJ, PLY, STL, glTF", async () => {
  const { page, complaints } = await open("cloth_hang");
  for (const [name, text] of Object.entries(boxFiles())) {
    const files = await page.evaluateHandle(([file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file));
      return transfer;
    }, [name, text]);
    await page.dispatchEvent("#app", "drop", { dataTransfer: files });
    const body = name.split(".")[0];
    await page.waitForFunction((wanted) => window.pliant.center(wanted) !== undefined && window.pliant.center(wanted) !== null, body);
    const from = await page.evaluate((wanted) => window.pliant.center(wanted)[1], body);
    await waitForFrame(page, 4);
    await page.waitForFunction(([wanted, height]) => window.pliant.center(wanted)[1] < height - 0.001, [body, from]);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a link carries the scene, its parameters and the view", async () => {
  const { page, complaints } = await open("bunny_drop");
  await tab(page, "Parameters");
  const field = page.locator('[data-set="forces.gravity.1"]');
  await field.fill("-1.5");
  await field.blur();
  await page.keyboard.press("Escape");
  await page.locator("canvas.stage").focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press("ArrowLeft"); // turns the view
  await tab(page, "Save and share");
  await page.getByText("Copy a link to this").click();
  await page.waitForFunction(() => location.hash.startsWith("#z="));
  const before = await page.evaluate(() => window.pliant.onScreen("bunny"));
  const other = await newPage(browser.context);
  await other.page.goto(site.address + cheap + (await page.evaluate(() => location.hash)));
  await waitForFrame(other.page, 0);
  assert.equal(await sceneOf(other.page), "bunny_drop");
  await tab(other.page, "Parameters");
  assert.equal(await other.page.locator('[data-set="forces.gravity.1"]').inputValue(), "-1.5");
  await tab(other.page, "Save and share");
  const after = await other.page.evaluate(() => window.pliant.onScreen("bunny"));
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) < 3, `${before} and ${after}`);
  assert.deepEqual([...complaints, ...other.complaints], []);
  await other.page.close();
  await page.close();
});

test("what the engine sees is drawn over the picture, and strain as colour", async () => {
  const { page, complaints } = await open("puppet");
  await tab(page, "Display");
  const plain = await countColors(page, await page.locator("canvas.stage").screenshot());
  const boxes = page.locator('.display input[id^="show-"][type="checkbox"]:not(#show-surfaces)');
  const count = await boxes.count();
  assert.ok(count >= 9);
  for (let i = 0; i < count; ++i) await boxes.nth(i).check();
  await page.locator("#show-field").selectOption("strain");
  await page.keyboard.press("Escape");
  for (let frame = 1; frame <= 3; ++frame) {
    await page.getByLabel("One frame").click();
    await waitForFrame(page, frame);
  }
  await page.waitForTimeout(300);
  assert.ok((await countColors(page, await takePicture(page, "inside"))) > plain, "nothing was drawn over it");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a state that was kept comes back, by keys alone the scene plays and starts again", async () => {
  const { page, complaints } = await open("bunny_drop");
  await page.keyboard.press("."); // one frame
  await waitForFrame(page, 1);
  await tab(page, "Save and share");
  await page.getByText("Keep this state").click();
  const kept = await page.evaluate(() => window.pliant.center("bunny"));
  await page.locator("canvas.stage").focus();
  await page.keyboard.press("Space");
  await waitForFrame(page, 8);
  await page.keyboard.press("Space");
  await page.getByText("Back to the kept state").click();
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.frame === "1");
  assert.deepEqual(await page.evaluate(() => window.pliant.center("bunny")), kept);
  await page.locator("canvas.stage").focus();
  await page.keyboard.press("r");
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.frame === "0");
  const picture = page.waitForEvent("download");
  await page.getByText("Save the picture").click();
  const png = readFileSync(await (await picture).path());
  assert.ok((await countColors(page, png)) > 20, "the saved picture is empty");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the editor completes keys and choices from the schema", async () => {
  const { page, complaints } = await open("cloth_hang");
  await tab(page, "Scene");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{\n    "cloths": [{ "shape": { ');
  await page.keyboard.type('"ki');
  await page.locator(".cm-tooltip-autocomplete").getByText('"kind"', { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(complaints, []);
  await page.close();
});
