import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useIsShown } from '../../lib/shown.ts';
import type { ReviewCommand } from './review-commands.ts';

/** The claim that is open, for commands from elsewhere in the window. */
export interface ReviewTarget {
  readonly claimId: number;
  readonly run: (command: ReviewCommand) => void;
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

/** Offers the commands of a claim while its page is shown. */
export function useOfferReview(claimId: number, run: (command: ReviewCommand) => void): void {
  const isShown = useIsShown();
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isShown) return;
    const offered: ReviewTarget = { claimId, run: (command) => latest.current(command) };
    setTarget(offered);
    return () => {
      if (target === offered) setTarget(null);
    };
  }, [claimId, isShown]);
}
