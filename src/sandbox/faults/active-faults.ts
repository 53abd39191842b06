import { hash32 } from '../data/random.ts';
import type { ConnectRoute, DataRoute, FaultKind, ServiceFault } from './fault-schema.ts';

type ActiveFault = { readonly id: number; readonly fault: ServiceFault; seen: number; applied: number };

/** The active faults with their counters. Equal requests in equal order get equal faults. */
export class ActiveFaults {
  private readonly seed: number;
  private active: ActiveFault[] = [];
  private nextId = 1;

  constructor(seed: number) {
    this.seed = seed;
  }

  add(fault: ServiceFault): number {
    const id = this.nextId;
    this.nextId += 1;
    this.active.push({ id, fault, seen: 0, applied: 0 });
    return id;
  }

  clear(): void {
    this.active = [];
  }

  list(): readonly (ServiceFault & { id: number; seen: number; applied: number })[] {
    return this.active.map(({ id, fault, seen, applied }) => ({ ...fault, id, seen, applied }));
  }

  /** Counts this request and returns its faults. `page` and `perPage` are those of a list request. */
  forRequest(route: DataRoute | ConnectRoute, page = 1, perPage = 0): RequestFaults {
    const all = route.startsWith('connect-') ? 'connect' : '*';
    const matching: { fault: ServiceFault; applied: number }[] = [];
    for (const entry of this.active) {
      const { fault } = entry;
      if (fault.route !== all && fault.route !== route) continue;
      if (fault.page !== undefined && fault.page !== page) continue;
      if (fault.above !== undefined && perPage <= fault.above) continue;
      entry.seen += 1;
      if (entry.seen <= fault.after) continue;
      if (fault.times !== undefined && entry.applied >= fault.times) continue;
      if (fault.rate < 1 && hash32(this.seed, entry.id, entry.seen) / 4_294_967_296 >= fault.rate) continue;
      entry.applied += 1;
      matching.push({ fault, applied: entry.applied });
    }
    return new RequestFaults(matching);
  }
}

export class RequestFaults {
  private readonly matching: readonly { readonly fault: ServiceFault; readonly applied: number }[];

  constructor(matching: readonly { readonly fault: ServiceFault; readonly applied: number }[]) {
    this.matching = matching;
  }

  get isEmpty(): boolean {
    return this.matching.length === 0;
  }

  find<K extends FaultKind>(kind: K): Extract<ServiceFault, { kind: K }> | undefined {
    for (const { fault } of this.matching) {
      if (isKind(fault, kind)) return fault;
    }
    return undefined;
  }

  /** Returns how often the first fault of this kind has applied, including this time. */
  countOf(kind: FaultKind): number {
    return this.matching.find(({ fault }) => fault.kind === kind)?.applied ?? 0;
  }
}

function isKind<K extends FaultKind>(
  fault: ServiceFault,
  kind: K,
): fault is Extract<ServiceFault, { kind: K }> {
  return fault.kind === kind;
}
