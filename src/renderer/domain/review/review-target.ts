import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useIsShown } from '../../lib/shown.ts';

/** What a single key does with the claim that is open. */
export interface OfferedKey {
  readonly key: string;
  readonly label: string;
}

/** The claim that is open, for commands from elsewhere in the window. */
export interface ReviewTarget {
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

/** Offers what the keys of a claim's page do while it is shown; `keys` are the same ones as long as they mean the same. */
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
