import { Account } from './auth/account.ts';
import { SandboxClock } from './clock.ts';
import { type Connect, createConnect } from './connect/connect.ts';
import type { ScheduleStep } from './control/edit-schema.ts';
import { applyEdits } from './control/edits.ts';
import { World } from './data/world.ts';
import { ActiveFaults } from './faults/active-faults.ts';
import type { DataRoute } from './faults/fault-schema.ts';
import type { SandboxOptions } from './options.ts';

type ScheduleState = {
  readonly answered: number;
  readonly pending: number;
  readonly errors: readonly string[];
};

/**
 * Edits between two requests. A step is applied in the same turn of the event loop as the reply before it, so that a
 * sequential client always gets the same data.
 */
class Schedule {
  private pending: ScheduleStep[] = [];
  private readonly counts = new Map<DataRoute | '*', number>();
  private errors: string[] = [];

  set(steps: readonly ScheduleStep[]): void {
    this.pending = [...steps];
    this.counts.clear();
    this.errors = [];
  }

  state(): ScheduleState {
    return { answered: this.counts.get('*') ?? 0, pending: this.pending.length, errors: this.errors };
  }

  /** Counts a reply of this route, and applies the steps that are now due. */
  answered(route: DataRoute, world: World): void {
    if (this.pending.length === 0) return;
    for (const name of [route, '*'] as const) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    const isDue = (step: ScheduleStep): boolean => (this.counts.get(step.route) ?? 0) >= step.after;
    const due = this.pending.filter(isDue);
    if (due.length === 0) return;
    this.pending = this.pending.filter((step) => !isDue(step));
    for (const step of due) this.applyStep(step, world);
  }

  private applyStep(step: ScheduleStep, world: World): void {
    try {
      applyEdits(world, step.edits);
    } catch (error) {
      this.errors.push(error instanceof Error ? error.message : 'A step could not be applied');
    }
  }
}

/** One request as the service received it; no header values but the three that tests need. */
type RequestRecord = {
  readonly number: number;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly headerNames: readonly string[];
  readonly cookie: string | null;
  readonly origin: string | null;
  readonly authorizationScheme: string | null;
  /** Id (`jti`) of the request's Connect access token, so that tests see which of several was used. */
  accessTokenId: string | null;
  status: number | null;
  /** Time to make the reply, in milliseconds, without sending it and without delays of faults. */
  ownMs: number | null;
  /** Processor time to make the reply, which other programs on the machine do not affect. */
  cpuMs: number | null;
};

type Complaint = { readonly kind: string; readonly requestId: string; readonly message: string };

const KEPT = 20_000;

/** What the service received, for tests: the newest requests and every complaint, both limited. */
export class RequestJournal {
  private readonly requests: RequestRecord[] = [];
  private readonly complaints: Complaint[] = [];
  private readonly byId = new Map<string, RequestRecord>();
  private seen = 0;

  get requestCount(): number {
    return this.seen;
  }

  open(
    record: Omit<RequestRecord, 'number' | 'accessTokenId' | 'status' | 'ownMs' | 'cpuMs'>,
  ): RequestRecord {
    this.seen += 1;
    const opened: RequestRecord = {
      ...record,
      number: this.seen,
      accessTokenId: null,
      status: null,
      ownMs: null,
      cpuMs: null,
    };
    this.requests.push(opened);
    this.byId.set(opened.requestId, opened);
    if (this.requests.length > KEPT) {
      for (const dropped of this.requests.splice(0, KEPT / 4)) this.byId.delete(dropped.requestId);
    }
    return opened;
  }

  find(requestId: string): RequestRecord | undefined {
    return this.byId.get(requestId);
  }

  complain(complaint: Complaint): void {
    if (this.complaints.length < KEPT) this.complaints.push(complaint);
  }

  listRequests(): readonly RequestRecord[] {
    return this.requests;
  }

  listComplaints(): readonly Complaint[] {
    return this.complaints;
  }

  clear(): void {
    this.requests.length = 0;
    this.byId.clear();
    this.complaints.length = 0;
  }
}

/** The state that the routes of the service and of the control address share. */
export type Service = {
  readonly options: SandboxOptions;
  readonly clock: SandboxClock;
  readonly account: Account;
  readonly journal: RequestJournal;
  readonly world: World;
  readonly faults: ActiveFaults;
  readonly schedule: Schedule;
  readonly connect: Connect;
};

export function createService(options: SandboxOptions): Service {
  const clock = new SandboxClock(options.today);
  const world = new World(
    { seed: options.seed, members: options.members, claims: options.claims, order: options.order },
    clock,
  );
  return {
    options,
    clock,
    world,
    account: new Account(options.email),
    journal: new RequestJournal(),
    faults: new ActiveFaults(options.seed),
    schedule: new Schedule(),
    connect: createConnect(world, clock),
  };
}
