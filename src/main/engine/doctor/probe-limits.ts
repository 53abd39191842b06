/** What a probe that ran out of time fails with. */
const timeoutError = (): Error => Object.assign(new Error('The probe took too long.'), { code: 'TIMEOUT' });

/** The same promise, failed with `TIMEOUT` after so long. What it waits for may go on. */
export function limited<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timeoutError()), limitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The code of an error of Node's, wherever it lies: by itself, in its cause, in the first of several. */
export function readCause(thrown: unknown): string {
  return findCode(thrown) ?? 'UNKNOWN';
}

/** The deepest code below an error, else the name of what is deepest; null where nothing has one. */
export function findCode(thrown: unknown): string | null {
  const seen = new Set<unknown>();
  let current: unknown = thrown;
  let found: string | null = null;
  while (typeof current === 'object' && current !== null && !seen.has(current)) {
    seen.add(current);
    const { code, cause, errors } = current as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === 'string' && code !== '') found = code;
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return found;
}
