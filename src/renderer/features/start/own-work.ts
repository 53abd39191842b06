import { addDays, localDayOf } from '../../../contract/days.ts';
import type { Condition, Row } from '../../../contract/query.ts';
import { figures } from '../../domain/figure/figures.ts';
import { formatDay } from '../../lib/format-date.ts';

/** The first moment of a local day (`YYYY-MM-DD`): times of reviews are in UTC. */
export const firstMomentOf = (day: string): string => new Date(`${day}T00:00`).toISOString();

/** The claims that a person reviewed from one local day to before another one; both `YYYY-MM-DD`. */
const reviewedBetween = (email: string, from: string, before: string): Condition[] => [
  ...figures.reviewedByYou.counts,
  { field: 'review.by', operator: 'is', values: [email] },
  { field: 'review.at', operator: 'atLeast', values: [firstMomentOf(from)] },
  { field: 'review.at', operator: 'lessThan', values: [firstMomentOf(before)] },
];

/** The claims that a person reviewed on a local day, to count them and to open them. */
export const reviewedOn = (email: string, day: string): Condition[] =>
  reviewedBetween(email, day, addDays(day, 1) ?? day);

/** Those of the seven days before today; the newest one tells the last day of work. */
export const reviewedBefore = (email: string, today: string): Condition[] =>
  reviewedBetween(email, addDays(today, -7) ?? today, today);

/** Yesterday or, where `newest` was reviewed earlier, its day. `newest`: the last claim reviewed before today. */
export function lastDayOfWork(newest: Row | undefined, today: string): { day: string; name: string } {
  const yesterday = addDays(today, -1) ?? today;
  const at = newest?.['review.at'];
  const day = typeof at === 'string' ? localDayOf(new Date(at)) : yesterday;
  return { day, name: day === yesterday ? 'yesterday' : formatDay(day) };
}

/** The claims that wait for a person, or were handed to them. */
export const waitingOn = (email: string): Condition[] => [
  { field: 'review.on_whom', operator: 'is', values: [email] },
  { field: 'review.state', operator: 'isOneOf', values: ['waiting', 'back', 'escalated'] },
];
