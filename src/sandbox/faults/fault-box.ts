import { hash32 } from '../data/random.ts';
import type { ConnectRoute, DataRoute, Fault, FaultKind } from './fault-schema.ts';

type Laid = { readonly id: number; readonly fault: Fault; seen: number; applied: number };

/** The active faults, with their counters; the same requests in the same order get the same faults. */
export class FaultBox {
  private readonly seed: number;
  private laid: Laid[] = [];
  private nextId = 1;

  constructor(seed: number) {
    this.seed = seed;
  }

  add(fault: Fault): number {
    const id = this.nextId;
    this.nextId += 1;
    this.laid.push({ id, fault, seen: 0, applied: 0 });
    return id;
  }

  clear(): void {
    this.laid = [];
  }

  list(): readonly (Fault & { id: number; seen: number; applied: number })[] {
    return this.laid.map(({ id, fault, seen, applied }) => ({ ...fault, id, seen, applied }));
  }

  /** The faults that apply to this request, for a page of a list or for no list; counts it. */
  draw(route: DataRoute | ConnectRoute, page = 1, perPage = 0): DrawnFaults {
    const all = route.startsWith('connect-') ? 'connect' : '*';
    const struck: { fault: Fault; applied: number }[] = [];
    for (const entry of this.laid) {
      const { fault } = entry;
      if (fault.route !== all && fault.route !== route) continue;
      if (fault.page !== undefined && fault.page !== page) continue;
      if (fault.above !== undefined && perPage <= fault.above) continue;
      entry.seen += 1;
      if (entry.seen <= fault.after) continue;
      if (fault.times !== undefined && entry.applied >= fault.times) continue;
      if (fault.rate < 1 && hash32(this.seed, entry.id, entry.seen) / 4_294_967_296 >= fault.rate) continue;
      entry.applied += 1;
      struck.push({ fault, applied: entry.applied });
    }
    return new DrawnFaults(struck);
  }
}

/** The faults of one request, by kind. */
export class DrawnFaults {
  private readonly struck: readonly { readonly fault: Fault; readonly applied: number }[];

  constructor(struck: readonly { readonly fault: Fault; readonly applied: number }[]) {
    this.struck = struck;
  }

  get isEmpty(): boolean {
    return this.struck.length === 0;
  }

  find<K extends FaultKind>(kind: K): Extract<Fault, { kind: K }> | undefined {
    for (const { fault } of this.struck) {
      if (isKind(fault, kind)) return fault;
    }
    return undefined;
  }

  /** How often the first fault of this kind has applied, including this time. */
  countOf(kind: FaultKind): number {
    return this.struck.find(({ fault }) => fault.kind === kind)?.applied ?? 0;
  }
}

function isKind<K extends FaultKind>(fault: Fault, kind: K): fault is Extract<Fault, { kind: K }> {
  return fault.kind === kind;
}
