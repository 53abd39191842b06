import { localDayOf } from '../../../../rules/days.ts';
import type { ReviewOutcome } from '../../../../rules/review/decision.ts';
import { readDecision } from '../../../../rules/review/event-kinds.ts';
import type { FoldedEvent } from '../../../../rules/review/fold-review.ts';
import { findUndone } from '../../../../rules/review/fold-review.ts';

/** A claim that was completed on a local day (`YYYY-MM-DD`), and whether a sync reopened it after that. */
interface DoneDay {
  readonly day: string;
  readonly outcome: ReviewOutcome;
  isReopened: boolean;
}

/**
 * The days on which a claim was completed, from its events in order of time and ID. Later events do not remove a day.
 * If a claim is decided several times on one day, its last decision counts, if that completes the claim.
 */
export function listDoneDays(events: readonly FoldedEvent[]): DoneDay[] {
  const undone = findUndone(events);
  const days: DoneDay[] = [];
  let reviewedIn: string | null = null;
  let outcome: ReviewOutcome | null = null;
  for (const event of events) {
    // The decisions of rules are not a user's work.
    if (undone.has(event.id) || (event.fact.kind === 'byRule' && event.fact.how === 'done')) continue;
    const decision = readDecision(event);
    if (decision !== null) outcome = decision.outcome;
    const last = days.at(-1);
    if (decision !== null || (event.fact.kind === 'accept' && reviewedIn !== null)) {
      reviewedIn = event.id;
      const day = localDayOf(new Date(event.at));
      const isSameDay = last?.day === day;
      if (isSameDay) days.pop();
      if (outcome !== null) days.push({ day, outcome, isReopened: isSameDay && last.isReopened });
    } else if (event.fact.kind === 'reopened' && event.detail?.since === reviewedIn && outcome !== null) {
      if (last !== undefined) last.isReopened = true;
    }
  }
  return days;
}

interface DoneSum {
  readonly day: string;
  readonly outcome: ReviewOutcome;
  claims: number;
  reopened: number;
}

/** Adds up the days of many claims, by day and outcome. */
export function createDoneSums() {
  const sums = new Map<string, DoneSum>();
  return {
    sums,
    add({ day, outcome, claims, reopened }: Readonly<DoneSum>): void {
      const name = `${day} ${outcome}`;
      const sum = sums.get(name) ?? { day, outcome, claims: 0, reopened: 0 };
      sum.claims += claims;
      sum.reopened += reopened;
      sums.set(name, sum);
    },
  };
}
