import { answeredBy, procedureNames } from '../../contract/answered-by.ts';
import type { DeskBridge, EngineRequest } from '../../contract/bridge.ts';
import { type AnyEvent, type EventName, events } from '../../contract/events.ts';
import { engineStopped } from '../../contract/pending-calls.ts';
import type { ProcedureName } from '../../contract/procedures.ts';
import type { ErrorReport, Result } from '../../contract/result.ts';

/** Reads one line of an event stream; null for keep-alives and for anything but an event of the contract. */
export function parseEventLine(line: string): AnyEvent | null {
  const text = line.trim();
  if (text === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { name, payload } = value as { name?: unknown; payload?: unknown };
  if (typeof name !== 'string' || !Object.hasOwn(events, name)) return null;
  const parsed = events[name as AnyEvent['name']].payload.safeParse(payload);
  return parsed.success ? ({ name, payload: parsed.data } as AnyEvent) : null;
}

/** Joins chunks of text, however they are split, into whole lines. */
export function createLineSplitter(): (chunk: string) => string[] {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    return lines;
  };
}

/** Reads a newline-delimited stream to its end and passes on each line. */
export async function readLines(
  body: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const split = createLineSplitter();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const line of split(decoder.decode(value, { stream: true }))) onLine(line);
  }
}

/** Waiting time before the n-th attempt to reconnect: short at first, at most 5 s. */
export const backoffMs = (attempt: number): number => Math.min(5000, 200 * 2 ** Math.min(attempt, 10));

interface LoopbackOptions {
  readonly windowToken: string;
  readonly hostUrl: string;
  /** The address of the engine; empty while locked. */
  readonly engineUrl: string;
  readonly fetch: typeof fetch;
  /** Whether the server at this origin knows the window's token. */
  readonly prove: (origin: string) => Promise<boolean>;
  readonly wait: (ms: number) => Promise<void>;
  /**
   * Called when the engine has another address, which this page's content security policy does not allow; the page is
   * then reloaded.
   */
  readonly onEngineMoved: () => void;
}

/** A request that is sent together with others, and what its answer resolves. */
interface Waiting {
  readonly procedure: string;
  readonly input: unknown;
  readonly resolve: (result: Result<unknown>) => void;
  readonly reject: (error: Error) => void;
}

/** A longer input is sent by itself: the limit of a message is for all of its requests. */
const togetherLimit = 10_000;

const isResult = (value: unknown): value is Result<unknown> =>
  typeof value === 'object' && value !== null && 'ok' in value && typeof value.ok === 'boolean';

/** Sends requests to servers that have proven that they know the token; `doubt` makes one prove it again. */
function createSender(options: LoopbackOptions) {
  const headers = { 'X-Claimdesk-Window': options.windowToken };
  /** Servers that have proven themselves, until their connection breaks; a promise while one proves itself. */
  const proven = new Map<string, true | Promise<boolean>>();

  /** The token and typed values are sent to a server only after its proof. */
  const send = async (base: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const proof = proven.get(base) ?? options.prove(base);
    proven.set(base, proof);
    try {
      // Nothing is awaited after the proof: React renders before awaited code runs, and the request would leave after
      // the page that needs its answer is drawn.
      if (proof !== true) {
        if (!(await proof)) throw new TypeError('The server does not know this window.');
        if (proven.get(base) === proof) proven.set(base, true);
      }
      return await options.fetch(`${base}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    } catch (failure) {
      proven.delete(base);
      throw failure;
    }
  };

  const postJson = (base: string, path: string, body: unknown): Promise<Response> =>
    send(base, path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  const post = async (base: string, procedure: string, input: unknown): Promise<Result<unknown>> => {
    const reply = await postJson(base, `/call/${procedure}`, input);
    const body: unknown = await reply.json();
    if (!isResult(body)) throw new TypeError('The answer is no result.');
    return body;
  };

  /** The requests of this tick after its first one; null: none was made in it. */
  let further: Waiting[] | null = null;

  /** Sends them as one message. Each is answered as soon as its line of the reply is there; a refusal is for all. */
  const postFurther = async (base: string, requests: readonly Waiting[]): Promise<void> => {
    const sent = requests.map(({ procedure, input }, id): EngineRequest => ({ id, procedure, input }));
    const reply = await postJson(base, '/calls', sent);
    const refusal: unknown = reply.ok ? null : await reply.json();
    if (isResult(refusal)) for (const { resolve } of requests) resolve(refusal);
    else if (reply.body !== null)
      await readLines(reply.body, (line) => {
        const { id, result } = JSON.parse(line) as { id: number; result: unknown };
        if (isResult(result)) requests[id]?.resolve(result);
      });
  };

  /**
   * Sends the first request of a tick at once, and further ones together, because a message takes more time than what it
   * asks for.
   */
  const postSoon = (base: string, procedure: string, input: unknown): Promise<Result<unknown>> => {
    const waiting = further ?? [];
    if (further === null) {
      further = waiting;
      queueMicrotask(() => {
        further = null;
        if (waiting.length === 0) return;
        const end = () => {
          for (const { reject } of waiting) reject(new TypeError('There is no answer.'));
        };
        postFurther(base, waiting).then(end, end);
      });
    } else if (JSON.stringify(input).length <= togetherLimit)
      return new Promise((resolve, reject) => waiting.push({ procedure, input, resolve, reject }));
    return post(base, procedure, input);
  };

  return { send, post, postSoon, doubt: (base: string) => void proven.delete(base) };
}

/** The bridge of the browser shell: procedures by POST, events by a stream that stays open. */
export function createLoopbackBridge(options: LoopbackOptions): DeskBridge {
  const { send, post, postSoon, doubt } = createSender(options);
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  const reconnected = new Set<() => void>();
  /** Servers that have answered before, whose answers may be outdated after a missed event. */
  const asked = new Set<string>();

  const emit = (event: AnyEvent) => {
    for (const listener of listeners.get(event.name) ?? [])
      (listener as (payload: AnyEvent['payload']) => void)(event.payload);
  };

  /** Asks the host for the engine: loads the page again if its address changed, else returns why there is none. */
  const findEngine = async (): Promise<ErrorReport> => {
    try {
      const reply = await send(options.hostUrl, '/session');
      const session = (await reply.json()) as { engineUrl?: string | null; problem?: ErrorReport | null };
      if (session.engineUrl && session.engineUrl !== options.engineUrl) options.onEngineMoved();
      return session.problem ?? engineStopped;
    } catch {
      return engineStopped;
    }
  };

  const call = async (procedure: ProcedureName, input: unknown): Promise<Result<unknown>> => {
    const isEngine = answeredBy[procedure] === 'engine';
    asked.add(isEngine ? options.engineUrl : options.hostUrl);
    // The lock screen may have been open for days, and another server may have taken the port.
    if (procedure === 'lock:unlock' || procedure.startsWith('unlock:')) doubt(options.hostUrl);
    try {
      if (isEngine && options.engineUrl === '') throw new TypeError('There is no engine yet.');
      return await (isEngine
        ? postSoon(options.engineUrl, procedure, input)
        : post(options.hostUrl, procedure, input));
    } catch {
      if (!isEngine) return { ok: false, error: engineStopped };
      return { ok: false, error: await findEngine() };
    }
  };

  const listen = async (base: string): Promise<never> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const reply = await send(base, '/events');
        if (reply.ok && reply.body !== null) {
          attempt = 0;
          if (asked.has(base)) for (const listener of reconnected) listener();
          await readLines(reply.body, (line) => {
            const event = parseEventLine(line);
            if (event !== null) emit(event);
          });
        }
      } catch {
        // The stream broke; it is opened again below.
      }
      doubt(base);
      if (base !== options.hostUrl) await findEngine();
      await options.wait(backoffMs(attempt));
    }
  };

  void listen(options.hostUrl);
  if (options.engineUrl !== '') void listen(options.engineUrl);

  return {
    shell: 'browser',
    call: Object.fromEntries(
      procedureNames.map((name) => [name, (input: unknown) => call(name, input)]),
    ) as DeskBridge['call'],
    subscribe: (name, listener) => {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      set.add(listener as (payload: never) => void);
      return () => set.delete(listener as (payload: never) => void);
    },
    onReconnected: (listener) => void reconnected.add(listener),
  };
}
