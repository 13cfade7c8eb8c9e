// What impatient and careless people do: links that are cut off, files of other programs, a scene that takes too long, sliders that
// start the scene again, an engine that breaks down.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { newPage, openBrowser, serve, takePicture, waitForFrame } from "./browser.js";

const cheap = "?fast=1&ratio=0.5";
let browser, site;
before(async () => {
  site = await serve("page");
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  site.close();
});

async function open(query, prepare = () => undefined) {
  const opened = await newPage(browser.context);
  await prepare(opened.page);
  await opened.page.goto(site.address + query);
  return opened;
}

const packed = (json) => `#z=${deflateRawSync(Buffer.from(json)).toString("base64url")}`;
const sceneIs = (page, name) => page.waitForFunction((wanted) => document.querySelector("canvas.stage").dataset.scene === wanted, name);

async function drop(page, name, bytes) {
  const files = await page.evaluateHandle(([file, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], file));
    return transfer;
  }, [name, Buffer.from(bytes).toString("base64")]);
  await page.dispatchEvent("#app", "drop", { dataTransfer: files });
}

async function download(page, text) {
  const waiting = page.waitForEvent("download");
  await page.getByText(text, { exact: true }).click();
  return readFileSync(await (await waiting).path());
}

test("a link that is wrong says so, and the page goes on", async () => {
  const { page, complaints } = await open(`${cheap}&paused=1#scene=cloth_hang`);
  await waitForFrame(page, 0);
  const cannot = "The link cannot be read";
  const swollen = `{"text":"${" ".repeat(100e6)}"}`;
  for (const [hash, text] of [["#z=@@", cannot], [packed('{"scene":"bunny_drop"}').slice(0, 12), cannot], [packed('{"text":5}'), cannot], [packed("null"), cannot],
    [packed(swollen), cannot], ["#scene=nowhere", 'no built-in scene "nowhere"'], ["#view=abc", "it does not answer here"]]) {
    await page.evaluate((wanted) => (location.hash = wanted), hash);
    await page.locator(".notice").getByText(text).waitFor();
    await page.evaluate(() => (document.querySelector(".notice").hidden = true));
    assert.equal(await page.evaluate(() => document.querySelector("canvas.stage").dataset.scene), "cloth_hang");
  }
  await page.evaluate((wanted) => (location.hash = wanted), packed('{"scene":"puppet","view":["a",1,2,3,4,5],"speed":"fast","sets":7}'));
  await sceneIs(page, "puppet"); // what is wrong beside it is left out
  assert.ok((await page.evaluate(() => window.pliant.onScreen("belly"))).every(Number.isFinite));
  assert.deepEqual(complaints.filter((text) => !/404/.test(text)), []);
  await page.close();
});

test("files that nobody can read are refused by name", async () => {
  const { page, complaints } = await open(`${cheap}#scene=cloth_hang`);
  await waitForFrame(page, 1);
  for (const [name, bytes, text] of [["photo.png", [137, 80, 78, 71], "photo.png is none of what"], ["cut.json.gz", [31, 139, 8, 0, 1], "cut.json.gz cannot be read"],
    ["cut.glb", [103, 108, 84, 70], "cut.glb"], ["other.state", [1, 2, 3], "snapshot"]]) {
    await drop(page, name, bytes);
    await page.locator(".notice").getByText(text).waitFor();
    await page.evaluate(() => (document.querySelector(".notice").hidden = true));
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a scene that takes long says so, and gives way to another one or to the one before", async () => {
  const { page, complaints } = await open(`${cheap}#scene=cloth_hang`);
  await waitForFrame(page, 1);
  await page.evaluate(() => (location.hash = "scene=solid_million"));
  await page.getByText("Loading solid million").waitFor();
  await takePicture(page, "loading");
  await page.getByText("Cancel", { exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".busy").hidden && document.querySelector("canvas.stage").dataset.frame === "0");
  await page.getByLabel("One frame").click();
  await waitForFrame(page, 1);
  await page.evaluate(() => (location.hash = "scene=solid_million"));
  await page.getByText("Loading solid million").waitFor();
  await page.evaluate(() => (location.hash = "scene=bunny_drop"));
  await sceneIs(page, "bunny_drop");
  await waitForFrame(page, 2);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a parameter that starts the scene again leaves the panel as it was", async () => {
  const { page, complaints } = await open(`${cheap}&paused=1#scene=bunny_drop`);
  await waitForFrame(page, 0);
  await page.getByRole("tab", { name: "Parameters" }).click();
  await page.locator('details[data-path="settings"] summary').click();
  const slider = page.locator('input[type="range"][data-set="solids.bunny.cluster_radius"]');
  await page.getByLabel("One frame").click();
  await waitForFrame(page, 1);
  const top = await slider.evaluate((element) => {
    element.scrollIntoView();
    element.focus();
    return element.closest(".panel").scrollTop;
  });
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.frame === "0"); // it starts again
  assert.ok(top > 0);
  assert.equal(await slider.evaluate((element) => element.closest(".panel").scrollTop), top);
  assert.ok(await slider.evaluate((element) => element === document.activeElement));
  assert.ok(await page.locator('details[data-path="settings"]').evaluate((element) => element.open));
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a state goes out as a file and comes back, and a video is saved", async () => {
  const { page, complaints } = await open(`${cheap}&paused=1#scene=bunny_drop`);
  await waitForFrame(page, 0);
  for (let frame = 1; frame <= 3; ++frame) {
    await page.getByLabel("One frame").click();
    await waitForFrame(page, frame);
  }
  const place = await page.evaluate(() => window.pliant.center("bunny"));
  await page.getByRole("tab", { name: "Save and share" }).click();
  const state = await download(page, "Save the state as a file");
  await page.getByText("Start a video").click();
  await page.getByRole("button", { name: "Play" }).click();
  await waitForFrame(page, 12);
  assert.notDeepEqual(await page.evaluate(() => window.pliant.center("bunny")), place);
  const video = await download(page, "Stop and save the video");
  assert.ok(video.length > 1000 && (video.includes("webm") || video.includes("ftyp")), `${video.length} bytes`);
  await drop(page, "bunny_drop.state", state);
  await page.waitForFunction((wanted) => JSON.stringify(window.pliant.center("bunny")) === JSON.stringify(wanted), place);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("an engine that breaks down is started again", async () => {
  const breaking = `{ const post = self.postMessage.bind(self), instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = (...given) => new Promise((done) => setTimeout(done, 300)).then(() => instantiate(...given)); // slow
    self.postMessage = (answer, options) => (answer.result?.frame >= 5 ? post({ id: answer.id, error: { message: "unreachable", problems: [], broken: true } }) : post(answer, options)); }\n`;
  const { page, complaints } = await open(`${cheap}#scene=bunny_drop`, (fresh) => fresh.route(/worker-.*\.js/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: breaking + (await response.text()) });
  }));
  await page.getByText("The engine broke down (unreachable) and was started again.").waitFor();
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.frame === "0");
  await page.getByLabel("One frame").click();
  await waitForFrame(page, 1);
  assert.deepEqual(complaints, []);
  await page.close();
});
