import type { Database } from '../file/database.ts';

/** Errors about a value that a statement can't compute or store; others are about the file, so about every claim. */
const ofValues = /^SQLITE_(ERROR|MISMATCH|TOOBIG|RANGE|CONSTRAINT.*)$/;

/** Whether an error is about the values of a claim, and not about a file that can't be read or written. */
export const isOfValues = (thrown: unknown): boolean => {
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  return typeof code !== 'string' || ofValues.test(code);
};

/** Describes to users why something could not be computed, as a phrase. */
export const sayFailure = (what: string, thrown: unknown): string =>
  `${what}: unexpected error (${thrown instanceof Error ? thrown.message : String(thrown)})`;

/**
 * Runs `runPart` for all of these claims at once. If it throws, its changes are rolled back and it runs for each half
 * again, until `onFailed` receives each claim that fails alone: one odd claim does not stop the others. Call it within
 * a transaction.
 * @throws what is not about the values of a claim, such as DeskError `disk.*`
 */
export function runContained(
  database: Database,
  ids: readonly number[],
  runPart: (ids: readonly number[]) => void,
  onFailed: (id: number, thrown: unknown) => void,
): void {
  const attempt = database.transaction(runPart);
  const runSome = (some: readonly number[]): void => {
    try {
      attempt(some);
    } catch (thrown) {
      const [id] = some;
      if (!isOfValues(thrown) || id === undefined) throw thrown;
      if (some.length === 1) onFailed(id, thrown);
      else {
        const half = Math.ceil(some.length / 2);
        runSome(some.slice(0, half));
        runSome(some.slice(half));
      }
    }
  };
  runSome(ids);
}
