// The built page in a real browser. Screenshots go to dist/shots to be looked at.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { browse, serve } from "./serve.mjs";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const patience = 60000;
let server, browser;

before(async () => {
  await mkdir(`${dist}shots`, { recursive: true });
  server = await serve(`${dist}page`);
  browser = await browse();
});
after(async () => {
  await browser?.close();
  server?.close();
});

async function open(address) {
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  await page.goto(server.address + address, { waitUntil: "commit" });
  return page;
}

const reached = (page, frame) =>
  page.waitForFunction((n) => Number(document.querySelector("canvas.stage")?.dataset.frame ?? -1) >= n, frame, { timeout: patience });

async function finish(page, name) {
  await page.screenshot({ path: `${dist}shots/${name}.png` });
  assert.deepEqual(page.errors, []);
  await page.close();
}

test("the gallery opens and draws a scene", async () => {
  const page = await open("?fast=1&ratio=0.5");
  await page.waitForSelector(".tile.ready", { timeout: patience });
  assert.ok((await page.locator(".tile").count()) > 20);
  await finish(page, "gallery");
});

for (const scene of ["bunny_drop", "cloth_hang", "rod_helix", "rigid_drop", "puppet"]) {
  test(`${scene} loads and steps`, async () => {
    const page = await open(`?fast=1&ratio=0.5#scene=${scene}`);
    await reached(page, 5);
    await finish(page, scene);
  });
}

test("a wrong scene shows its error at the line, and the page goes on", async () => {
  const page = await open("?fast=1&ratio=0.5#scene=bunny_drop");
  await reached(page, 2);
  await page.click("#tab-scene");
  await page.click(".cm-content", { timeout: patience });
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText('{\n  "frames": 10,\n  "solid": []\n}');
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".problems li", { timeout: patience });
  assert.match(await page.textContent(".problems"), /line 3/);
  const before = Number(await page.getAttribute("canvas.stage", "data-frame"));
  await reached(page, before + 2);
  await finish(page, "wrong_scene");
});

test("the player without data says so, from the disk", async () => {
  const page = await browser.newPage();
  await page.goto(`file://${dist}player.html`);
  await page.waitForSelector("text=No data");
  await page.close();
});
