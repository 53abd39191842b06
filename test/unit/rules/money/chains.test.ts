import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainClaim, JudgedRelation } from '../../../../src/rules/money/chain-claim.ts';
import { resolveChains } from '../../../../src/rules/money/chains.ts';
import { chainClaim as claim, ordersOf, reversalOf } from '../../../support/chain-claims.ts';

/** The roles of claims by ID, the same in every order; those that stand by themselves are `alone`. */
function rolesOf(
  claims: readonly ChainClaim[],
  judged: readonly JudgedRelation[] = [],
): Record<number, string> {
  const found = ordersOf(claims).map((order) => {
    const { places } = resolveChains(order, judged.toReversed());
    return claims.map(({ id }) => {
      const place = places.get(id);
      return [id, place === undefined ? 'alone' : `${place.role}${place.by === null ? '' : ` ${place.by}`}`];
    });
  });
  for (const one of found) expect(one).toEqual(found[0]);
  return Object.fromEntries(found[0] ?? []) as Record<number, string>;
}

const judge = (
  claimId: number,
  relation: JudgedRelation['relation'],
  otherClaimId: number,
): JudgedRelation => ({
  ...{ claimId, otherClaimId, relation },
});

const original = claim(1, { processed: '2026-04-01' });
const later = { billed: 8_000_000, processed: '2026-05-01' };
const reversal = reversalOf(2, original);

const cases: readonly [string, readonly ChainClaim[], Record<number, string>, JudgedRelation[]?][] = [
  ['one claim', [original], { 1: 'alone' }],
  ['a correction with the number', [original, claim(2, later)], { 1: 'replaced 2', 2: 'standing' }],
  [
    'a correction with a suffix',
    [original, claim(2, { ...later, no: 'C0001234-01' })],
    { 1: 'replaced 2', 2: 'standing' },
  ],
  [
    'a correction that the carrier processed before the original, by its suffix not the newer one',
    [claim(1, { processed: '2026-05-01' }), claim(2, { no: 'C0001234-01', processed: '2026-04-01' })],
    { 1: 'standing', 2: 'replaced 1' },
  ],
  [
    'two of one day: the adjusted one',
    [original, claim(2, { status: 'Adjusted' })],
    { 1: 'replaced 2', 2: 'standing' },
  ],
  [
    'two of one day: the higher suffix',
    [claim(1, { no: 'C0001234-9' }), claim(2, { no: 'C0001234-10' })],
    { 1: 'replaced 2', 2: 'standing' },
  ],
  ['two that are equal in all of that', [original, claim(2)], { 1: 'unclear 2', 2: 'unclear 1' }],
  [
    'an adjusted one with other lines',
    [original, claim(2, { ...later, status: 'Adjusted', codes: '99214' })],
    { 1: 'replaced 2', 2: 'standing' },
  ],
  ['a split bill', [original, claim(2, { ...later, codes: '70450' })], { 1: 'alone', 2: 'alone' }],
  [
    'some lines in common',
    [original, claim(2, { ...later, codes: '99213 70450' })],
    { 1: 'unclear 2', 2: 'unclear 1' },
  ],
  [
    'another patient',
    [original, claim(2, { ...later, name: { first: 'JOHN', middle: [], last: 'DOE', parts: 'DOE JOHN' } })],
    { 1: 'alone', 2: 'alone' },
  ],
  [
    'another provider',
    [original, claim(2, { ...later, provider: ['1999999999', null, null, null, null, null] })],
    { 1: 'alone', 2: 'alone' },
  ],
  ['another number', [original, claim(2, { ...later, no: 'C0009999' })], { 1: 'alone', 2: 'alone' }],
  ['a reversal', [original, reversal], { 1: 'takenBack 2', 2: 'reversal 1' }],
  [
    'a reversal that was processed before, with another number',
    [original, reversalOf(2, original, { processed: '2026-03-15', number: null })],
    { 1: 'takenBack 2', 2: 'reversal 1' },
  ],
  [
    'a reversal of another patient responsibility, of the same number',
    [
      claim(1, { patientResponsibility: 2_000_000 }),
      reversalOf(2, original, { patientResponsibility: -1_000_000 }),
    ],
    { 1: 'unclear 2', 2: 'unclear 1' },
  ],
  [
    'a reversal in process',
    [original, reversalOf(2, original, { status: 'In Process', processed: null })],
    { 1: 'awaitsCorrection 2', 2: 'inProcess 1' },
  ],
  [
    'a rejected reversal',
    [original, reversalOf(2, original, { status: 'Rejected' })],
    { 1: 'alone', 2: 'alone' },
  ],
  ['a difference', [original, claim(2, { ...later, billed: -200_000 })], { 1: 'unclear 2', 2: 'unclear 1' }],
  [
    'an original, its reversal and its correction',
    [original, reversal, claim(3, later)],
    { 1: 'takenBack 2', 2: 'reversal 1', 3: 'standing' },
  ],
  [
    'a reversal takes back the older of two equal claims',
    [original, reversal, claim(3, { processed: '2026-05-01' })],
    { 1: 'takenBack 2', 2: 'reversal 1', 3: 'standing' },
  ],
  [
    'a second reversal of one claim',
    [original, reversal, reversalOf(3, original)],
    { 1: 'unclear 3', 2: 'unclear 1', 3: 'unclear 1' },
  ],
  [
    'a correction taken back, and its original not',
    [original, claim(2, later), reversalOf(3, claim(2, later), { processed: '2026-06-01' })],
    { 1: 'unclear 2', 2: 'unclear 1', 3: 'unclear 2' },
  ],
  [
    'three in a row',
    [original, claim(2, later), claim(3, { billed: 7_000_000, processed: '2026-06-01' })],
    { 1: 'replaced 3', 2: 'replaced 3', 3: 'standing' },
  ],
  [
    'a correction in process',
    [original, claim(2, { status: 'In Process', processed: null })],
    { 1: 'awaitsCorrection 2', 2: 'inProcess 1' },
  ],
  [
    'a rejected correction',
    [original, claim(2, { ...later, status: 'Rejected' })],
    { 1: 'correctionRejected 2', 2: 'rejected 1' },
  ],
  [
    'a rejected correction of a reversed claim',
    [original, reversal, claim(3, { ...later, status: 'Rejected' })],
    { 1: 'unclear 3', 2: 'unclear 1', 3: 'unclear 1' },
  ],
  [
    'a rejected original and its correction',
    [claim(1, { status: 'Rejected' }), claim(2, later)],
    { 1: 'replaced 2', 2: 'standing' },
  ],
  ['a claim that is gone', [claim(1, { isMissing: true })], { 1: 'missing' }],
  [
    'a claim that is gone, owed back',
    [claim(1, { isMissing: true, missingAnswer: 'owedBack' })],
    { 1: 'missingOwed' },
  ],
  ['a claim that is gone, kept', [claim(1, { isMissing: true, missingAnswer: 'keep' })], { 1: 'archived' }],
  [
    'a gone original stays in its chain',
    [claim(1, { isMissing: true }), claim(2, later)],
    { 1: 'replaced 2', 2: 'standing' },
  ],
  [
    'a gone correction stays in its chain',
    [original, claim(2, { ...later, isMissing: true })],
    { 1: 'replaced 2', 2: 'missing' },
  ],
  [
    'one claim through two connections is a duplicate, and each has its correction',
    [original, claim(2, { connection: 2 }), claim(3, later), claim(4, { ...later, connection: 2 })],
    { 1: 'replaced 3', 2: 'replaced 4', 3: 'standing', 4: 'standing' },
  ],
  [
    'a correction through another connection',
    [original, claim(2, { ...later, connection: 2 })],
    { 1: 'replaced 2', 2: 'standing' },
  ],
  [
    'a person says that it replaces',
    [original, claim(2)],
    { 1: 'replaced 2', 2: 'standing' },
    [judge(2, 'replaces', 1)],
  ],
  [
    'a person says that it adds',
    [original, claim(2, { ...later, billed: -200_000 })],
    { 1: 'standing', 2: 'addsTo 1' },
    [judge(2, 'addsTo', 1)],
  ],
  [
    'a person says that they are unrelated, against the guess',
    [original, claim(2, later)],
    { 1: 'alone', 2: 'alone' },
    [judge(2, 'unrelated', 1)],
  ],
  [
    'a person says that a difference takes the claim back',
    [original, claim(2, { ...later, billed: -200_000 })],
    { 1: 'takenBack 2', 2: 'reversal 1' },
    [judge(2, 'replaces', 1)],
  ],
  [
    'a person says that the original stands after its correction was taken back',
    [original, claim(2, later), reversalOf(3, claim(2, later), { processed: '2026-06-01' })],
    { 1: 'alone', 2: 'takenBack 3', 3: 'reversal 2' },
    [judge(2, 'unrelated', 1)],
  ],
];

describe('roles of claims in a chain, in every order of arrival', () => {
  it.each(cases)('%s', (_name, claims, roles, judged = []) => {
    expect(rolesOf(claims, judged)).toEqual(roles);
  });

  it('the work grows with the claims, even if 500 claims and 500 reversals are equal', () => {
    const alike = (count: number): ChainClaim[] =>
      Array.from({ length: count }, (_none, at) => [
        claim(at + 1, { no: '' }),
        reversalOf(count + at + 1, claim(at + 1, { no: '' })),
      ]).flat();
    const { places, compared } = resolveChains(alike(500), []);
    expect([...places.values()].filter(({ role }) => role === 'takenBack')).toHaveLength(500);
    expect(compared).toBeLessThan(3_000);
    const numbered = Array.from({ length: 500 }, (_none, at) => claim(at + 1));
    expect(resolveChains(numbered, []).places.size).toBe(0);
    expect(resolveChains(numbered, []).compared).toBe(0);
  });

  it('gives each claim one position, and a chain at most one claim that counts, whatever the claims', () => {
    const amounts = fc.constantFrom(10_000_000, -10_000_000, 8_000_000, -200_000);
    const any = fc.record({
      billed: amounts,
      processed: fc.constantFrom('2026-04-01', '2026-05-01', null),
      status: fc.constantFrom('Processed', 'Adjusted', 'Rejected', 'In Process', null),
      codes: fc.constantFrom('99213', '70450', '99213 70450', ''),
      no: fc.constantFrom('C0001234', 'C0001234-01', 'C0009999', ''),
      isMissing: fc.boolean(),
    });
    const relation = fc.record({
      claimId: fc.integer({ min: 1, max: 5 }),
      otherClaimId: fc.integer({ min: 1, max: 5 }),
      relation: fc.constantFrom('replaces' as const, 'addsTo' as const, 'unrelated' as const),
    });
    fc.assert(
      fc.property(
        fc.array(any, { minLength: 1, maxLength: 5 }),
        fc.array(relation, { maxLength: 3 }),
        (all, relations) => {
          const claims = all.map((one, at) => claim(at + 1, one));
          const judged = [
            ...new Map(
              relations
                .filter(({ claimId, otherClaimId }) => claimId !== otherClaimId)
                .map((one) => [[one.claimId, one.otherClaimId].sort().join(), one]),
            ).values(),
          ];
          const { places } = resolveChains(claims, judged);
          expect([...resolveChains(claims.toReversed(), judged).places].sort()).toEqual([...places].sort());
          for (const chain of Map.groupBy(places.values(), (place) => place.chain).values()) {
            const stand = chain.filter(({ role }) =>
              ['standing', 'awaitsCorrection', 'correctionRejected', 'missing'].includes(role),
            );
            expect(stand.length).toBeLessThanOrEqual(1);
          }
        },
      ),
      { seed: 43, numRuns: 400 },
    );
  });
});
