// What `pliant view` shows: it serves this page, and beside it a scene or a recording, for whoever has the token.

export interface Shown {
  kind: "gallery" | "builtin" | "scene" | "recording";
  name: string;
  text: string;
  files: Record<string, Uint8Array>;
}

interface Info extends Omit<Shown, "text" | "files"> {
  version: string;
  files: string[];
}

const interval = 500; // milliseconds between two looks at the file

export class Served {
  private version = "";
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly token: string) {}

  async read(): Promise<Shown> {
    const info = await this.info();
    this.version = info.version;
    const text = await (await this.ask("text")).text();
    const files: Record<string, Uint8Array> = {};
    await Promise.all(info.files.map(async (name, i) => {
      const answer = await this.ask(`files/${i}`).catch(() => null); // the engine says at its line what is missing
      if (answer) files[name] = new Uint8Array(await answer.arrayBuffer());
    }));
    return { ...info, text, files };
  }

  /** Writes the scene file. */
  async write(text: string): Promise<void> {
    await this.ask("text", { method: "PUT", body: text });
    this.version = (await this.info()).version;
  }

  /** Calls back when the file has changed. */
  watch(onchange: () => void): void {
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      void this.info().then(({ version }) => {
        if (version === this.version) return;
        this.version = version;
        onchange();
      }, () => undefined); // ended, or the file is being written
    }, interval);
  }

  private async info(): Promise<Info> {
    return (await (await this.ask("info")).json()) as Info;
  }

  private async ask(what: string, options: RequestInit = {}): Promise<Response> {
    const response = await fetch(`session/${what}`, { ...options, headers: { "x-pliant-token": this.token } });
    if (!response.ok) throw new Error(`pliant view: ${(await response.text()).trim() || "it does not answer here; open the address that it has printed"}`);
    return response;
  }
}
