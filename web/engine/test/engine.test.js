// The package as its users have it, in node.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { loadEngine, PliantError } from "../engine.js";

const engine = await loadEngine();
const goldens = JSON.parse(readFileSync(new URL("../../../tests/golden_hashes.json", import.meta.url), "utf8"));
const load = (name, options) => engine.load(engine.sceneText(name), { source: name, ...options });

test("five lines run a scene, and its hash is the native one", async () => {
  const fresh = await loadEngine();
  const session = fresh.load(fresh.sceneText("bunny_drop"));
  for (let i = 0; i < 10; ++i) session.step();
  assert.equal(session.hash(), goldens.find((golden) => golden.scene === "bunny_drop" && !golden.set).hashes[10]);
});

test("threads change no bits, and the memory of all of them is one", async () => {
  for (const threads of [2, 5]) {
    const several = await loadEngine({ threads });
    assert.equal(several.threads, threads);
    assert.ok(several.memory() > 0);
    for (const scene of ["bunny_drop", "marionette", "cloth_on_sphere"]) { // solids, all kinds, a large cloth that touches
      const one = load(scene), more = several.load(several.sceneText(scene), { source: scene });
      for (let i = 0; i < 4; ++i) {
        assert.equal(one.step().trouble, null);
        assert.equal(more.step().trouble, null);
        assert.equal(more.hash(), one.hash(), `${scene}, frame ${i + 1}, ${threads} threads`);
      }
      one.close();
      more.close();
    }
  }
});

test("a scene that needs more memory than there is says so, and the engine goes on", async () => {
  const small = await loadEngine({ maxMemory: 24e6 });
  const cloth = (cells) => small.load(`{ "cloths": [{ "shape": { "kind": "rectangle", "cells": [${cells}, ${cells}] } }] }`);
  assert.throws(() => cloth(700), /out of memory/);
  assert.throws(() => small.load(small.sceneText("bunny_drop"), { files: { "a.obj": new Uint8Array(20e6) } }), /out of memory/);
  const session = small.load(small.sceneText("bunny_drop"));
  assert.equal(session.step().trouble, null);
  session.close();
});

test("the gallery has names, abouts and texts", () => {
  const scenes = engine.scenes();
  assert.ok(scenes.length > 40);
  assert.ok(scenes.every(({ name, about }) => name && about && engine.sceneText(name).includes("{")));
  assert.throws(() => engine.sceneText("no_such_scene"), PliantError);
});

test("a wrong scene tells all its problems with lines, and the engine goes on", () => {
  const text = '{\n  "solids": [{\n    "gama": 1,\n    "shape": {"kind": "box"}\n  }],\n  "frames": "many"\n}';
  assert.throws(() => engine.load(text), (error) => {
    assert.ok(error instanceof PliantError);
    const [first, second] = error.problems;
    assert.deepEqual([first.line, first.column], [3, 5]);
    assert.match(first.message, /gamma/);
    assert.deepEqual([second.line, second.column, second.path], [6, 3, "frames"]);
    return true;
  });
  assert.throws(() => engine.load("{ nonsense"), PliantError);
  assert.equal(load("bunny_drop").frame, 0);
});

test("layers, normals and fields have matching lengths", () => {
  const session = load("puppet");
  for (let i = 0; i < 5; ++i) session.step();
  for (const rods of ["tubes", "lines"]) {
    const layers = session.layers({ rods });
    assert.equal(layers.length, session.info.bodies.length);
    layers.forEach((layer, i) => {
      const positions = session.positions(i);
      assert.equal(positions.length, 3 * layer.vertices);
      assert.ok(positions.every(Number.isFinite));
      assert.ok(layer.indices.every((index) => index < layer.vertices));
      assert.ok(layer.uvs.length === 0 || layer.uvs.length === 2 * layer.vertices);
      if (layer.primitive === "triangles") assert.equal(session.normals(i).length, 3 * layer.vertices);
      assert.equal(session.field(i, "strain").length, layer.vertices);
      const buffer = new Float32Array(positions.length);
      assert.equal(session.positions(i, buffer), buffer);
      assert.deepEqual(buffer, positions);
    });
  }
  assert.throws(() => session.field(0, "colour"), PliantError);
});

test("debug layers show what the scene has", () => {
  const session = load("puppet");
  session.step();
  const lengths = (kind) => {
    const layer = session.debug(kind);
    assert.equal(layer.points.length, 3 * layer.sizes.length);
    assert.equal(layer.points.length, 3 * layer.pointValues.length);
    assert.equal(layer.lines.length, 6 * layer.lineValues.length);
    return layer.points.length + layer.lines.length;
  };
  for (const kind of ["particles", "clusters", "fibres", "rod_frames", "glue", "velocities"]) assert.ok(lengths(kind) > 0, kind);
  for (const kind of ["contacts", "crossings", "pins"]) lengths(kind);
  assert.throws(() => session.debug("nonsense"), PliantError);
});

test("a drag moves what it holds, solid and rigid", () => {
  for (const scene of ["bunny_drop", "rigid_drop"]) {
    const session = load(scene);
    const layer = session.layers().findIndex(({ scenery }) => !scenery);
    const positions = session.positions(layer);
    const center = [0, 1, 2].map((k) => positions.filter((_, i) => i % 3 === k).reduce((a, b) => a + b) / (positions.length / 3));
    const pick = session.pick([center[0], center[1], center[2] + 10], [0, 0, -1]);
    assert.notEqual(pick.kind, "collider");
    const hand = session.grab(pick);
    assert.notEqual(hand, null);
    const free = load(scene);
    for (let i = 0; i < 30; ++i) {
      session.drag(hand, [pick.point[0], pick.point[1] + 0.02 * i, pick.point[2]]);
      session.step();
      free.step();
    }
    const height = (s) => s.stats().center[pick.name][1];
    assert.ok(height(session) > height(free) + 0.1, `${scene}: ${height(session)} above ${height(free)}`);
    session.release(hand);
    assert.throws(() => session.drag(hand, pick.point), PliantError);
  }
});

test("parameters: every table, limits are kept, a change changes the motion", () => {
  const session = load("cloth_hang"), other = load("cloth_hang");
  const tables = session.parameters();
  assert.ok(tables.some(({ path }) => path === "forces"));
  const gravity = tables.find(({ path }) => path === "forces").parameters.find(({ name }) => name === "gravity");
  assert.deepEqual([gravity.type, gravity.unit], ["vector", "m/s^2"]);
  session.set("forces.gravity", [0, -1, 0]);
  assert.throws(() => session.set("forces.drag", -1), PliantError);
  assert.throws(() => session.set("forces.nonsense", 1), PliantError);
  assert.throws(() => session.set("solids.nobody.gamma", 1), PliantError);
  for (let i = 0; i < 3; ++i) session.step(), other.step();
  assert.notEqual(session.hash(), other.hash());
});

test("a snapshot is the state: the frames after it are the same", () => {
  const session = load("mixed_pile");
  for (let i = 0; i < 3; ++i) session.step();
  const snapshot = session.save();
  const run = () => Array.from({ length: 4 }, () => (session.step(), session.hash()));
  const first = run();
  session.restore(snapshot);
  assert.equal(session.frame, 3);
  assert.deepEqual(run(), first);
  session.reset();
  assert.equal(session.frame, 0);
});

test("a snapshot as bytes goes on in another session, and bad ones are refused", () => {
  const session = load("mixed_pile"), other = load("mixed_pile");
  for (let i = 0; i < 3; ++i) session.step();
  const bytes = session.snapshot();
  other.openSnapshot(bytes);
  assert.equal(other.frame, 3);
  for (let i = 0; i < 2; ++i) {
    session.step(), other.step();
    assert.equal(other.hash(), session.hash());
  }
  assert.throws(() => other.recording(), /begins with a reset/);
  assert.throws(() => load("cloth_hang").openSnapshot(bytes), /other bodies than cloth_hang/);
  bytes[bytes.length >> 1] ^= 1;
  assert.throws(() => other.openSnapshot(bytes), /damaged/);
  assert.throws(() => other.openSnapshot(new Uint8Array(0)), PliantError);
  other.reset();
  assert.ok(other.recording().length > 0);
});

test("files that a scene names come from memory", () => {
  const ply = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n" +
    "element face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
  const text = '{"cloths": [{"name": "sheet", "shape": {"kind": "mesh", "file": "sheet.ply"}}]}';
  assert.throws(() => engine.load(text), PliantError);
  const session = engine.load(text, { files: { "sheet.ply": new TextEncoder().encode(ply) } });
  session.step();
  assert.equal(session.info.bodies[0].particles, 4);
  const replay = engine.openRecording(session.recording());
  assert.equal(replay.run().firstDifference, null);
});

/** A drag every so many frames, which holds on for a second at most. */
function record(frames, every = 30) {
  const session = load("bunny_drop");
  const hand = { grab: null, at: null };
  for (let i = 0; i < frames; ++i) {
    const at = i % every, end = Math.min(every - 5, 65);
    if (at === 5) {
      const [x, y, z] = session.stats().center.bunny;
      const pick = session.pick([x, y, z + 5], [0, 0, -1]);
      hand.at = pick.point;
      hand.grab = session.grab(pick);
    }
    if (i === 12) session.set("forces.gravity", [0, -3, 0]);
    if (at > 5 && at < end) session.drag(hand.grab, hand.at.map((x, k) => x + 0.01 * Math.sin(i / 3 + k)));
    if (at === end) session.release(hand.grab);
    session.step();
  }
  return session.recording();
}

test("a recording replays, seeks, and names the first frame that differs", () => {
  const recording = record(60);
  const replay = engine.openRecording(recording);
  assert.deepEqual(replay.run(), { frames: 60, firstDifference: null });
  replay.seek(17);
  const there = replay.session.hash();
  replay.seek(50);
  replay.seek(17);
  assert.equal(replay.session.hash(), there);
  assert.equal(replay.session.frame, 17);
  const forged = recording.replace('"value":[0,-3,0]', '"value":[0,-3.1,0]');
  assert.notEqual(forged, recording);
  assert.equal(engine.openRecording(forged).run().firstDifference, 13);
  assert.throws(() => engine.openRecording(recording.replace('_recording": 1', '_recording": 99')), PliantError);
  assert.throws(() => engine.openRecording("{}"), PliantError);
});

test("a minute with twenty drags is below 20 kB compressed", () => {
  const bytes = gzipSync(record(3600, 180)).length;
  assert.ok(bytes < 20000, `${bytes} bytes`);
});
