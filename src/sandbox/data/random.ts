/**
 * Deterministic randomness. Every record is a pure function of (seed, kind, index), so any page can be made
 * without making the pages before it, and the same seed gives the same data on every machine.
 */

/** Mixes up to three 32-bit integers into one well-spread unsigned 32-bit integer. */
export function hash32(a: number, b: number, c = 0): number {
  let h = (a ^ 0x9e3779b9) >>> 0;
  h = Math.imul(h ^ (b + 0x7f4a7c15), 0x85ebca6b);
  h ^= h >>> 15;
  h = Math.imul(h ^ Math.imul(c + 0x165667b1, 0x27d4eb2f), 0xc2b2ae35);
  h ^= h >>> 13;
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 16;
  return h >>> 0;
}

/** A small fast stream (mulberry32) started from a hash; one per record and purpose. */
export class RandomStream {
  private state: number;

  constructor(state: number) {
    this.state = state >>> 0;
  }

  /** Next unsigned 32-bit integer. */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** Integer in [0, bound). */
  below(bound: number): number {
    return Math.floor((this.bits() / 4294967296) * bound);
  }

  /** Integer in [low, high], both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True in about `percent` of one hundred cases. */
  chance(percent: number): boolean {
    return this.bits() / 4294967296 < percent / 100;
  }

  /** One element; the list must not be empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** A version-4-shaped UUID made from four hashes. */
export function uuidFrom(a: number, b: number, salt: number): string {
  const h1 = hash32(a, b, salt + 1);
  const h2 = hash32(a, b, salt + 2);
  const head = `${hex8(hash32(a, b, salt))}-${HEX4[h1 >>> 16]}-4${(HEX4[h1 & 0xffff] as string).slice(1)}`;
  return `${head}-a${(HEX4[h2 >>> 16] as string).slice(1)}-${HEX4[h2 & 0xffff]}${hex8(hash32(a, b, salt + 3))}`;
}

/** Four hexadecimal digits of every 16-bit number: formatting one by one costs more than the rest of a claim. */
const HEX4: readonly string[] = Array.from({ length: 65_536 }, (_, n) => (n + 65_536).toString(16).slice(1));

function hex8(value: number): string {
  return (HEX4[value >>> 16] as string) + (HEX4[value & 0xffff] as string);
}

const CHUNK_DIGITS = 9;
const CHUNK = 10 ** CHUNK_DIGITS;

/** Digits as text, of exactly this length, leading zeros kept. */
export function digitsFrom(stream: RandomStream, length: number): string {
  let text = '';
  while (text.length < length) text += String(CHUNK + stream.below(CHUNK)).slice(1);
  return text.slice(0, length);
}
