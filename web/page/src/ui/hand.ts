// The hand: what is under the pointer is grabbed and dragged; beside it, the pointer turns the view.

import { Mesh, MeshBasicMaterial, Plane, Raycaster, SphereGeometry, Vector2, Vector3, type PerspectiveCamera } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { EngineClient } from "../engine/client";
import type { Layer, LayerData, Vec3 } from "../engine/protocol";
import { aimAt } from "./aim";

interface Holding {
  pointer: number;
  grab: number | null; // null while the engine is asked
  plane: Plane;
  released: boolean;
}

export class Hand {
  /** Shows where the hand is. */
  readonly mark = new Mesh(new SphereGeometry(1, 20, 12), new MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.85, depthTest: false }));
  onchange: (held: string | null) => void = () => undefined;
  private holding: Holding | null = null;
  private target: Vector3 | null = null; // not sent yet
  private readonly ray = new Raycaster();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly camera: PerspectiveCamera,
    private readonly controls: OrbitControls,
    private readonly engine: EngineClient,
    private readonly scene: () => { layers: Layer[]; data: LayerData[] } | null,
  ) {
    this.mark.visible = false;
    this.mark.renderOrder = 20;
    // Before the controls see it: they listen on the same element, later.
    canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      canvas.addEventListener(end, (event) => this.up(event));
  }

  get holds(): boolean {
    return this.holding !== null;
  }

  /** Tells the engine where the hand is; called before each frame. */
  send(): void {
    if (!this.holding || this.holding.grab === null || !this.target) return;
    void this.engine.call("drag", { grab: this.holding.grab, target: this.target.toArray() as Vec3 }).catch(() => undefined);
    this.target = null;
  }

  /** After a reset there is nothing to hold. */
  forget(): void {
    this.holding = null;
    this.mark.visible = false;
    this.controls.enabled = true;
    this.onchange(null);
  }

  private aim(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.ray.setFromCamera(at, this.camera);
  }

  private down(event: PointerEvent): void {
    const scene = this.scene();
    if (!scene || event.button !== 0 || this.holding || event.ctrlKey || event.metaKey || event.shiftKey) return;
    this.aim(event);
    const { origin, direction } = this.ray.ray;
    const pixel = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / this.canvas.clientHeight;
    const point = aimAt(scene.layers, scene.data, origin, direction, pixel * (event.pointerType === "touch" ? 22 : 9));
    if (!point) return;
    this.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    const facing = this.camera.getWorldDirection(new Vector3());
    const holding: Holding = { pointer: event.pointerId, grab: null, plane: new Plane().setFromNormalAndCoplanarPoint(facing, point), released: false };
    this.holding = holding;
    this.place(point);
    void this.ask(holding, origin, point.clone().sub(origin));
  }

  private async ask(holding: Holding, origin: Vector3, direction: Vector3): Promise<void> {
    try {
      const { pick, grab } = await this.engine.call("grab", { origin: origin.toArray() as Vec3, direction: direction.toArray() as Vec3 });
      if (grab !== null && (holding.released || this.holding !== holding)) void this.engine.call("release", grab);
      if (holding.released || this.holding !== holding) return;
      if (grab === null || !pick) return this.forget();
      holding.grab = grab;
      holding.plane.setFromNormalAndCoplanarPoint(holding.plane.normal, new Vector3(...pick.point));
      this.onchange(pick.name);
    } catch {
      this.forget();
    }
  }

  private move(event: PointerEvent): void {
    if (this.holding?.pointer !== event.pointerId) return;
    this.aim(event);
    const point = this.ray.ray.intersectPlane(this.holding.plane, new Vector3());
    if (!point) return;
    this.target = point;
    this.place(point);
  }

  private place(point: Vector3): void {
    this.mark.visible = true;
    this.mark.position.copy(point);
    this.mark.scale.setScalar(0.006 * this.camera.position.distanceTo(point));
  }

  private up(event: PointerEvent): void {
    if (this.holding?.pointer !== event.pointerId) return;
    const { grab } = this.holding;
    this.holding.released = true;
    this.send();
    if (grab !== null) void this.engine.call("release", grab).catch(() => undefined);
    this.forget();
  }
}
