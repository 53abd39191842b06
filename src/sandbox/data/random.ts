/**
 * Deterministic randomness. Every record is a pure function of (seed, kind, index), so any page can be made without the
 * pages before it, and the same seed gives the same data on every machine.
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

/** A small fast generator of random numbers (mulberry32), seeded with a hash; one for each record and purpose. */
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

const HEX = Buffer.from('0123456789abcdef');
/** Positions of the sixteen bytes of a UUID in its text, which has dashes. */
const UUID_OFFSETS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const uuidText = Buffer.from('00000000-0000-4000-a000-000000000000');

/** Returns a UUID in the form of version 4, by one small buffer: joining strings took several times as long. */
export function uuidFrom(a: number, b: number, salt: number): string {
  const first = hash32(a, b, salt);
  const second = hash32(b, first, salt + 1);
  writeHex(first, 0);
  writeHex(second, 4);
  writeHex(Math.imul(first ^ 0x5bd1e995, 0x85ebca6b) ^ second, 8);
  writeHex(Math.imul(second ^ 0x1b873593, 0xc2b2ae35) ^ first, 12);
  uuidText[14] = 0x34;
  uuidText[19] = 0x61;
  return uuidText.toString('latin1');
}

function writeHex(word: number, at: number): void {
  for (let i = 0; i < 4; i += 1) {
    const byte = (word >>> (24 - 8 * i)) & 0xff;
    const offset = UUID_OFFSETS[at + i] as number;
    uuidText[offset] = HEX[byte >>> 4] as number;
    uuidText[offset + 1] = HEX[byte & 15] as number;
  }
}

const CHUNK_DIGITS = 9;
const CHUNK = 10 ** CHUNK_DIGITS;

/** Returns exactly this many random digits as text, with leading zeros. */
export function digitsFrom(stream: RandomStream, length: number): string {
  let text = '';
  while (text.length < length) text += String(CHUNK + stream.below(CHUNK)).slice(1);
  return text.slice(0, length);
}
