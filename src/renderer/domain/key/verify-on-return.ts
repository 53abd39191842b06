import type { ErrorReport } from '../../../contract/result.ts';

/** Focus and visibility are told one after the other, and a window can get the focus many times in a row. */
const minGapMs = 5000;

/**
 * Whether coming back to the window verifies the key by itself: it is not verified yet, no request runs or ended within
 * five seconds, and the last one failed by nothing but a key that the service does not know, which registering changes.
 * Whatever else went wrong (a declined question, a certificate) waits for a person.
 */
export function verifiesOnReturn(facts: {
  readonly isProven: boolean;
  readonly isChecking: boolean;
  readonly lastCode: ErrorReport['code'] | null;
  /** When the last request ended; null: there was none. */
  readonly lastEndedMs: number | null;
  readonly nowMs: number;
}): boolean {
  if (facts.isProven || facts.isChecking) return false;
  if (facts.lastCode !== null && facts.lastCode !== 'service.unauthorized') return false;
  return facts.lastEndedMs === null || facts.nowMs - facts.lastEndedMs >= minGapMs;
}
