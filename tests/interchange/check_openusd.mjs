// OpenUSD itself, as WebAssembly in Chromium (npm three-usdz-loader), over .usda files: Hydra draws the stage at every time code,
// and the points that it draws are those of the .obj of that frame. Only the OpenUSD half of the package is used.
//   node check_openusd.mjs STEM FRAMES...       for STEM.usda and STEM.0000.obj, ...; - in place of FRAMES: only that it opens
import { readFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const external = new URL("node_modules/three-usdz-loader/external/", import.meta.url);
const [stem, frames] = process.argv.slice(2);

function serve(request, response) {
    const headers = { "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Opener-Policy": "same-origin" };
    const name = request.url.split("?")[0].slice(1);
    const types = { js: "text/javascript", wasm: "application/wasm", html: "text/html" };
    try {
        const body = name === "" ? "<!doctype html><script src='emHdBindings.js'></script>"
            : name === "scene.usda" ? readFileSync(`${stem}.usda`) : readFileSync(new URL(name, external));
        response.writeHead(200, { ...headers, "Content-Type": types[name.split(".").pop()] ?? (name === "" ? "text/html" : "application/octet-stream") });
        response.end(body);
    } catch {
        response.writeHead(404, headers);
        response.end();
    }
}

/** In the page: points of every mesh at every time code. */
async function draw(last) {
    const usd = await window.getUsdModule(undefined, "");
    await usd.ready;
    const bytes = new Uint8Array(await (await fetch("scene.usda")).arrayBuffer());
    usd.FS.createDataFile("/", "scene.usda", bytes, true, true, true);
    const drawn = new Map();
    const anything = (own) => new Proxy(own, { get: (target, key) => target[key] ?? (() => undefined) });
    const delegate = anything({
        createRPrim: (type, id) => anything({ updatePoints: (points) => void drawn.set(id, Array.from(points)) }),
        createSPrim: () => anything({}),
        createBPrim: () => anything({}),
    });
    const driver = new usd.HdWebSyncDriver(delegate, "scene.usda");
    driver.Draw();
    const stage = driver.GetStage();
    const about = { end: stage.GetEndTimeCode(), rate: stage.GetTimeCodesPerSecond() };
    const all = [];
    for (let frame = 0; frame <= (last ?? 0); ++frame) {
        driver.SetTime(frame);
        driver.Draw();
        all.push([...drawn.values()].flat());
    }
    return { about, all };
}

function points_of(path) {
    return readFileSync(path, "utf8").split("\n").filter((line) => line.startsWith("v ")).flatMap((line) => line.split(" ").slice(1).map(Number));
}

const server = createServer(serve).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const profile = mkdtempSync(join(tmpdir(), "openusd-"));
const flags = ["--no-sandbox", "--disable-quic", "--no-first-run"];
const context = await chromium.launchPersistentContext(profile, { executablePath: process.env.PLIANT_CHROMIUM ?? "/usr/bin/chromium", headless: true, args: flags });
let problem = "";
try {
    const page = context.pages()[0] ?? (await context.newPage());
    page.on("pageerror", (error) => (problem ||= String(error)));
    page.on("console", (message) => /warning|error/i.test(message.text()) && !/UsdVol/.test(message.text()) && console.log(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => window.getUsdModule);
    const count = frames === "-" ? null : Number(frames);
    const { about, all } = await page.evaluate(draw, count === null ? null : count - 1);
    let worst = 0;
    for (let frame = 0; count !== null && frame < count; ++frame) {
        const order = (a, b) => a - b;
        const drawn = Float64Array.from(all[frame]).sort(order);
        const written = Float64Array.from(points_of(`${stem}.${String(frame).padStart(4, "0")}.obj`)).sort(order);
        if (drawn.length !== written.length) problem ||= `frame ${frame}: ${drawn.length} numbers drawn, ${written.length} written`;
        for (let k = 0; k < drawn.length; ++k) worst = Math.max(worst, Math.abs(drawn[k] - written[k]) / Math.max(1, Math.abs(written[k])));
    }
    if (count !== null && about.end !== count - 1) problem ||= `it ends at ${about.end}, not at ${count - 1}`;
    if (!(worst < 1e-6)) problem ||= `points differ by ${worst}`;
    if (problem === "") console.log(`${stem}.usda: OpenUSD opens it, ${about.rate} frames a second` + (count === null ? "" : `, ${count} frames with the points as written`));
} finally {
    await context.close();
    server.close();
    rmSync(profile, { recursive: true, force: true });
}
if (problem !== "") {
    console.error(`${stem}.usda: ${problem}`);
    process.exit(1);
}
