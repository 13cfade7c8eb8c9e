// What ties page, package and program together: a recording made by hand in the page replays with equal hashes in node and
// natively, and `pliant view` shows a file and follows it.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { loadEngine } from "../../engine/engine.js";
import { newPage, openBrowser, pictures, program, serve, takePicture, waitForFrame } from "./browser.js";

const cheap = "fast=1&ratio=0.5";
let browser, site;
before(async () => {
  site = await serve("page");
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  site.close();
});

async function dragOnce(page, dx, dy) {
  const at = await page.evaluate(() => window.pliant.onScreen("bunny"));
  await page.mouse.move(at[0], at[1]);
  await page.mouse.down();
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.held === "bunny");
  await page.mouse.move(at[0] + dx, at[1] + dy, { steps: 4 });
  const frame = await page.evaluate(() => Number(document.querySelector("canvas.stage").dataset.frame));
  await waitForFrame(page, frame + 6);
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.held === "");
}

/** Drags twice, saves the recording, and compares its hashes with those of node and of the native program. */
async function proveRecording(address, name, threads) {
  const { page, complaints } = await newPage(browser.context);
  await page.goto(`${address}?${cheap}&paused=1&threads=2#scene=bunny_drop`);
  await waitForFrame(page, 0);
  assert.equal(await page.evaluate(() => document.querySelector("canvas.stage").dataset.threads), String(threads));
  await dragOnce(page, 60, -40);
  await dragOnce(page, -50, -20);
  await page.getByRole("tab", { name: "Save and share" }).click();
  const waiting = page.waitForEvent("download");
  await page.getByText("Save the recording").click();
  const file = join(pictures, `${name}.recording.json`);
  writeFileSync(file, gunzipSync(readFileSync(await (await waiting).path())));
  assert.deepEqual(complaints, []);
  await page.close();

  const replay = (await loadEngine()).openRecording(readFileSync(file, "utf8"));
  assert.ok(replay.frames >= 12);
  assert.equal(replay.run().firstDifference, null);
  replay.close();
  for (const count of [1, 2, 7]) execFileSync(program, ["replay", file, "--threads", String(count), "--quiet"]);
}

test("a recording made in the page replays with equal hashes in node and natively, with 1, 2 and 7 threads", () =>
  proveRecording(site.address, "bunny_drop", 1));

test("a page that is isolated computes with threads, and the same bits", async () => {
  const isolated = await serve("page", { isolated: true });
  await proveRecording(isolated.address, "bunny_drop_threads", 2).finally(() => isolated.close());
});

test("pliant view shows a scene file, and again when it changes", async () => {
  const scene = join(pictures, "viewed.json");
  const text = '{ "about": "first", "rigids": [{ "name": "ball", "shape": { "kind": "sphere" }, "position": [0, 2, 0] }], "colliders": [{ "name": "ground", "shape": "plane" }] }\n';
  writeFileSync(scene, text);
  const server = spawn(program, ["view", scene, "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((resolve) => {
      let said = "";
      server.stdout.on("data", (part) => {
        said += part;
        const found = /http:\S+/.exec(said);
        if (found) resolve(found[0]);
      });
    });
    const { page, complaints } = await newPage(browser.context);
    await page.goto(address.replace("/#", `/?${cheap}#`));
    await page.getByText("first", { exact: true }).waitFor({ state: "attached" });
    await waitForFrame(page, 3);
    writeFileSync(scene, text.replace("first", "second"));
    await page.getByText("second", { exact: true }).waitFor({ state: "attached" });
    await waitForFrame(page, 3);
    await takePicture(page, "view");
    writeFileSync(scene, text.replace('"kind": "sphere"', '"kind": "mesh", "file": "missing.obj"'));
    await page.locator(".problems").getByText(/line 1: .*missing\.obj/).waitFor(); // at its line, as for any other mistake
    assert.deepEqual(complaints.filter((complaint) => !/409/.test(complaint)), []);
    await page.close();
  } finally {
    server.kill("SIGINT");
  }
  assert.equal(await new Promise((resolve) => server.on("exit", resolve)), 0);
});

test("the page is small: 1.5 MB in all as it goes over the wire", () => {
  const files = execFileSync("find", [new URL("../dist/page", import.meta.url).pathname, "-type", "f"], { encoding: "utf8" }).trim().split("\n");
  const gzipped = files.reduce((sum, name) => sum + execFileSync("gzip", ["-9", "-c", name], { maxBuffer: 1e8 }).length, 0);
  assert.ok(gzipped < 1.5e6, `${gzipped} bytes`);
  assert.ok(files.every((name) => statSync(name).size > 0));
});
