import { expect, test } from 'vitest';
import type { RetentionRules } from '../../../../../../src/contract/store.ts';
import type { JsonObject } from '../../../../../../src/main/engine/store/record/json.ts';
import { addRemoval, isLeftOut } from '../../../../../../src/main/engine/store/sync/retention.ts';

const before = (date: string): RetentionRules => ({ claimsBefore: date, memberIds: [] });
const range = (start: unknown, end: unknown, bounds = '[]') =>
  ({ id: 1, date_of_service: { start, end, bounds } }) as JsonObject;

test.each<[string, JsonObject, boolean]>([
  ['the last day is before', range('2023-12-30', '2023-12-31'), true],
  ['the last day is the date', range('2023-12-30', '2024-01-01'), false],
  ['the end is the first day after, and is the date', range('2023-12-31', '2024-01-01', '[)'), true],
  ['the end is the first day after, and lies behind', range('2023-12-31', '2024-01-02', '[)'), false],
  ['one day, written as an empty range', range('2024-01-01', '2024-01-01', '[)'), false],
  ['only a first day', range('2023-05-01', null), true],
  ['only a first day, later', range('2024-05-01', null), false],
  ['no service, processed before', { id: 1, date_of_service: null, processed_on: '2020-01-01' }, true],
  ['no service, checked later', { id: 1, processed_on: null, check_date: '2025-01-01' }, false],
  ['no date at all', { id: 1 }, false],
  ['a range that is none', { id: 1, date_of_service: 'soon', eob_date: 'x' }, false],
])('a claim where %s', (_what, claim, isOut) => {
  expect(isLeftOut(before('2024-01-01'), 'claims', claim)).toBe(isOut);
});

test('a member is removed with the claims that name no other member', () => {
  const rules: RetentionRules = { claimsBefore: null, memberIds: [3, 5] };
  const claim = (...ids: number[]) => ({ id: 9, members: ids.map((id) => ({ id })) });
  expect(isLeftOut(rules, 'members', { id: 3 })).toBe(true);
  expect(isLeftOut(rules, 'members', { id: 4 })).toBe(false);
  expect(isLeftOut(rules, 'claims', claim(3))).toBe(true);
  expect(isLeftOut(rules, 'claims', claim(3, 5))).toBe(true);
  expect(isLeftOut(rules, 'claims', claim(3, 4))).toBe(false);
  expect(isLeftOut(rules, 'claims', claim())).toBe(false);
  expect(isLeftOut(rules, 'claims', { id: 9, members: null })).toBe(false);
});

test('removals only extend rules: the later date, each member once', () => {
  const first = addRemoval(before('2024-01-01'), { kind: 'claimsBefore', date: '2023-01-01' });
  expect(first.claimsBefore).toBe('2024-01-01');
  const second = addRemoval(first, { kind: 'claimsBefore', date: '2025-01-01' });
  expect(second.claimsBefore).toBe('2025-01-01');
  const third = addRemoval(addRemoval(second, { kind: 'member', memberId: 7 }), {
    kind: 'member',
    memberId: 7,
  });
  expect(third).toEqual({ claimsBefore: '2025-01-01', memberIds: [7] });
});
