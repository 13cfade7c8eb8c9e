// Whether the memory that a module imports is shared by threads is one bit of it. The package's says no, so that any browser
// takes it; where there are threads, engine.js changes it before it compiles.

/** The first and the largest size of the memory, in pages of 64 KiB, as it was linked. */
export const pages = { initial: 256, maximum: 32768 };

/** Sets the bit, in place. */
export function setShared(bytes, shared) {
  let at = 8; // behind magic number and version
  const read = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const skipName = () => {
    const length = read();
    at += length;
  };
  const skipLimits = () => {
    if (read() & 1) read();
    read();
  };
  const imports = 2, func = 0, table = 1, memory = 2, global = 3, tag = 4;
  for (;;) {
    const section = bytes[at++], size = read();
    if (section === imports) break;
    at += size;
    if (!(at < bytes.length)) throw new Error("this is no engine: it imports nothing");
  }
  for (let count = read(); count > 0; --count) {
    skipName();
    skipName();
    const kind = bytes[at++];
    if (kind === memory) {
      bytes[at] = shared ? bytes[at] | 2 : bytes[at] & ~2;
      return;
    }
    if (kind === func) read();
    else if (kind === table) ++at, skipLimits();
    else if (kind === global) at += 2;
    else if (kind === tag) ++at, read();
  }
  throw new Error("this is no engine: it imports no memory");
}
