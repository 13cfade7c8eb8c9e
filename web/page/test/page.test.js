// The built page in a real browser: gallery, scenes, drag, slider, mistakes. Nothing is said about frames per second.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { countColors, newPage, openBrowser, serve, takePicture, waitForFrame } from "./browser.js";

const cheap = "?fast=1&ratio=0.5"; // drawn without a graphics card
let browser, site;
before(async () => {
  site = await serve("page");
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  site.close();
});

async function open(query, options) {
  const opened = await newPage(browser.context, options);
  await opened.page.goto(site.address + query);
  return opened;
}

const sceneOf = (page) => page.evaluate(() => document.querySelector("canvas.stage").dataset.scene);
const readout = (page) => page.evaluate(() => Number(document.querySelector("canvas.stage").dataset.frame));

test("the gallery opens with moving pictures, and a scene from it plays", async () => {
  const { page, complaints } = await open(cheap);
  await page.locator(".tile.ready").first().waitFor();
  assert.ok((await page.locator(".tile").count()) >= 40);
  await takePicture(page, "gallery");
  await page.locator('[data-open="bunny_drop"]').click();
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.scene === "bunny_drop");
  await waitForFrame(page, 5);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the first picture waits for nothing that can come later", async () => {
  const { page, complaints } = await open("?fast=0&ratio=0.5&paused=1#scene=cloth_hang");
  await waitForFrame(page, 0);
  await page.locator("canvas.stage[data-lit]").waitFor(); // the environment
  const marks = await page.evaluate(() => performance.getEntriesByName("first picture").map((mark) => mark.startTime));
  const asked = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name));
  assert.equal(marks.length, 1);
  assert.ok(asked.every((name) => !/editor/.test(name)), "the editor is loaded when it is opened");
  console.log(`first picture after ${marks[0].toFixed(0)} ms, drawn by the processor`);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("every scene loads and steps, but for four that take a browser minutes", async () => {
  const { page, complaints } = await open(cheap);
  await page.locator(".tile").first().waitFor();
  const all = await page.locator("[data-open]").evaluateAll((tiles) => tiles.map((tile) => tile.dataset.open));
  const large = ["solid_million", "hair_10k", "cloth_pile_10k", "cloth_pile_17k"];
  assert.ok(large.every((name) => all.includes(name)));
  await page.goto(`${site.address}${cheap}&paused=1#scene=cloth_hang`);
  for (const scene of all.filter((name) => !large.includes(name))) {
    await page.evaluate((name) => {
      location.hash = `scene=${name}`;
    }, scene);
    await page.waitForFunction((name) => document.querySelector("canvas.stage").dataset.scene === name, scene, { timeout: 120000 });
    await waitForFrame(page, 0);
    await page.getByLabel("One frame").click();
    await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.frame === "1", undefined, { timeout: 120000 });
    assert.deepEqual(complaints, [], scene);
  }
  await page.close();
});

test("a drag moves the body, and the space bar stops it", async () => {
  const { page, complaints } = await open(`${cheap}&paused=1#scene=bunny_drop`);
  await waitForFrame(page, 0);
  assert.equal(await sceneOf(page), "bunny_drop");
  const before = await page.evaluate(() => window.pliant.center("bunny"));
  const at = await page.evaluate(() => window.pliant.onScreen("bunny"));
  await page.mouse.move(at[0], at[1]);
  await page.mouse.down();
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.held === "bunny");
  await page.mouse.move(at[0] + 90, at[1] - 60, { steps: 6 });
  await waitForFrame(page, 30);
  const during = await page.evaluate(() => window.pliant.center("bunny"));
  await takePicture(page, "drag");
  await page.mouse.up();
  assert.ok(during[1] > before[1], `the hand pulls up against gravity: ${before} to ${during}`);
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.held === "");
  await page.keyboard.press("Space");
  await waitForFrame(page, 32);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a slider changes the motion", async () => {
  const heights = [];
  for (const gravity of [null, 0]) {
    const { page, complaints } = await open(`${cheap}&paused=1#scene=bunny_drop`);
    await waitForFrame(page, 0);
    await page.getByRole("tab", { name: "Parameters" }).click();
    const field = page.locator('[data-set="forces.gravity.1"]');
    await field.waitFor();
    if (gravity !== null) {
      await field.fill(String(gravity));
      await field.blur();
    }
    for (let frame = 1; frame <= 12; ++frame) {
      await page.getByLabel("One frame").click();
      await waitForFrame(page, frame);
    }
    heights.push((await page.evaluate(() => window.pliant.center("bunny")))[1]);
    if (gravity !== null) await takePicture(page, "parameters");
    assert.deepEqual(complaints, []);
    await page.close();
  }
  assert.ok(heights[1] > heights[0] + 0.01, `without gravity it does not fall: ${heights}`);
});

test("a wrong scene shows its mistake at its line, and the page goes on", async () => {
  const { page, complaints } = await open(`${cheap}#scene=cloth_hang`);
  await waitForFrame(page, 1);
  await page.getByRole("tab", { name: "Scene" }).click();
  await page.locator(".cm-content").waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{\n    "frames": 3,\n    "cloths": [{ "name": "c", "colour": 1 }]\n}\n');
  await page.keyboard.press("Control+Enter");
  await page.locator(".problems li").first().waitFor();
  assert.match(await page.locator(".problems li").first().textContent(), /^line 3: .*colour/);
  await page.locator(".cm-lint-marker-error").waitFor();
  await takePicture(page, "mistake");
  const frame = await readout(page);
  await waitForFrame(page, frame + 3); // the old scene plays on
  assert.equal(await sceneOf(page), "cloth_hang");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the whole picture, light and dark, wide and on a phone", async () => {
  const views = [
    ["bunny", "?fast=0&paused=1&theme=light#scene=bunny_drop", { width: 900, height: 600 }],
    ["puppet", "?fast=0&paused=1&theme=dark#scene=puppet", { width: 900, height: 600 }],
    ["phone", "?fast=0&paused=1&theme=light#scene=cloth_hang", { width: 390, height: 700 }],
  ];
  for (const [name, query, viewport] of views) {
    const { page, complaints } = await open(query, { viewport });
    await waitForFrame(page, 0);
    await page.getByLabel("One frame").click();
    await waitForFrame(page, 1);
    await page.locator("canvas.stage[data-lit]").waitFor();
    const png = await takePicture(page, name);
    assert.ok((await countColors(page, png)) > 90, `${name}: the picture is empty`);
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test("what a scene shows fits beside an open panel, on a phone too", async () => {
  const { page, complaints } = await open(`${cheap}&paused=1#scene=bunny_drop`, { viewport: { width: 390, height: 780 } });
  await waitForFrame(page, 0);
  await page.getByRole("tab", { name: "Parameters" }).click();
  const panel = await page.locator(".panel").boundingBox();
  const [low, high] = [66, panel.y];
  const [, y] = await page.evaluate(() => window.pliant.onScreen("bunny"));
  assert.ok(y > low + (high - low) / 4 && y < high - (high - low) / 4, `the rabbit is at ${y}, free are ${low} to ${high}`);
  assert.deepEqual(complaints, []);
  await page.close();
});
