import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock.ts';
import type { Connection } from './realm.ts';
import { correctionFor } from './realm.ts';
import type { ConnectBehavior } from './settings.ts';
import type { CarrierPlan, SimulatedValidation, ValidationEvent } from './validation-machine.ts';
import {
  isAtRest,
  isTerminal,
  isWaiting,
  nextValidation,
  problemAtRest,
  startValidation,
} from './validation-machine.ts';

/** A running or ended validation. */
export type Task = {
  readonly id: string;
  readonly connection: Connection;
  validation: SimulatedValidation;
  /** When the next step is due, by the server's clock; infinity once it has ended or stays where it is. */
  dueMs: number;
};

type Listener = (validation: SimulatedValidation) => void;

const MAX_TIMER_MS = 2_000_000_000;
/** How many ended validations are stored; running ones are always stored. */
const KEPT = 10_000;

/** Runs validations by the server's clock; changing the clock advances them. */
export class Validations {
  private readonly clock: SandboxClock;
  private readonly settings: () => ConnectBehavior;
  private readonly onAccepted: (connection: Connection) => void;
  private readonly tasks = new Map<string, Task>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly listeners = new Map<string, Set<Listener>>();

  /** @param onAccepted called when the carrier has accepted a connection's login */
  constructor(
    clock: SandboxClock,
    settings: () => ConnectBehavior,
    onAccepted: (connection: Connection) => void = () => undefined,
  ) {
    this.clock = clock;
    this.settings = settings;
    this.onAccepted = onAccepted;
  }

  /** Starts a validation of a connection, which replaces one that is still running. */
  start(connection: Connection, plan: CarrierPlan, isFast: boolean): Task {
    const running = connection.taskId === null ? undefined : this.tasks.get(connection.taskId);
    const task: Task = { id: randomUUID(), connection, validation: startValidation(plan), dueMs: 0 };
    this.tasks.set(task.id, task);
    this.forgetOldest();
    connection.taskId = task.id;
    connection.loginProblem = null;
    connection.correctionMessage = null;
    if (running !== undefined) this.apply(running, { kind: 'superseded' });
    task.dueMs = this.clock.serverNowMs() + this.settings().stepMs;
    while (isFast && !isTerminal(task.validation.state)) this.apply(task, { kind: 'time' });
    this.schedule(task);
    return task;
  }

  /** The task in its current state. */
  find(id: string): Task | undefined {
    const task = this.tasks.get(id);
    if (task !== undefined) this.catchUp(task);
    return task;
  }

  list(): readonly Task[] {
    return [...this.tasks.values()];
  }

  /** Applies the member's answer; false where none is expected. */
  answer(task: Task, event: ValidationEvent): boolean {
    const before = task.validation;
    this.apply(task, event);
    this.schedule(task);
    return task.validation !== before;
  }

  subscribe(task: Task, listener: Listener): () => void {
    const listeners = this.listeners.get(task.id) ?? new Set();
    this.listeners.set(task.id, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      // A second call must not remove listeners added in between.
      if (listeners.size === 0 && this.listeners.get(task.id) === listeners) this.listeners.delete(task.id);
    };
  }

  /** Runs everything that is due now; called when the clock or the settings changed. */
  clockMoved(): void {
    for (const task of this.tasks.values()) {
      this.catchUp(task);
      this.schedule(task);
    }
  }

  private forgetOldest(): void {
    if (this.tasks.size <= KEPT) return;
    for (const [id, task] of this.tasks) {
      if (!isTerminal(task.validation.state)) continue;
      this.tasks.delete(id);
      return;
    }
  }

  private catchUp(task: Task): void {
    while (task.dueMs <= this.clock.serverNowMs()) this.apply(task, { kind: 'time' });
  }

  private apply(task: Task, event: ValidationEvent): void {
    const next = nextValidation(task.validation, event);
    if (next === task.validation) return;
    const { stepMs, sessionMs } = this.settings();
    const fromMs = event.kind === 'time' ? task.dueMs : this.clock.serverNowMs();
    task.validation = next;
    const isAtItsEnd = isTerminal(next.state) || isAtRest(next);
    task.dueMs = isAtItsEnd
      ? Number.POSITIVE_INFINITY
      : fromMs + (isWaiting(next.state) ? sessionMs : stepMs);
    if (isTerminal(next.state)) this.finish(task, next.problem);
    else if (isAtRest(next) && next.plan.rest === 'told') this.finish(task, problemAtRest(next));
    for (const listener of [...(this.listeners.get(task.id) ?? [])]) listener(next);
  }

  /** Applies the end of a validation to its connection, unless a newer one is running. */
  private finish({ id, connection, validation }: Task, problem: string | null): void {
    if (connection.taskId !== id) return;
    connection.taskId = null;
    const isAccepted = validation.plan.outcome === 'valid' && validation.state !== 'FAILURE';
    const { acceptedProblem } = this.settings();
    const fine = acceptedProblem === 'valid' ? 'valid' : null;
    connection.loginProblem = isAccepted ? fine : problem;
    connection.correctionMessage = correctionFor(connection.loginProblem);
    if (isAccepted) this.onAccepted(connection);
  }

  private schedule(task: Task): void {
    clearTimeout(this.timers.get(task.id));
    this.timers.delete(task.id);
    if (task.dueMs === Number.POSITIVE_INFINITY) return;
    const inMs = Math.min(MAX_TIMER_MS, Math.max(0, task.dueMs - this.clock.serverNowMs()));
    const timer = setTimeout(() => {
      this.catchUp(task);
      this.schedule(task);
    }, inMs);
    timer.unref();
    this.timers.set(task.id, timer);
  }
}
