import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FinishedPass } from '../../../../../src/main/engine/store/sync/sync-state.ts';
import {
  checkProof,
  chooseNextPass,
  countLeft,
  isLastPage,
  isSuddenLoss,
  isTooOld,
  maxPasses,
  oldestReadMs,
} from '../../../../../src/main/engine/sync/pass-rules.ts';

type Facts = Partial<Parameters<typeof isLastPage>[0]>;

const finished = (changes: Partial<FinishedPass> = {}): FinishedPass => ({
  kind: 'claims',
  pass: 1,
  digest: 'a',
  count: 10,
  total: 10,
  isSteady: true,
  pages: 1,
  startedAt: '2026-06-01T12:00:00.000Z',
  finishedAt: '2026-06-01T12:01:00.000Z',
  ...changes,
});

test.each<[string, Facts, boolean]>([
  ['an empty page ends it', { records: 0, hasNext: true, pages: 9 }, true],
  ['has_next false on the last page ends it', { hasNext: false, pages: 1 }, true],
  ['has_next false before the last page is not believed', { hasNext: false, pages: 2 }, false],
  ['has_next true on the last page is followed', { hasNext: true, pages: 1 }, false],
  ['has_next true without pages is followed', { hasNext: true, pages: null }, false],
  ['has_next false without pages ends it', { hasNext: false, pages: null }, true],
  ['without has_next the last page ends it', { hasNext: null, pages: 1 }, true],
  ['without has_next an earlier page does not', { hasNext: null, pages: 3 }, false],
  ['with nothing said a full page does not end it', { hasNext: null, pages: null, records: 10 }, false],
  ['with nothing said a short page ends it', { hasNext: null, pages: null, records: 9 }, true],
])('%s', (_name, facts, expected) => {
  expect(isLastPage({ page: 1, records: 10, perPage: 10, pages: null, hasNext: null, ...facts })).toBe(
    expected,
  );
});

test('two equal reads that match a steady total verify a list', () => {
  expect(checkProof([finished(), finished({ pass: 2 })], 'claims')).toEqual({ isProven: true });
});

test.each([
  ['one read', [finished()], 'read only once'],
  ['no read', [], 'read only once'],
  [
    'reads of the other list',
    [finished({ kind: 'members' }), finished({ kind: 'members' })],
    'read only once',
  ],
  ['other digests', [finished(), finished({ digest: 'b' })], 'changed between'],
  ['a total that moved in the first', [finished({ isSteady: false }), finished()], 'kept moving'],
  ['a total that moved in the second', [finished(), finished({ isSteady: false })], 'kept moving'],
  ['a total that moved between', [finished({ total: 9 }), finished()], 'kept moving'],
  ['no total', [finished({ total: null }), finished({ total: null })], 'gave no total'],
  [
    'fewer than the total',
    [finished({ count: 9 }), finished({ count: 9 })],
    'says there are 10 claims, and returned 9',
  ],
  ['an earlier proof undone', [finished(), finished(), finished({ digest: 'b' })], 'changed between'],
])('%s verifies nothing, and says why', (_name, passes, reason) => {
  const proof = checkProof(passes, 'claims');
  expect(proof.isProven).toBe(false);
  expect(proof.isProven ? '' : proof.reason).toContain(reason);
});

test('every list is read once before any is verified, and none more often than the limit', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.constantFrom('a', 'b')), (digests) => {
      const passes: FinishedPass[] = [];
      for (;;) {
        const next = chooseNextPass(passes);
        if (next === null) break;
        passes.push(finished({ ...next, digest: digests.next().value as string }));
        expect(passes.length).toBeLessThanOrEqual(2 * maxPasses);
      }
      expect(passes.slice(0, 2).map(({ kind }) => kind)).toEqual(['members', 'claims']);
      for (const kind of ['members', 'claims'] as const) {
        const mine = passes.filter((pass) => pass.kind === kind);
        expect(mine.map(({ pass }) => pass)).toEqual(mine.map((_pass, index) => index + 1));
        expect(checkProof(passes, kind).isProven || mine.length === maxPasses).toBe(true);
        expect(checkProof(mine.slice(0, -1), kind).isProven).toBe(false);
      }
    }),
  );
});

test.each([
  [{ here: 100, unseen: 30 }, false],
  [{ here: 100, unseen: 31 }, true],
  [{ here: 19, unseen: 19 }, false],
  [{ here: 20, unseen: 20 }, true],
  [{ here: 1_000_000, unseen: 0 }, false],
  [{ here: 0, unseen: 0 }, false],
])('of %j a sudden loss is %s', (counts, expected) => {
  expect(isSuddenLoss(counts)).toBe(expected);
});

test('what an interrupted sync read is used for half a day, and no longer', () => {
  const nowMs = Date.parse('2026-06-02T12:00:00.000Z');
  const at = (ageMs: number): string => new Date(nowMs - ageMs).toISOString();
  const run = { passes: [finished({ startedAt: at(oldestReadMs) })], nextPage: 1, passStartedAt: at(0) };
  expect(isTooOld(run, nowMs)).toBe(false);
  expect(isTooOld(run, nowMs + 1)).toBe(true);
  expect(isTooOld({ passes: [], nextPage: 7, passStartedAt: at(oldestReadMs + 1) }, nowMs)).toBe(true);
  expect(isTooOld({ passes: [], nextPage: 1, passStartedAt: at(oldestReadMs + 1) }, nowMs)).toBe(false);
  expect(isTooOld({ passes: [finished({ startedAt: '' })], nextPage: 1, passStartedAt: at(0) }, nowMs)).toBe(
    true,
  );
});

test('what is left counts both reads of both lists, by the totals of the service or the last sync', () => {
  const expected = { members: 10, claims: 100 };
  const first = { kind: 'members', total: 12, passes: [] } as const;
  expect(countLeft(first, 2, expected)).toBe(2 * 12 - 2 + 2 * 100);
  const members = finished({ kind: 'members', total: 12 });
  const claims = { kind: 'claims', total: 90, passes: [members] } as const;
  expect(countLeft(claims, 90, expected)).toBe(12 + 90);
  const proving = { kind: 'claims', total: 90, passes: [members, members, finished({ total: 90 })] } as const;
  expect(countLeft(proving, 45, expected)).toBe(45);
  expect(countLeft(first, 2, { members: 0, claims: 0 })).toBeNull();
});
