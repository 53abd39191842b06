import { expect, it, vi } from 'vitest';
import { findWorklist, worklistTable } from '../../../../../src/contract/worklist-table.ts';
import { doneThisWeek, mondayOf } from '../../../../../src/renderer/features/start/done-this-week.ts';
import { lastDayOfWork, reviewedOn } from '../../../../../src/renderer/features/start/own-work.ts';

it.each([
  ['2026-11-22', '2026-11-16'],
  ['2026-11-23', '2026-11-23'],
  ['2026-03-01', '2026-02-23'],
])('the week of %s begins on %s', (day, monday) => {
  expect(mondayOf(day)).toBe(monday);
});

it('the week begins with the local day, whose first moment in UTC is another one', () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  const since = doneThisWeek(findWorklist('pending'), '2026-11-25')?.at(-1);
  vi.unstubAllEnvs();
  expect(since).toEqual({ field: 'review.at', operator: 'atLeast', values: ['2026-11-23T08:00:00.000Z'] });
});

it('what was done of a worklist meets its terms but for those of the review, which a decision changes', () => {
  const conditions = doneThisWeek(findWorklist('pending'), '2026-11-25');
  expect(conditions).toEqual([
    { field: 'facts.pending_since', operator: 'atMost', values: ['2026-10-26'] },
    { field: 'review.state', operator: 'is', values: ['done'] },
    { field: 'review.at', operator: 'atLeast', values: [new Date(2026, 10, 23).toISOString()] },
  ]);
});

it('a worklist of a state of reviews has none that is done', () => {
  const without = worklistTable.filter((one) => doneThisWeek(one, '2026-11-25') === null);
  expect(without.map(({ id }) => id).sort()).toEqual([
    ...['back', 'changed', 'decidedTwice', 'escalated', 'paidTwice', 'waiting'],
  ]);
});

it('the last day of work is yesterday, or the day of the newest review before', () => {
  const on = (at: Date) => ({ 'review.at': at.toISOString() });
  const friday = { day: '2026-11-20', name: '11/20/2026' };
  expect(lastDayOfWork(on(new Date(2026, 10, 20, 23, 30)), '2026-11-23')).toEqual(friday);
  const sunday = { day: '2026-11-22', name: 'yesterday' };
  expect(lastDayOfWork(on(new Date(2026, 10, 22, 0, 10)), '2026-11-23')).toEqual(sunday);
  expect(lastDayOfWork(undefined, '2026-11-23')).toEqual(sunday);
});

it('the reviews of a day are one’s own, from its first local moment to before the next day’s', () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  const conditions = reviewedOn('desk@example.com', '2026-11-01');
  vi.unstubAllEnvs();
  expect(conditions).toEqual([
    { field: 'review.state', operator: 'is', values: ['done'] },
    { field: 'review.by', operator: 'is', values: ['desk@example.com'] },
    { field: 'review.at', operator: 'atLeast', values: ['2026-11-01T07:00:00.000Z'] },
    { field: 'review.at', operator: 'lessThan', values: ['2026-11-02T08:00:00.000Z'] },
  ]);
});
