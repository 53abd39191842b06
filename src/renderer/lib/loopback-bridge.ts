import type { DeskBridge } from '../../contract/bridge.ts';
import type { AnyEvent, EventName } from '../../contract/events.ts';
import { type ProcedureName, procedures } from '../../contract/procedures.ts';
import type { ErrorReport, Result } from '../../contract/result.ts';
import { backoffMs, readEvents } from './event-stream.ts';

export interface LoopbackOptions {
  readonly windowToken: string;
  /** Empty while locked. */
  readonly engineUrl: string;
  readonly fetch: typeof fetch;
  readonly wait: (ms: number) => Promise<void>;
  /** The engine answers elsewhere now; the policy of this page does not reach it, so the page loads anew. */
  readonly onEngineMoved: () => void;
}

const hostStopped: ErrorReport = {
  code: 'engine.stopped',
  message: 'Claimdesk is no longer running.',
  nextStep: 'Start Claimdesk again. Synced records are kept.',
};
const engineStopped: ErrorReport = {
  code: 'engine.stopped',
  message: 'Claimdesk’s database process isn’t responding.',
  nextStep: 'Unlock or restart Claimdesk. Synced records are kept.',
};

function isResult(value: unknown): value is Result<unknown> {
  return typeof value === 'object' && value !== null && 'ok' in value && typeof value.ok === 'boolean';
}

/** The bridge of the browser shell: procedures by POST, events by a stream that stays open. */
export function createLoopbackBridge(options: LoopbackOptions): DeskBridge {
  const headers = { 'X-Claimdesk-Window': options.windowToken };
  const listeners = new Map<EventName, Set<(payload: never) => void>>();

  const emit = (event: AnyEvent) => {
    for (const listener of listeners.get(event.name) ?? []) {
      (listener as (payload: AnyEvent['payload']) => void)(event.payload);
    }
  };

  /** Asks the host for the engine: loads the page again if it answers elsewhere now, else says why there is none. */
  const findEngine = async (): Promise<ErrorReport> => {
    try {
      const reply = await options.fetch('/session', { headers });
      const session = (await reply.json()) as { engineUrl?: string | null; problem?: ErrorReport | null };
      if (session.engineUrl && session.engineUrl !== options.engineUrl) options.onEngineMoved();
      return session.problem ?? engineStopped;
    } catch {
      return engineStopped;
    }
  };

  const post = async (base: string, procedure: string, input: unknown): Promise<Result<unknown>> => {
    const reply = await options.fetch(`${base}/call/${procedure}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    });
    const body: unknown = await reply.json();
    if (!isResult(body)) throw new TypeError('The answer is no result.');
    return body;
  };

  const call = async (procedure: ProcedureName, input: unknown): Promise<Result<unknown>> => {
    const isEngine = procedures[procedure].answeredBy === 'engine';
    try {
      if (isEngine && options.engineUrl === '') throw new TypeError('There is no engine yet.');
      return await post(isEngine ? options.engineUrl : '', procedure, input);
    } catch {
      if (!isEngine) return { ok: false, error: hostStopped };
      return { ok: false, error: await findEngine() };
    }
  };

  const listen = async (base: string): Promise<never> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const reply = await options.fetch(`${base}/events`, { headers });
        if (reply.ok && reply.body !== null) {
          attempt = 0;
          await readEvents(reply.body, emit);
        }
      } catch {
        // The stream broke; it is opened again below.
      }
      if (base !== '') await findEngine();
      await options.wait(backoffMs(attempt));
    }
  };

  void listen('');
  if (options.engineUrl !== '') void listen(options.engineUrl);

  const names = Object.keys(procedures) as ProcedureName[];
  return {
    shell: 'browser',
    call: Object.fromEntries(
      names.map((name) => [name, (input: unknown) => call(name, input)]),
    ) as DeskBridge['call'],
    subscribe: (name, listener) => {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      set.add(listener as (payload: never) => void);
      return () => set.delete(listener as (payload: never) => void);
    },
  };
}
