import { watchLoad } from '../../lib/watch-load.ts';

const timedOut = 'TIMEOUT';
/** The cause of a probe that ran out of time because this computer was busy, so that it shows nothing. */
export const notInTime = 'NOT_IN_TIME';

export const isTimeout = (thrown: unknown): boolean =>
  [timedOut, notInTime].includes(String((thrown as { code?: unknown } | null)?.code));

/**
 * The same promise, rejected with `TIMEOUT` after the limit, or with `NOT_IN_TIME` where this computer was busy. The
 * operation itself is not canceled.
 */
export function limited<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  const load = watchLoad();
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      const code = load.isBusy() ? notInTime : timedOut;
      // An answer that arrived while this process was busy still counts.
      setImmediate(() => reject(Object.assign(new Error('The probe took too long.'), { code })));
    }, limitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  }).finally(() => load.end());
}

/** The code of a Node error: its own, its cause's, or that of the first of several errors. */
export const readCause = (thrown: unknown): string => findCode(thrown) ?? 'UNKNOWN';

const plainNames = new Set(['Error', 'TypeError', 'AggregateError', 'DOMException']);

/** The code of the deepest error that has one, or its own name (undici's parser); null where none has. */
export function findCode(thrown: unknown): string | null {
  const seen = new Set<unknown>();
  let current: unknown = thrown;
  let deepestCode: string | null = null;
  while (typeof current === 'object' && current !== null && !seen.has(current)) {
    seen.add(current);
    const { code, name, cause, errors } = current as Record<'code' | 'name' | 'cause' | 'errors', unknown>;
    if (typeof code === 'string' && code !== '') deepestCode = code;
    else if (typeof name === 'string' && !plainNames.has(name)) deepestCode = name;
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return deepestCode;
}
