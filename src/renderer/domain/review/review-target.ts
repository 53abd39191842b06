import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useIsShown } from '../../lib/shown.ts';

/** A single key and what it does with the open claim. */
export interface OfferedKey {
  readonly key: string;
  readonly label: string;
}

/** The open claim, for commands from other parts of the window. */
interface ReviewTarget {
  readonly keys: readonly OfferedKey[];
  readonly run: (key: string) => void;
}

let target: ReviewTarget | null = null;
const listeners = new Set<() => void>();

function setTarget(next: ReviewTarget | null): void {
  target = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Null: no claim is open. */
export const useReviewTarget = (): ReviewTarget | null => useSyncExternalStore(subscribe, () => target);

/** Registers the keys of a claim's page while it is shown. Pass the same `keys` array until the keys change. */
export function useOfferReview(keys: readonly OfferedKey[], run: (key: string) => void): void {
  const isShown = useIsShown();
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isShown) return;
    const offered: ReviewTarget = { keys, run: (key) => latest.current(key) };
    setTarget(offered);
    return () => {
      if (target === offered) setTarget(null);
    };
  }, [keys, isShown]);
}
