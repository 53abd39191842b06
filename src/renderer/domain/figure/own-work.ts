import { addDays } from '../../../rules/days.ts';
import type { Condition } from '../../../rules/query.ts';
import { figures } from './figures.ts';

/** The Monday of the week of a day; both `YYYY-MM-DD`. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7)) ?? day;
}

/** The claims that a person reviewed from the beginning of a local day (`YYYY-MM-DD`), to count them and to open them. */
export const reviewedSince = (email: string, day: string): Condition[] => [
  ...figures.reviewedByYou.counts,
  { field: 'review.by', operator: 'is', values: [email] },
  // Times of reviews are in UTC.
  { field: 'review.at', operator: 'atLeast', values: [new Date(`${day}T00:00`).toISOString()] },
];

/** The claims that wait for a person, or were handed to them. */
export const waitingOn = (email: string): Condition[] => [
  { field: 'review.on_whom', operator: 'is', values: [email] },
  { field: 'review.state', operator: 'isOneOf', values: ['waiting', 'back', 'escalated'] },
];
