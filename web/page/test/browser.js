// A browser for the tests: Chromium without a window, the built page behind a server on loopback, and pictures of it in
// build/page, to be looked at.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
export const pictures = fileURLToPath(new URL("../../../build/page/", import.meta.url));
/** The native program; `make build` makes it. */
export const program = process.env.PLIANT_PROGRAM ?? fileURLToPath(new URL("../../../build/release/bin/pliant", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const flags = [
  "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

function findChromium() {
  const found = [process.env.PLIANT_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
  if (!found) throw new Error("no Chromium: `scripts/setup.sh web` installs it, PLIANT_CHROMIUM names another one");
  return found;
}

const isolation = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** Serves a folder of dist/ on a free port of loopback; `isolated`: with the headers that threads ask for. */
export async function serve(folder, { isolated = false } = {}) {
  const root = join(dist, folder);
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://page").pathname));
    const file = join(root, path === "/" ? "index.html" : path);
    if (!file.startsWith(root) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream", ...(isolated ? isolation : {}) }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export async function openBrowser() {
  const folder = mkdtempSync(join(tmpdir(), "pliant-page-"));
  mkdirSync(pictures, { recursive: true });
  const context = await chromium.launchPersistentContext(folder, { executablePath: findChromium(), headless: true, args: flags, viewport: { width: 720, height: 480 } });
  context.setDefaultTimeout(30000);
  const close = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { context, close };
}

/** A new page, and what it complained about so far. */
export async function newPage(context, options = {}) {
  const page = await context.newPage();
  if (options.viewport) await page.setViewportSize(options.viewport);
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || (message.type() === "warning" && /THREE|WebGL: INVALID/.test(message.text()))) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints };
}

/** Waits until the picture has come to a frame. */
export async function waitForFrame(page, frame) {
  await page.waitForFunction((wanted) => Number(document.querySelector("canvas.stage")?.dataset.frame ?? -1) >= wanted, frame);
}

export async function takePicture(page, name) {
  return page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** How many different colours a picture has, about: one that is empty has few. */
export async function countColors(page, png) {
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data: bytes } = pen.getImageData(0, 0, image.width, image.height);
    const colors = new Set();
    for (let i = 0; i < bytes.length; i += 4) colors.add(((bytes[i] >> 3) << 10) | ((bytes[i + 1] >> 3) << 5) | (bytes[i + 2] >> 3));
    return colors.size;
  }, png.toString("base64"));
}
