import { expect, it, vi } from 'vitest';
import { findWorklist, worklistTable } from '../../../../../src/contract/worklist-table.ts';
import { doneThisWeek, mondayOf } from '../../../../../src/renderer/features/start/done-this-week.ts';
import { lastDone } from '../../../../../src/renderer/features/start/today.tsx';

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
  expect(without.map(({ id }) => id).sort()).toEqual(['back', 'changed', 'escalated', 'waiting']);
});

it('says what was done yesterday, or on the last day of work before', () => {
  const on = (day: string, claims: number) => ({ day, outcome: 'eligible' as const, claims, reopened: 0 });
  const done = [on('2026-11-20', 4), on('2026-11-20', 3), on('2026-11-23', 9), on('2026-11-01', 1)];
  expect(lastDone(done, '2026-11-23')).toEqual({ name: '11/20/2026', claims: 7 });
  expect(lastDone(done, '2026-11-24')).toEqual({ name: 'yesterday', claims: 9 });
  expect(lastDone(done, '2026-11-15')).toEqual({ name: 'yesterday', claims: 0 });
});
