import { greatestCommonDivisor, inverseModulo } from './modulo.ts';
import { hash32 } from './random.ts';

/**
 * Computes which member a claim belongs to, and which claims a member has, without storing a table.
 *
 * Claims come in blocks as long as the member list. Inside block k, claim r goes to slot (step · r + shift(k)) mod
 * members, which can be solved for r. Slots map to members in groups of five by one of a few patterns, so that some
 * members have no claims and some have several times the average.
 */
export class ClaimAssignment {
  private readonly seed: number;
  private readonly members: number;
  private readonly step: number;
  private readonly inverseStep: number;

  constructor(seed: number, members: number) {
    this.seed = seed;
    this.members = members;
    let step = Math.max(1, Math.floor(members * 0.618));
    while (greatestCommonDivisor(step, members) !== 1) step += 1;
    this.step = step % members || 1;
    this.inverseStep = inverseModulo(this.step, members);
  }

  /** Member index of claim `index`. */
  memberOf(index: number): number {
    const block = Math.floor(index / this.members);
    const r = index - block * this.members;
    const slot = (this.step * r + this.shift(block)) % this.members;
    return this.memberOfSlot(slot);
  }

  /** Returns the ascending claim indices below `total` that belong to a member, in one step per block and slot. */
  claimsOf(member: number, total: number): number[] {
    const slots = this.slotsOf(member);
    const indices: number[] = [];
    if (slots.length === 0) return indices;
    for (let block = 0; block * this.members < total; block += 1) {
      const base = block * this.members;
      const shift = this.shift(block);
      for (const slot of slots) {
        const offset = (slot - shift + this.members) % this.members;
        const index = base + ((offset * this.inverseStep) % this.members);
        if (index < total) indices.push(index);
      }
    }
    return indices.sort((a, b) => a - b);
  }

  private shift(block: number): number {
    return hash32(this.seed, block, 501) % this.members;
  }

  private memberOfSlot(slot: number): number {
    const group = Math.floor(slot / 5);
    return Math.min(this.members - 1, group * 5 + this.pattern(group, slot - group * 5));
  }

  private slotsOf(member: number): number[] {
    const group = Math.floor(member / 5);
    const slots: number[] = [];
    for (let s = group * 5; s < Math.min(this.members, group * 5 + 5); s += 1) {
      if (this.memberOfSlot(s) === member) slots.push(s);
    }
    return slots;
  }

  private pattern(group: number, position: number): number {
    const pattern = PATTERNS[hash32(this.seed, group, 502) % PATTERNS.length] as readonly number[];
    return pattern[position] as number;
  }
}

const PATTERNS: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4],
  [0, 0, 1, 2, 3],
  [0, 1, 1, 3, 4],
  [2, 2, 2, 3, 4],
  [0, 1, 4, 4, 4],
];
