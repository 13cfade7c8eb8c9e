// Pictures of a recorded page (`pliant run SCENE -o FILE.html`), as they are in the README: a still, and a short animation.
//
//   node shots.mjs FILE.html --still FRAME OUT.png [--size 1600x900]
//   node shots.mjs FILE.html --frames FIRST:LAST:EVERY OUT.png [--size 640x480] [--fps 20] [--fine]
//
// Chromium draws them without a window, so any machine can make them. A still has shadows and all; an animation does with --fine.

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { makeAnimation } from "./apng.mjs";
import { newPage, openBrowser } from "./test/browser.js";

const words = process.argv.slice(2);
const option = (name, count = 1) => {
  const at = words.indexOf(name);
  return at < 0 ? null : words.slice(at + 1, at + 1 + count);
};
const still = option("--still", 2), frames = option("--frames", 2);
if (!words[0] || (!still && !frames)) throw new Error("shots.mjs FILE.html --still FRAME OUT.png | --frames FIRST:LAST:EVERY OUT.png");
const fine = still !== null || words.includes("--fine");
const [width, height] = (option("--size")?.[0] ?? (still ? "1600x900" : "640x480")).split("x").map(Number);

const browser = await openBrowser();
const { page } = await newPage(browser.context, { viewport: { width, height } });
page.setDefaultTimeout(300000);
await page.goto(`${pathToFileURL(words[0]).href}?bare=1&theme=light&ratio=1&fast=${fine ? 0 : 1}`);
const bar = page.getByLabel("Frame", { exact: true });
await bar.waitFor({ state: "attached" });

async function shoot(frame, path) {
  await bar.evaluate((input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input"));
  }, String(frame));
  await page.waitForFunction((wanted) => document.querySelector("canvas.stage").dataset.frame === wanted, String(frame), { timeout: 120000 });
  if (fine) await page.locator("canvas.stage[data-lit]").waitFor();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return page.screenshot({ path, timeout: 120000 });
}

if (still) await shoot(Number(still[0]), still[1]);
if (frames) {
  const [first, last, every] = frames[0].split(":").map(Number);
  const pictures = [];
  for (let frame = first; frame <= last; frame += every) pictures.push(await shoot(frame));
  writeFileSync(frames[1], makeAnimation(pictures, Number(option("--fps")?.[0] ?? 20)));
}
await browser.close();
