#!/usr/bin/env node
// Boxes, in Pliant and in other engines, in one run: what a frame costs and whether they stand.
//
//   npm ci && node rigid.mjs [PLIANT [SCENE...]]
//
// Every engine runs the same scene of boxes on a plane with its defaults, frames of 1/60 s, one thread, and without sleeping.
// PLIANT is the native program; the others are their WebAssembly builds from npm, which take about one and a half times as
// long as native ones.
//
//   mean, worst   processor time of a frame [ms]; the worst is not measured for Pliant
//   settled       the mean of the last fifth of the run
//   moved         how far the box that moves most has moved in the last second [mm]
//   top           how much lower the highest point of a centre is in the end [mm]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const dt = 1 / 60;

function random(seed) {
  let state = seed;
  return (low, high) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return low + ((high - low) * state) / 2 ** 32;
  };
}

/// Boxes on each other, each shifted and turned a little: a straight stack proves nothing.
function stack(count, ratio = 1) {
  const r = random(count);
  return Array.from({ length: count }, (_, i) => ({
    half: 0.1, density: 300 * ratio ** i, position: [r(-0.006, 0.006), 0.1 + 0.2002 * i, r(-0.006, 0.006)], degrees: r(-3, 3),
  }));
}

/// Boxes that fall into a pile, 25 in a layer.
function pile(count) {
  const r = random(count);
  return Array.from({ length: count }, (_, i) => ({
    half: 0.1, density: 300, degrees: r(-30, 30),
    position: [0.36 * (i % 5 - 2) + r(-0.02, 0.02), 0.25 + 0.36 * Math.floor(i / 25), 0.36 * (Math.floor(i / 5) % 5 - 2) + r(-0.02, 0.02)],
  }));
}

const scenes = {
  stack_10: { boxes: stack(10), frames: 600 },
  stack_50: { boxes: stack(50), frames: 600 },
  doubling: { boxes: stack(11, 2), frames: 600 },
  pile_200: { boxes: pile(200), frames: 480 },
};

function turn(degrees) {
  const half = (degrees * Math.PI) / 360;
  return [0, Math.sin(half), 0, Math.cos(half)];
}

async function jolt(boxes) {
  const { default: init } = await import("jolt-physics/wasm-compat");
  const J = await init();
  const settings = new J.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  const layers = 2, filter = new J.ObjectLayerPairFilterTable(layers), broad = new J.BroadPhaseLayerInterfaceTable(layers, layers);
  filter.EnableCollision(0, 1);
  filter.EnableCollision(1, 1);
  for (const k of [0, 1]) broad.MapObjectToBroadPhaseLayer(k, new J.BroadPhaseLayer(k));
  settings.mObjectLayerPairFilter = filter;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(broad, layers, filter, layers);
  const engine = new J.JoltInterface(settings), bodies = engine.GetPhysicsSystem().GetBodyInterface();
  const add = (half, position, rotation, layer, density) => {
    const shape = new J.BoxShape(new J.Vec3(...half), 0.001);
    shape.SetDensity(density);
    const type = layer === 0 ? J.EMotionType_Static : J.EMotionType_Dynamic;
    const how = new J.BodyCreationSettings(shape, new J.RVec3(...position), new J.Quat(...rotation), type, layer);
    how.mFriction = 0.5;
    how.mAllowSleeping = false;
    const body = bodies.CreateBody(how);
    bodies.AddBody(body.GetID(), J.EActivation_Activate);
    return body;
  };
  add([50, 1, 50], [0, -1, 0], [0, 0, 0, 1], 0, 1000);
  const all = boxes.map((b) => add([b.half, b.half, b.half], b.position, turn(b.degrees), 1, b.density));
  return {
    step: () => engine.Step(dt, 1),
    positions: () => all.map((b) => { const p = b.GetPosition(); return [p.GetX(), p.GetY(), p.GetZ()]; }),
  };
}

async function rapier(boxes) {
  const { default: R } = await import("@dimforge/rapier3d-deterministic-compat");
  await R.init();
  const world = new R.World({ x: 0, y: -9.80665, z: 0 });
  world.timestep = dt;
  world.createCollider(R.ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -1, 0).setFriction(0.5));
  const all = boxes.map((b) => {
    const [x, y, z, w] = turn(b.degrees);
    const how = R.RigidBodyDesc.dynamic().setTranslation(...b.position).setRotation({ x, y, z, w }).setCanSleep(false);
    const body = world.createRigidBody(how);
    world.createCollider(R.ColliderDesc.cuboid(b.half, b.half, b.half).setDensity(b.density).setFriction(0.5), body);
    return body;
  });
  return { step: () => world.step(), positions: () => all.map((b) => { const p = b.translation(); return [p.x, p.y, p.z]; }) };
}

async function mujoco(boxes) {
  const { default: init } = await import("@mujoco/mujoco");
  const M = await init();
  const substeps = 8;  // of its usual 0.002 s
  const bodies = boxes.map((b) => {
    const [x, y, z] = b.position, [qx, qy, qz, qw] = turn(b.degrees);
    return `<body pos="${x} ${-z} ${y}" quat="${qw} ${qx} ${-qz} ${qy}"><freejoint/>` +
      `<geom type="box" size="${b.half} ${b.half} ${b.half}" density="${b.density}" friction="0.5 0.005 0.0001"/></body>`;
  });
  const model = M.MjModel.from_xml_string(`<mujoco><size memory="400M"/><option timestep="${dt / substeps}"/>` +
    `<worldbody><geom type="plane" size="50 50 1" friction="0.5 0.005 0.0001"/>${bodies.join("")}</worldbody></mujoco>`);
  const data = new M.MjData(model);
  return {
    step: () => { for (let k = 0; k < substeps; ++k) M.mj_step(model, data); },
    positions: () => boxes.map((_, i) => { const q = data.qpos.slice(7 * i, 7 * i + 3); return [q[0], q[2], -q[1]]; }),
  };
}

const distance = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
const moved = (before, after) => Math.max(...before.map((p, i) => distance(p, after[i])));
const heights = (positions) => Math.max(...positions.map((p) => p[1]));

async function runPeer(make, { boxes, frames }) {
  const engine = await make(boxes), cost = [];
  const start = engine.positions();
  let before = start;
  for (let frame = 0; frame < frames; ++frame) {
    if (frame === frames - 60) before = engine.positions();
    const clock = process.cpuUsage();
    engine.step();
    const { user, system } = process.cpuUsage(clock);
    cost.push((user + system) / 1000);
  }
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length, end = engine.positions();
  return {
    mean: mean(cost), worst: Math.max(...cost), settled: mean(cost.slice(-frames / 5)),
    moved: 1000 * moved(before, end), top: 1000 * (heights(start) - heights(end)),
  };
}

function runPliant(program, { boxes, frames }) {
  const folder = mkdtempSync(join(tmpdir(), "peers-"));
  const scene = {
    frames, settings: { sleeping: false }, contact: { on: true, friction: 0.5 }, colliders: [{ shape: "plane", friction: 0.5 }],
    rigids: boxes.map((b, i) => ({
      name: `box-${i}`, shape: { kind: "box", size: [2 * b.half, 2 * b.half, 2 * b.half] }, density: b.density,
      position: b.position, rotation: [0, b.degrees, 0],
    })),
  };
  const file = join(folder, "scene.json"), stats = join(folder, "stats.json");
  writeFileSync(file, JSON.stringify(scene));
  const run = (...more) => execFileSync(program, ["run", file, "--quiet", "--threads", "1", ...more]);
  /// Processor time of the first frames [ms], without statistics.
  const time = (count) => {
    const timed = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null 2> /dev/null';
    const { stderr } = spawnSync("bash", ["-c", timed, "bash", program, "run", file, "--quiet", "--threads", "1", "--frames", count],
      { encoding: "utf8" });
    const [user, system] = stderr.trim().split(" ").map(Number);
    return 1000 * (user + system);
  };
  run("--stats", stats);
  const list = JSON.parse(readFileSync(stats, "utf8")).frames, some = Math.round(0.8 * frames);
  const [one, most, all] = [1, some, frames].map(time);
  rmSync(folder, { recursive: true });
  const places = (frame) => Object.values(frame.center);
  return {
    mean: (all - one) / (frames - 1), worst: NaN, settled: (all - most) / (frames - some),
    moved: 1000 * moved(places(list.at(-61)), places(list.at(-1))),
    top: 1000 * (heights(boxes.map((b) => b.position)) - heights(places(list.at(-1)))),
  };
}

const [program = join(here, "../../build/release/bin/pliant"), ...names] = process.argv.slice(2);
const columns = ["mean", "worst", "settled", "moved", "top"];
console.log("scene     engine  " + columns.map((text) => text.padStart(10)).join(""));
for (const [name, scene] of Object.entries(scenes)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const engines = {
    pliant: () => runPliant(program, scene),
    jolt: () => runPeer(jolt, scene),
    rapier: () => runPeer(rapier, scene),
    mujoco: () => runPeer(mujoco, scene),
  };
  for (const [engine, run] of Object.entries(engines)) {
    const label = name.padEnd(10) + engine.padEnd(8);
    try {
      const result = await run();
      console.log(label + columns.map((key) => result[key].toPrecision(3).padStart(10)).join(""));
    } catch (error) {
      console.log(`${label} ${error.message ?? error}`);
    }
  }
}
