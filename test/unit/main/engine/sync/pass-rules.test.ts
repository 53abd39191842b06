import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseNextPass,
  type FinishedPass,
  isLastPage,
  isSuddenLoss,
  judgeProof,
  mostPasses,
} from '../../../../../src/main/engine/sync/pass-rules.ts';

type Facts = Partial<Parameters<typeof isLastPage>[0]>;

const finished = (changes: Partial<FinishedPass> = {}): FinishedPass => ({
  kind: 'claims',
  pass: 1,
  digest: 'a',
  count: 10,
  total: 10,
  isSteady: true,
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

test('two equal reads that match a steady total prove a list', () => {
  expect(judgeProof([finished(), finished({ pass: 2 })], 'claims')).toEqual({ isProven: true });
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
])('%s proves nothing, and says why', (_name, passes, reason) => {
  const proof = judgeProof(passes, 'claims');
  expect(proof.isProven).toBe(false);
  expect(proof.isProven ? '' : proof.reason).toContain(reason);
});

test('every list is read once before any is proven, and none more often than the limit', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.constantFrom('a', 'b')), (digests) => {
      const passes: FinishedPass[] = [];
      for (;;) {
        const next = chooseNextPass(passes);
        if (next === null) break;
        passes.push(finished({ ...next, digest: digests.next().value as string }));
        expect(passes.length).toBeLessThanOrEqual(2 * mostPasses);
      }
      expect(passes.slice(0, 2).map(({ kind }) => kind)).toEqual(['members', 'claims']);
      for (const kind of ['members', 'claims'] as const) {
        const mine = passes.filter((pass) => pass.kind === kind);
        expect(mine.map(({ pass }) => pass)).toEqual(mine.map((_pass, index) => index + 1));
        expect(judgeProof(passes, kind).isProven || mine.length === mostPasses).toBe(true);
        expect(judgeProof(mine.slice(0, -1), kind).isProven).toBe(false);
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
