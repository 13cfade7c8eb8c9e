// The animation of the README: pictures go in, and what a browser shows of it is what went in.

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeAnimation, readPng } from "../apng.mjs";
import { newPage, openBrowser, serve } from "./browser.js";

test("an animated PNG shows its pictures, and stores what changes", async () => {
  const site = await serve("page"), { context, close } = await openBrowser(); // the decoder asks for a secure page
  const { page } = await newPage(context, { viewport: { width: 60, height: 40 } });
  await page.goto(`${site.address}index.html?gallery=0`);
  const pictures = [];
  for (const left of [5, 15, 30]) {
    await page.setContent(`<body style="margin:0;background:#dde"><div style="position:absolute;left:${left}px;top:10px;width:8px;height:8px;background:#c22">`);
    pictures.push(await page.screenshot());
  }
  const bytes = makeAnimation(pictures, 10);
  const shown = await page.evaluate(async (data) => {
    const decoder = new ImageDecoder({ type: "image/png", data: Uint8Array.from(atob(data), (c) => c.charCodeAt(0)) });
    await decoder.tracks.ready;
    await decoder.completed;
    const { frameCount } = decoder.tracks.selectedTrack, frames = [];
    for (let frameIndex = 0; frameIndex < frameCount; ++frameIndex) {
      const { image } = await decoder.decode({ frameIndex });
      const pen = new OffscreenCanvas(60, 40).getContext("2d");
      pen.drawImage(image, 0, 0);
      frames.push([...pen.getImageData(0, 0, 60, 40).data]);
    }
    return frames;
  }, bytes.toString("base64"));
  await close();
  site.close();
  assert.equal(shown.length, 3);
  pictures.forEach((png, k) => {
    const { pixels } = readPng(png);
    for (let i = 0; i < 60 * 40; ++i)
      for (let c = 0; c < 3; ++c) assert.ok(Math.abs(pixels[3 * i + c] - shown[k][4 * i + c]) < 6, `picture ${k}, pixel ${i}`);
  });
  const second = bytes.indexOf("fcTL", bytes.indexOf("fcTL") + 4);
  assert.deepEqual([bytes.readUInt32BE(second + 8), bytes.readUInt32BE(second + 12)], [18, 8], "the rectangle that changed");
});
