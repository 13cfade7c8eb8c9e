// tinyusdz over .usda files: what it reads of the first frame is what the .obj beside it has.
//   node check_usd.mjs FILE.usda FILE.0000.obj ...
// A - in place of the .obj: the file has curves, which the package does not give out; that it reads the file is all.
// The package is made for browsers; a few names make node look like a worker of one.
import fs from "fs";

process.type = "renderer";
globalThis.WorkerGlobalScope = class {};
globalThis.self = globalThis;
globalThis.location = {href: "http://localhost/"};
const {default: init} = await import("tinyusdz");
const wasm = fs.readFileSync(new URL("node_modules/tinyusdz/tinyusdz.wasm", import.meta.url));
const usd = await init({
    instantiateWasm(imports, done) {
        WebAssembly.instantiate(wasm, imports).then((result) => done(result.instance, result.module));
        return {};
    },
});

function fail(text) {
    console.error(text);
    process.exit(1);
}

for (let i = 2; i + 1 < process.argv.length; i += 2) {
    const [file, obj] = process.argv.slice(i, i + 2);
    const loader = new usd.TinyUSDZLoaderNative();
    if (!loader.loadFromBinary(new Uint8Array(fs.readFileSync(file)), file)) fail(`${file}: ${loader.error()}`);
    if (obj === "-") {
        console.log(`${file}: read`);
        continue;
    }
    const read = [];
    for (let k = 0; k < loader.numMeshes(); ++k) read.push(...loader.getMesh(k).points);
    const lines = fs.readFileSync(obj, "utf8").split("\n").filter((line) => line.startsWith("v "));
    const written = lines.flatMap((line) => line.split(" ").slice(1).map(Number));
    if (read.length === 0 || read.length !== written.length) fail(`${file}: ${read.length} numbers read, ${written.length} written`);
    const order = (a, b) => a - b;
    const sorted = Float64Array.from(read).sort(order), expected = Float64Array.from(written).sort(order);
    for (let k = 0; k < sorted.length; ++k)
        if (Math.abs(sorted[k] - expected[k]) > 1e-6 * Math.max(1, Math.abs(expected[k]))) fail(`${file}: ${sorted[k]} for ${expected[k]}`);
    console.log(`${file}: ${loader.numMeshes()} meshes, ${read.length / 3} points as written`);
}
