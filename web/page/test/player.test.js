// The recorded page, opened from the disk with no network.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { countColors, newPage, openBrowser, pictures, takePicture, waitForFrame } from "./browser.js";
import { makeRecording, writeRecordedPage } from "./encode.js";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

async function open(recording, name, query = "?fast=1&ratio=0.5") {
  const file = join(pictures, `${name}.html`);
  writeRecordedPage(file, recording);
  const { page, complaints } = await newPage(browser.context);
  const asked = [];
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) asked.push(request.url());
  });
  await page.goto(pathToFileURL(file).href + query);
  return { page, complaints, asked };
}

test("plays from the disk, across chunks, without network", async () => {
  const { page, complaints, asked } = await open(makeRecording(), "recorded");
  await waitForFrame(page, 40); // in the second chunk
  const png = await takePicture(page, "player");
  assert.ok((await countColors(page, png)) > 90, "the picture is empty");
  assert.equal(await page.title(), "waving_flag — Pliant");
  assert.deepEqual(asked, []);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("goes to a frame, shows graphs, is dark", async () => {
  const { page, complaints } = await open(makeRecording(), "recorded", "?theme=dark&fast=1&ratio=0.5");
  await page.getByLabel("Graphs").click();
  await page.getByLabel("Frame").fill("70");
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.frame === "70");
  await page.keyboard.press(".");
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.frame === "71");
  await takePicture(page, "player_dark");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("says what is wrong with its data", async () => {
  const { page } = await open({ ...makeRecording(2), version: 2 }, "recorded_of_another_version");
  await page.getByText("cannot play pliant-player of version 2").waitFor();
  await page.close();
});
