// The recorded page that `pliant run -o FILE.html` writes, opened from the disk with no network.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { countColors, newPage, openBrowser, pictures, program, takePicture, waitForFrame } from "./browser.js";

let browser;
before(async () => {
  browser = await openBrowser();
  execFileSync(program, ["run", "puppet", "--frames", "80", "--quiet", "-o", recorded]);
});
after(() => browser.close());

const recorded = join(pictures, "puppet.html");

async function open(file, query = "?fast=1&ratio=0.5") {
  const { page, complaints } = await newPage(browser.context);
  const asked = [];
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) asked.push(request.url());
  });
  await page.goto(pathToFileURL(file).href + query);
  return { page, complaints, asked };
}

test("plays from the disk, across chunks, without network", async () => {
  const { page, complaints, asked } = await open(recorded);
  await waitForFrame(page, 62); // in the second chunk
  const png = await takePicture(page, "player");
  assert.ok((await countColors(page, png)) > 90, "the picture is empty");
  assert.equal(await page.title(), "puppet — Pliant");
  assert.deepEqual(asked, []);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("goes to a frame, shows graphs, is dark", async () => {
  const { page, complaints } = await open(recorded, "?theme=dark&fast=1&ratio=0.5");
  await page.getByLabel("Graphs").click();
  await page.getByLabel("Frame").fill("70");
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.frame === "70");
  await page.keyboard.press(".");
  await page.waitForFunction(() => document.querySelector("canvas.stage").dataset.frame === "71");
  await takePicture(page, "player_dark");
  await page.getByLabel("Frame").fill("0");
  await page.getByText("total, change 0").waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test("says what is wrong with its data", async () => {
  const other = join(pictures, "recorded_of_another_version.html");
  writeFileSync(other, readFileSync(recorded, "utf8").replace('"version":2', '"version":3'));
  const { page } = await open(other);
  await page.getByText("cannot play pliant-player of version 3").waitFor();
  await page.close();
});
