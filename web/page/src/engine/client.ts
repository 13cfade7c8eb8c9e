// The page's side of the Worker: a promise for every call, answered in order.

import type { Answer, Ask, CallName, Calls, FrameData, FrameRequest, LayerData, Problem } from "./protocol";

export class EngineError extends Error {
  constructor(message: string, readonly problems: Problem[]) {
    super(message);
  }
}

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

export class EngineClient {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  private dead: EngineError | null = null;

  constructor() {
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = (event: MessageEvent<Answer>) => this.settle(event.data);
    this.worker.onerror = (event) => this.fail(event.message || "the engine stopped");
  }

  call<N extends CallName>(name: N, argument: Calls[N][0], transfer: Transferable[] = []): Promise<Calls[N][1]> {
    if (this.dead) return Promise.reject(this.dead);
    const id = this.next++;
    const ask: Ask = { id, name, argument };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.worker.postMessage(ask, transfer);
    });
  }

  /** Asks for a frame and gives the buffers of the last one away. */
  frame(request: FrameRequest): Promise<FrameData> {
    return this.call("frame", request, request.buffers.flatMap(buffersOfLayer));
  }

  stop(): void {
    this.worker.terminate();
    this.fail("stopped");
  }

  private settle(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    this.waiting.delete(answer.id);
    if (answer.error) waiting.reject(new EngineError(answer.error.message, answer.error.problems));
    else waiting.resolve(answer.result as never);
  }

  private fail(message: string): void {
    this.dead = new EngineError(message, []);
    for (const waiting of this.waiting.values()) waiting.reject(this.dead);
    this.waiting.clear();
  }
}

function buffersOfLayer(data: LayerData): ArrayBuffer[] {
  return [data.positions, data.normals, data.field].flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
}
