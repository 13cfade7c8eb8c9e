// The picture: renderer, camera, light and ground. The page, its thumbnails and the player all draw with it.

import {
  ACESFilmicToneMapping, DirectionalLight, HemisphereLight, PCFShadowMap, PerspectiveCamera, Scene, ShaderChunk,
  Vector3, WebGLRenderer,
} from "three";
import type { Layer, LayerData } from "../engine/protocol";
import { Backdrop, Ground, makeEnvironment, palettes, type Theme } from "./backdrop";
import { Bodies } from "./bodies";
import { makeShared } from "./finish";
import { boundsOf, viewOf, type Bounds, type View } from "./framing";
import type { Look } from "./look";
import type { Quality } from "./quality";

const fieldOfView = 28; // vertical [deg]
const narrowest = 1.25; // width over height of what a picture shows at least: cameras of scenes are set up for wide ones

/** What controls cover of the picture's edges, in pixels of the page. */
export interface Insets {
  top: number;
  right: number;
  bottom: number;
}
const towardsKey = new Vector3(0.55, 1, 0.5).normalize();

// Three takes five samples of a shadow map, which shows as grain in soft shadows: take more.
ShaderChunk.shadowmap_pars_fragment = ShaderChunk.shadowmap_pars_fragment.replace(
  /shadow = \(\s*texture\( shadowMap, vec3[\s\S]*?\) \* 0\.2;/,
  `shadow = 0.0;
   for (int i = 0; i < 14; ++i)
     shadow += texture(shadowMap, vec3(shadowCoord.xy + vogelDiskSample(i, 14, phi) * radius, shadowCoord.z));
   shadow /= 14.0;`,
);

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  readonly shared = makeShared();
  readonly bodies: Bodies;
  bounds: Bounds = { low: new Vector3(-1, 0, -1), high: new Vector3(1, 1, 1) };
  private seen = this.bounds; // in the first frame, down to the ground
  theme: Theme = "light";
  private readonly key = new DirectionalLight("#fff1dd", 2.5);
  private readonly zenith = new DirectionalLight("#dfe8ff", 0.9);
  private readonly sky = new HemisphereLight("#eef3ff", "#b8aa98", 0.5);
  private readonly ground = new Ground();
  private readonly backdrop = new Backdrop();
  private groundHeight: number | null = null;
  private started = false; // a scene was drawn
  private fov = fieldOfView; // of the part that nothing covers, vertical [deg]
  private insets: Insets = { top: 0, right: 0, bottom: 0 };

  constructor(readonly canvas: HTMLCanvasElement, readonly quality: Quality) {
    this.renderer = new WebGLRenderer({ canvas, antialias: quality.antialias, preserveDrawingBuffer: false, powerPreference: "high-performance" });
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.95;
    this.renderer.shadowMap.enabled = quality.shadows;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.bodies = new Bodies(quality, this.shared);
    this.scene.add(this.backdrop.mesh, this.ground.mesh, this.bodies.group, this.key, this.key.target, this.zenith, this.zenith.target, this.sky);
    this.setShadow(this.key, 2048, 3.5);
    this.setShadow(this.zenith, 512, 6);
    this.zenith.castShadow = quality.environment;
    this.sky.intensity = 1.6;
    this.setTheme("light");
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.backdrop.setTheme(palettes[theme]);
    this.ground.setTheme(palettes[theme]);
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(this.quality.ratio);
    this.renderer.setSize(width, height, false);
    this.frame();
  }

  /** Vertical [deg], of the part of the picture that nothing covers. */
  setFov(fov: number): void {
    if (fov === this.fov) return;
    this.fov = fov;
    this.frame();
  }

  /** What is looked at stays in the middle of the part that nothing covers. */
  setInsets(insets: Insets): void {
    this.insets = insets;
    this.frame();
  }

  private frame(): void {
    const { width, height, free, slope } = this.opening();
    this.camera.aspect = width / height;
    this.camera.fov = (360 / Math.PI) * Math.atan((slope * height) / free.height);
    this.camera.setViewOffset(width, height, this.insets.right / 2, (this.insets.bottom - this.insets.top) / 2, width, height);
    this.camera.updateProjectionMatrix();
  }

  /** The picture, its uncovered part, and the slope of the ray to the upper edge of that part. */
  private opening(): { width: number; height: number; free: { width: number; height: number }; slope: number } {
    const ratio = this.renderer.getPixelRatio();
    const width = Math.max(1, this.canvas.width / ratio), height = Math.max(1, this.canvas.height / ratio);
    const { top, right, bottom } = this.insets;
    const free = { width: Math.max(width / 4, width - right), height: Math.max(height / 4, height - top - bottom) };
    return { width, height, free, slope: Math.tan((this.fov * Math.PI) / 360) * Math.max(1, (narrowest * free.height) / free.width) };
  }

  /** Takes in a scene. */
  show(layers: Layer[], looks: Look[], first: LayerData[]): void {
    this.bodies.build(layers, looks, first);
    this.bounds = boundsOf(layers, first);
    const planes = layers.findIndex((layer) => layer.ground);
    const height = planes < 0 ? null : first[planes]?.positions?.[1] ?? 0;
    this.groundHeight = height;
    this.seen = { low: this.bounds.low.clone(), high: this.bounds.high.clone() };
    const { low } = this.seen;
    if (height !== null && low.y > height && low.y - height < 1.5 * this.size()) low.y = height;
    this.light();
    this.setFov(fieldOfView);
  }

  /** Where to look at the scene from, as it was at first, so that it fits into what nothing covers. */
  usualView(): View {
    const { free, slope } = this.opening();
    return viewOf(this.seen, 2 * Math.atan(slope), free.width / free.height);
  }

  update(layers: Layer[], data: LayerData[]): void {
    this.bodies.update(data);
    const now = boundsOf(layers, data);
    const { low, high } = this.bounds;
    const room = 0.02 * this.size();
    const grown = now.low.clone().min(low), wider = now.high.clone().max(high);
    if (grown.distanceTo(low) < room && wider.distanceTo(high) < room) return;
    const limit = 20 * this.size(); // what flies away does not take the light with it
    if (grown.distanceTo(low) > limit || wider.distanceTo(high) > limit) return;
    this.bounds = { low: grown.subScalar(room), high: wider.addScalar(room) };
    this.light();
  }

  look(view: View): void {
    this.camera.position.copy(view.eye);
    this.camera.lookAt(view.target);
  }

  render(): void {
    const distance = Math.max(1e-3, this.camera.position.distanceTo(this.center()));
    this.camera.near = distance / 200;
    this.camera.far = distance + 40 * this.size();
    this.camera.updateProjectionMatrix();
    const pixels = this.renderer.getPixelRatio() * this.canvas.clientHeight || this.canvas.height;
    this.shared.pixel.value = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, pixels);
    this.renderer.render(this.scene, this.camera);
    if (this.started || this.bodies.group.children.length === 0) return;
    this.started = true;
    performance.mark("first picture");
    if (this.quality.environment) setTimeout(() => this.addEnvironment(), 100);
  }

  /** Light from all around takes a while to make: the first picture does not wait for it. */
  private addEnvironment(): void {
    this.scene.environment = makeEnvironment(this.renderer);
    this.scene.environmentIntensity = 0.55;
    this.sky.intensity = 0.5;
    this.canvas.dataset.lit = "1";
  }

  size(): number {
    return Math.max(1e-3, this.bounds.low.distanceTo(this.bounds.high));
  }

  center(): Vector3 {
    return this.bounds.low.clone().add(this.bounds.high).multiplyScalar(0.5);
  }

  dispose(): void {
    this.bodies.clear();
    this.scene.environment?.dispose();
    this.renderer.dispose();
  }

  private setShadow(light: DirectionalLight, width: number, softness: number): void {
    light.castShadow = this.quality.shadows;
    light.shadow.mapSize.set(width, width);
    light.shadow.radius = softness;
  }

  /** Lamps, shadow maps and ground follow the bodies. */
  private light(): void {
    const center = this.center(), size = this.size();
    const height = this.groundHeight ?? this.bounds.low.y - 0.12 * size;
    this.ground.place(center.x, height, center.z, size);
    const reach = 0.62 * size;
    this.aim(this.key, towardsKey, center, reach);
    this.aim(this.zenith, new Vector3(-0.12, 1, 0.08).normalize(), center, reach);
  }

  private aim(light: DirectionalLight, direction: Vector3, center: Vector3, reach: number): void {
    light.target.position.copy(center);
    light.position.copy(center).addScaledVector(direction, 3 * reach);
    const { camera, mapSize } = light.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = reach;
    camera.far = 8 * reach;
    camera.updateProjectionMatrix();
    const texel = (2 * reach) / mapSize.x;
    light.shadow.normalBias = 1.6 * texel;
    light.shadow.bias = -0.0004;
  }
}
