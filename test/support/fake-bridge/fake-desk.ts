import type { DeskBridge } from '../../../src/contract/bridge.ts';
import { type ErrorCode, errorTable } from '../../../src/contract/error-codes.ts';
import type { EventName, EventPayload } from '../../../src/contract/events.ts';
import { type Handlers, type ProcedureName, procedures } from '../../../src/contract/procedures.ts';
import { createFakeConnect } from './fake-connect.ts';
import { createFakeEngine } from './fake-engine.ts';
import { createFakeMain } from './fake-main.ts';
import { createFakeStore } from './fake-store.ts';

/** How the fake begins; set in the page's address, so that a look at a screen needs no clicking. */
export interface FakeStart {
  readonly scene:
    | 'first-run'
    | 'connecting'
    | 'empty'
    | 'working'
    | 'several'
    | 'stopped'
    | 'damaged'
    | 'updating'
    | 'locked';
  readonly theme: 'system' | 'light' | 'dark';
  readonly claims: number;
}

/** What a fake handler throws to answer with a code. */
export class FakeError extends Error {
  readonly code: ErrorCode;
  readonly requestId: string | undefined;
  readonly details: Record<string, string> | undefined;
  constructor(code: ErrorCode, requestId?: string, details?: Record<string, string>) {
    super(code);
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}

export type Emit = <E extends EventName>(name: E, payload: EventPayload<E>) => void;

/** A whole backend in memory, answering the contract: for looking at screens while developing. */
export function createFakeDesk(start: FakeStart): DeskBridge {
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  const emit: Emit = (name, payload) => {
    for (const listener of listeners.get(name) ?? []) (listener as (value: typeof payload) => void)(payload);
  };
  const main = createFakeMain(start, emit);
  const handlers: Partial<Handlers<ProcedureName>> = {
    ...main,
    ...createFakeEngine(start, emit),
    ...createFakeStore(start, emit),
    ...createFakeConnect(start, emit),
  };
  const call = async (name: ProcedureName, input: unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 4));
    if (start.scene === 'updating' && name.startsWith('records:')) await new Promise(() => undefined);
    try {
      const parsed = procedures[name].input.parse(input);
      const value = await (handlers[name] as (input: unknown) => unknown)(parsed);
      return { ok: true, value: procedures[name].output.parse(value) };
    } catch (error) {
      const code = error instanceof FakeError ? error.code : 'internal.fault';
      const { requestId, details } = error instanceof FakeError ? error : {};
      const more = { ...(requestId ? { requestId } : {}), ...(details ? { details } : {}) };
      return { ok: false, error: { code, ...errorTable[code], ...more } };
    }
  };
  return {
    shell: 'browser',
    call: Object.fromEntries(
      (Object.keys(procedures) as ProcedureName[]).map((name) => [
        name,
        (input: unknown) => call(name, input),
      ]),
    ) as DeskBridge['call'],
    subscribe: (name, listener) => {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      set.add(listener as (payload: never) => void);
      return () => set.delete(listener as (payload: never) => void);
    },
  };
}
