import { greatestCommonDivisor, inverseModulo } from './modulo.ts';
import { hash32 } from './random.ts';
import { Sequence } from './sequence.ts';

export const listOrders = ['asc', 'desc', 'shuffled'] as const;
export type ListOrder = (typeof listOrders)[number];

/** A list of record indices whose order can be edited. Its memory grows with the edits only. */
export class OrderedList {
  readonly order: ListOrder;
  private readonly sequence: Sequence;
  private readonly initial: number;
  private readonly seed: number;
  private readonly inserted: number[] = [];
  private readonly step: number;
  private readonly shift: number;
  private readonly removed = new Set<number>();
  private grown = 0;

  constructor(length: number, order: ListOrder, seed: number) {
    this.order = order;
    this.initial = length;
    this.seed = seed;
    this.sequence = new Sequence(length, order === 'desc' ? 'desc' : 'asc');
    let step = Math.max(1, Math.floor(length * 0.3819));
    while (length > 1 && greatestCommonDivisor(step, length) !== 1) step += 1;
    this.step = step;
    this.shift = length === 0 ? 0 : hash32(seed, length, 91) % length;
  }

  get length(): number {
    return this.sequence.length;
  }

  /** How many records the generator has made so far, including removed ones. */
  get generated(): number {
    return this.initial + this.grown;
  }

  slice(from: number, count: number): number[] {
    const ordinals = this.sequence.slice(from, count);
    return this.order === 'shuffled' ? ordinals.map((ordinal) => this.shuffle(ordinal)) : ordinals;
  }

  has(index: number): boolean {
    if (this.removed.has(index)) return false;
    return index >= 0 && (index < this.generated || this.positionOf(index) !== -1);
  }

  /** Position of an index in the list, or -1. */
  positionOf(index: number): number {
    return this.sequence.positionOf(this.ordinalOf(index));
  }

  /** Returns which of the given indices are in the list, in the list's order. */
  inOrder(indices: readonly number[]): number[] {
    const present = indices.filter((index) => !this.removed.has(index));
    if (this.order === 'asc') return present.sort((a, b) => a - b);
    if (this.order === 'desc') return present.sort((a, b) => b - a);
    return present.sort((a, b) => this.ordinalOf(a) - this.ordinalOf(b));
  }

  insert(position: number, index: number): void {
    this.inserted.push(index);
    this.sequence.insert(position, index, 1);
  }

  /** Adds the generator's next records at the end of the list, or at its start where the newest come first. */
  grow(count: number): void {
    const start = this.generated;
    if (this.order === 'desc') this.sequence.insert(0, start + count - 1, count, -1);
    else this.sequence.insert(this.length, start, count, 1);
    this.grown += count;
  }

  removeAt(position: number): number {
    const ordinal = this.sequence.removeAt(position);
    const index = this.order === 'shuffled' ? this.shuffle(ordinal) : ordinal;
    this.removed.add(index);
    return index;
  }

  move(from: number, to: number): void {
    const ordinal = this.sequence.removeAt(from);
    this.sequence.insert(to, ordinal, 1);
  }

  swap(a: number, b: number): void {
    if (a === b) return;
    const [low, high] = a < b ? [a, b] : [b, a];
    const atHigh = this.sequence.removeAt(high);
    const atLow = this.sequence.removeAt(low);
    this.sequence.insert(low, atHigh, 1);
    this.sequence.insert(high, atLow, 1);
  }

  /** Reorders the records: generated ones first, then inserted ones. */
  reordered(order: ListOrder): OrderedList {
    const list = new OrderedList(this.initial, order, this.seed);
    if (this.grown > 0) list.grow(this.grown);
    for (const index of this.inserted) list.insert(list.length, index);
    for (const index of this.removed) list.removeAt(list.positionOf(index));
    return list;
  }

  private shuffle(ordinal: number): number {
    return ordinal < this.initial ? (this.step * ordinal + this.shift) % this.initial : ordinal;
  }

  private ordinalOf(index: number): number {
    if (this.order !== 'shuffled' || index >= this.initial) return index;
    const offset = (((index - this.shift) % this.initial) + this.initial) % this.initial;
    return (offset * this.inverse()) % this.initial;
  }

  private inverseStep = -1;

  private inverse(): number {
    if (this.inverseStep < 0) this.inverseStep = inverseModulo(this.step, this.initial);
    return this.inverseStep;
  }
}
