// Play, pause, step, reset, speed, and how fast it really runs. In a replay also a place to go to.

import { h, icon, iconButton } from "./dom";

export interface TransportActions {
  play(on: boolean): void;
  step(): void;
  reset(): void;
  seek(frame: number): void;
}

const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

export class Transport {
  readonly element: HTMLElement;
  speed = 1;
  private readonly playButton: HTMLButtonElement;
  private readonly clock = h("span", {});
  private readonly cost = h("span", { class: "cost" });
  private readonly pace = h("span", {});
  private readonly unit = h("span", { class: "cost" });
  private readonly readout = h("output", { class: "readout", "aria-live": "off" }, this.clock, this.cost, this.pace, this.unit);
  private readonly seekBar = h("input", { type: "range", min: 0, max: 1, step: 1, value: 0, hidden: true, "aria-label": "Frame", class: "seek" });
  private readonly speedList = h("select", { "aria-label": "Speed", class: "speed", title: "Speed", onchange: () => (this.speed = Number(this.speedList.value)) },
    ...speeds.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed} ×`)));
  private playing = false;

  constructor(actions: TransportActions) {
    this.playButton = iconButton("play", "Play (space)", () => actions.play(!this.playing));
    this.playButton.classList.add("main");
    this.seekBar.addEventListener("input", () => actions.seek(Number(this.seekBar.value)));
    this.element = h("div", { class: "transport", role: "group", "aria-label": "Time" },
      iconButton("reset", "Start again (R)", actions.reset), this.playButton, iconButton("step", "One frame (.)", actions.step),
      this.seekBar, this.speedList, this.readout);
  }

  setPlaying(playing: boolean): void {
    this.playing = playing;
    this.playButton.replaceChildren(icon(playing ? "pause" : "play"));
    const label = playing ? "Pause (space)" : "Play (space)";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
  }

  /** Of a replay; 0 for none. */
  setFrames(frames: number): void {
    this.seekBar.hidden = frames === 0;
    this.seekBar.max = String(frames);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.speedList.value = String(speed);
  }

  show(frame: number, time: number, milliseconds: number, dt: number): void {
    this.seekBar.value = String(frame);
    const rate = milliseconds > 0 ? (1000 * dt) / milliseconds : 0;
    const pace = rate > 0 ? `${rate >= 10 ? rate.toFixed(0) : Number(rate.toPrecision(rate < 1 ? 1 : 2))} ×` : "";
    this.clock.textContent = `${time.toFixed(2)} s`;
    this.cost.textContent = pace && (milliseconds < 1000 ? ` · ${milliseconds.toFixed(1)} ms` : ` · ${(milliseconds / 1000).toFixed(1)} s`);
    this.pace.textContent = pace && ` · ${pace}`;
    this.unit.textContent = pace && " real time";
    this.readout.title = `frame ${frame}; computing one frame of ${(1000 * dt).toFixed(1)} ms takes ${milliseconds.toFixed(2)} ms`;
  }
}
