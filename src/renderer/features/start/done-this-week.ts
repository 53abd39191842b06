import { addDays } from '../../../contract/days.ts';
import type { Condition } from '../../../contract/query.ts';
import { conditionsOn, type Worklist } from '../../../contract/worklist-table.ts';
import { figures } from '../../domain/figure/figures.ts';
import { firstMomentOf } from './own-work.ts';

/** The Monday of the week of a day; both `YYYY-MM-DD`. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7)) ?? day;
}

/** Conditions on columns that a review changes are left out: a claim that is done no longer meets them. */
const isOfReview = (field: string): boolean => field.startsWith('review.') || field === 'facts.open';

/**
 * The claims reviewed since Monday that would be in the worklist if they were still to do. Null: the worklist is of a
 * state of reviews alone, which no claim that is done has.
 */
export function doneThisWeek(worklist: Worklist, today: string): Condition[] | null {
  const terms = worklist.terms.filter(({ field }) => !isOfReview(field));
  if (terms.length === 0 && worklist.id !== 'new') return null;
  return [
    ...conditionsOn({ ...worklist, terms }, today),
    ...figures.doneThisWeek.counts,
    { field: 'review.at', operator: 'atLeast', values: [firstMomentOf(mondayOf(today))] },
  ];
}
