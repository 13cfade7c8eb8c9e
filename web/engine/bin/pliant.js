#!/usr/bin/env node
// The part of the command line that needs no files to be written but one: the same arguments, the same bits.
//
//   pliant.js run SCENE [--set KEY=VALUE]... [--frames N] [--stats FILE] [--record FILE] [--quiet] [--threads N]
//   pliant.js replay RECORDING
//   pliant.js scenes

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadEngine, PliantError } from "../engine.js";

const options = {
  set: { type: "string", multiple: true, default: [] },
  frames: { type: "string" },
  stats: { type: "string" },
  record: { type: "string" },
  threads: { type: "string", default: "1" },
  quiet: { type: "boolean", short: "q", default: false },
};

function run(engine, scene, values) {
  const text = existsSync(scene) ? readFileSync(scene, "utf8") : engine.sceneText(scene);
  const session = engine.load(text, { source: scene, sets: values.set });
  const frames = values.frames === undefined ? session.info.frames : Number(values.frames);
  const stats = values.stats ? [session.stats()] : null;
  for (let frame = 1; frame <= frames; ++frame) {
    const { trouble } = session.step();
    if (trouble) throw new PliantError(trouble);
    stats?.push(session.stats());
  }
  if (stats) writeFileSync(values.stats, JSON.stringify({ frames: stats }));
  if (values.record) writeFileSync(values.record, session.recording());
  if (!values.quiet) console.log(`${scene}: ${frames} frames, ${session.hash()}`);
  return 0;
}

function replay(engine, file) {
  const { frames, firstDifference } = engine.openRecording(readFileSync(file, "utf8")).run();
  if (firstDifference === null) console.log(`${file}: all ${frames} frames are equal`);
  else console.error(`${file}: frame ${firstDifference} is the first of ${frames} that differs`);
  return firstDifference === null ? 0 : 6;
}

const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [command, argument] = positionals;
try {
  const engine = await loadEngine({ threads: Number(values.threads) });
  if (command === "run" && argument) process.exitCode = run(engine, argument, values);
  else if (command === "replay" && argument) process.exitCode = replay(engine, argument);
  else if (command === "scenes") for (const { name, about } of engine.scenes()) console.log(`${name}: ${about}`);
  else {
    console.error("usage: pliant.js run SCENE | replay RECORDING | scenes");
    process.exitCode = 2;
  }
} catch (error) {
  if (!(error instanceof PliantError)) throw error;
  console.error(`pliant: error: ${error.message}`);
  process.exitCode = 3;
}
