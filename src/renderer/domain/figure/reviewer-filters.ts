import { addDays } from '../../../rules/days.ts';
import type { Condition } from '../../../rules/query.ts';
import { figures } from './figures.ts';

/** The Monday of the week of a day; both `YYYY-MM-DD`. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7)) ?? day;
}

const since = (day: string): Condition => ({
  field: 'review.at',
  operator: 'atLeast',
  // Times of reviews are in UTC.
  values: [new Date(`${day}T00:00`).toISOString()],
});

/** The claims that an author reviewed from the beginning of a local day (`YYYY-MM-DD`), to count them and to open them. */
export const reviewedSince = (email: string, day: string): Condition[] => [
  ...figures.reviewedByYou.counts,
  { field: 'review.by', operator: 'is', values: [email] },
  // What a rule decides is in the name of the person who switched it on.
  { field: 'review.rule', operator: 'isEmpty', values: [] },
  since(day),
];

/** The first of the 30 days that end today; all `YYYY-MM-DD`. */
const firstOf30Days = (today: string): string => addDays(today, -29) ?? today;

/** The claims that rules decided in the last 30 days and that are still decided so. */
export const decidedByRules = (today: string): Condition[] => [
  { field: 'review.rule', operator: 'isNotEmpty', values: [] },
  { field: 'review.outcome', operator: 'isNotEmpty', values: [] },
  since(firstOf30Days(today)),
];

/** The claims that wait for a reviewer, or were handed to them. */
export const waitingOn = (email: string): Condition[] => [
  { field: 'review.on_whom', operator: 'is', values: [email] },
  { field: 'review.state', operator: 'isOneOf', values: ['waiting', 'back', 'escalated'] },
];
