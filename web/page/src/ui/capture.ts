// Pictures and videos of what is on the canvas.

import { download } from "./dom";

export async function savePicture(canvas: HTMLCanvasElement, draw: () => void, name: string): Promise<void> {
  draw(); // in the same task, or the picture is gone before it is read
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) download(`${name}.png`, blob);
}

const containers = ["video/mp4;codecs=avc1", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

export class Video {
  private recorder: MediaRecorder | null = null;
  private parts: Blob[] = [];

  get running(): boolean {
    return this.recorder !== null;
  }

  start(canvas: HTMLCanvasElement): void {
    const type = containers.find((candidate) => MediaRecorder.isTypeSupported(candidate));
    if (!type) throw new Error("this browser knows no video format");
    this.parts = [];
    this.recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12e6 });
    this.recorder.ondataavailable = (event) => this.parts.push(event.data);
    this.recorder.start(1000);
  }

  async stop(name: string): Promise<void> {
    const { recorder } = this;
    if (!recorder) return;
    await new Promise<void>((resolve) => {
      recorder.onstop = () => resolve();
      recorder.stop();
    });
    recorder.stream.getTracks().forEach((track) => track.stop());
    const type = recorder.mimeType.split(";")[0]!;
    download(`${name}.${type.endsWith("mp4") ? "mp4" : "webm"}`, new Blob(this.parts, { type }));
    this.recorder = null;
  }
}
