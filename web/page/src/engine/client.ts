// The page's side of the Worker: a promise for every call, answered in order. A Worker that is busy with something that nobody
// wants any more, or whose engine has broken down, is replaced by a new one.

import type { Answer, Ask, CallName, Calls, FrameData, FrameRequest, LayerData, Problem } from "./protocol";

export class EngineError extends Error {
  constructor(message: string, readonly problems: Problem[]) {
    super(message);
  }
}

/** A call that was given up because the Worker was replaced: nobody waits for its answer. */
export class EngineStopped extends EngineError {}

interface Waiting {
  name: CallName;
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

export class EngineClient {
  /** The engine has broken down, and a new one runs that has no scene. */
  onbreakdown: (message: string) => void = () => undefined;
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  private begin: { module: WebAssembly.Module | null; threads: number } | null = null;

  async start(module: WebAssembly.Module | null, threads: number): Promise<Calls["start"][1]> {
    this.begin = { module, threads };
    const started = await this.call("start", this.begin);
    this.begin.module = started.module;
    return started;
  }

  call<N extends CallName>(name: N, argument: Calls[N][0], transfer: Transferable[] = []): Promise<Calls[N][1]> {
    this.worker ??= this.open();
    const id = this.next++;
    const ask: Ask = { id, name, argument };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { name, resolve: resolve as Waiting["resolve"], reject });
      this.worker!.postMessage(ask, transfer);
    });
  }

  /** Asks for a frame and gives the buffers of the last one away. */
  frame(request: FrameRequest): Promise<FrameData> {
    return this.call("frame", request, request.buffers.flatMap(buffersOfLayer));
  }

  /** Stops whatever the Worker does. The next call finds a new engine, without a scene. */
  stop(message = "stopped"): void {
    this.worker?.terminate();
    this.worker = null;
    for (const waiting of this.waiting.values()) waiting.reject(new EngineStopped(message, []));
    this.waiting.clear();
    if (this.begin) void this.call("start", this.begin).catch(() => undefined);
  }

  private open(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = (event: MessageEvent<Answer>) => this.settle(event.data);
    worker.onerror = (event) => {
      for (const waiting of this.waiting.values()) waiting.reject(new EngineError(event.message || "the engine cannot be loaded", []));
      this.waiting.clear();
      this.worker = null; // the next call tries again
    };
    return worker;
  }

  private settle(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    this.waiting.delete(answer.id);
    if (!answer.error) return waiting.resolve(answer.result as never);
    if (!answer.error.broken || waiting.name === "start") return waiting.reject(new EngineError(answer.error.message, answer.error.problems));
    waiting.reject(new EngineStopped(answer.error.message, []));
    this.stop(answer.error.message);
    this.onbreakdown(answer.error.message);
  }
}

function buffersOfLayer(data: LayerData): ArrayBuffer[] {
  return [data.positions, data.normals, data.field].flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
}
