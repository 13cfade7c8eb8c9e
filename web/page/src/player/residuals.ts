// Reads whole numbers as src/pliant/files/residuals.h writes them: Golomb-Rice codes, in blocks of 32.

const block = 32;
const escape = 20;
const allZero = 31;

export class ResidualReader {
  private at = 0; // byte
  private bits = 0;
  private count = 0; // of bits, at most 24 + 7

  constructor(private readonly bytes: Uint8Array) {}

  read(into: Int32Array): Int32Array {
    for (let first = 0; first < into.length; first += block) {
      const last = Math.min(into.length, first + block);
      const k = this.take(5);
      if (k === allZero) into.fill(0, first, last);
      else for (let i = first; i < last; ++i) into[i] = this.number(k);
    }
    return into;
  }

  private number(k: number): number {
    let ones = 0;
    while (ones < escape && this.take(1)) ++ones;
    const u = ones === escape ? this.long(32) : k ? ones * 2 ** k + this.long(k) : ones;
    return u % 2 ? -(u + 1) / 2 : u / 2;
  }

  private long(count: number): number {
    return count <= 16 ? this.take(count) : this.take(16) + 65536 * this.take(count - 16);
  }

  /** Up to 16 bits. */
  private take(count: number): number {
    while (this.count < count) {
      this.bits |= (this.bytes[this.at++] ?? 0) << this.count;
      this.count += 8;
    }
    const value = this.bits & ((1 << count) - 1);
    this.bits >>>= count;
    this.count -= count;
    return value;
  }
}
