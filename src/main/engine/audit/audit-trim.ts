import type { AnyEvent } from '../../../contract/events.ts';

/**
 * Removes old audit entries only while a service confirms this computer's clock, because with a clock that is ahead
 * every entry would seem old. A request made before a service was reached is carried out after the next sync.
 */
export function createAuditTrim(ports: {
  readonly isClockConfirmed: () => boolean;
  readonly trim: (before: string) => Promise<number>;
  readonly onFailed: (thrown: unknown) => void;
}) {
  let pendingBefore: string | null = null;
  const trim = async (): Promise<number> => {
    if (pendingBefore === null || !ports.isClockConfirmed()) return 0;
    const before = pendingBefore;
    pendingBefore = null;
    return ports.trim(before);
  };
  return {
    trimBefore(before: string): Promise<number> {
      pendingBefore = before;
      return trim();
    },
    onEvent({ name }: AnyEvent): void {
      if (name === 'sync:finished') void trim().catch(ports.onFailed);
    },
  };
}
