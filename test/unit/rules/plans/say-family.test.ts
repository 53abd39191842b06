import { expect, test } from 'vitest';
import type { FamilyMeter, NextPayer } from '../../../../src/rules/plans/accumulators.ts';
import { nameFamily, sayFamily } from '../../../../src/rules/plans/say-family.ts';

const format = (amount: number): string => `$${amount}`;
const standing = (used: number, limit: number | null) => ({
  ...{ used, applied: used, limit, isAtLeast: false, metOn: null },
  remaining: limit === null ? null : limit - used,
});
const meter = (id: 'deductible' | 'outOfPocket', used: number, limit: number | null) => ({
  ...{ meter: id, network: 'all' as const },
  family: standing(used, limit),
  persons: [standing(0, limit === null ? null : limit / 2)],
});
const meters = [meter('deductible', 300, 1000), meter('outOfPocket', 900, 4000)];
const pays = (payer: NextPayer['payer'], amount: number | null, isAtMost = false) => ({
  payer,
  amount,
  isAtMost,
});
const person = (name: string | null, planPays: NextPayer | null) => ({
  ...{ name, relationship: null, planPays, drugsPaid: null, accountPays: null },
});
const claim = (at: number, ...disagreements: FamilyMeter['claims'][number]['disagreements']) => ({
  ...{ claimId: 1, person: at, processed: null, serviceDay: '2026-02-01', network: null },
  ...{ state: 'counts' as const, deductible: 0, outOfPocket: 0, shares: [], account: null },
  ...{ disagreements, isEarlier: false, isOpenDuplicate: false },
});
const family = (persons: FamilyMeter['persons'], more: Partial<FamilyMeter> = {}): FamilyMeter => ({
  ...{ memberId: 7, employerId: 3, employerName: null, planYear: '2026', begins: '2026-01-01' },
  ...{ isMidYear: false, isFamily: true, persons, meters, account: null, claims: [], ...more },
});
const [jerry, ann] = ['Jerry Stone', 'Ann Stone'];

test.each<[string, FamilyMeter, string | null]>([
  [
    'who met the maximum, then the member',
    family([person(jerry, pays('member', 500)), person(ann, pays('plan', null))]),
    'Ann has met the out-of-pocket maximum; the plan should pay from here. Jerry has $500 of the deductible left.',
  ],
  [
    'two who met it',
    family([person(jerry, pays('plan', null)), person(ann, pays('plan', null))]),
    'Jerry and Ann have met the out-of-pocket maximum; the plan should pay from here.',
  ],
  [
    'a family that met it',
    family([person(jerry, pays('plan', null))], { meters: [meter('outOfPocket', 4000, 4000)] }),
    'The family has met the out-of-pocket maximum; the plan should pay from here.',
  ],
  [
    'less to the maximum than to the deductible',
    family([person(jerry, pays('member', 200, true))]),
    'Jerry has at most $200 left to the out-of-pocket maximum.',
  ],
  [
    'coinsurance',
    family([person(jerry, pays('shared', 700, true))]),
    'Jerry has met the deductible; coinsurance applies, for at most $700 more.',
  ],
  [
    'coinsurance without a deductible',
    family([person(jerry, pays('shared', null))], { meters: [meter('outOfPocket', 1, 2)] }),
    'For Jerry coinsurance applies.',
  ],
  [
    'an account alone',
    family([{ ...person(jerry, null), accountPays: pays('account', 200, true) }], { meters: [] }),
    'The account pays the next $200, or less.',
  ],
  [
    'an account alone that has paid all',
    family([{ ...person(jerry, null), accountPays: pays('member', null) }], { meters: [] }),
    'Jerry pays from here.',
  ],
  ['nothing', family([person(jerry, null), person(null, null)]), null],
])('describes a family’s progress: %s', (_what, of, said) => {
  expect(sayFamily(of, format)).toBe(said);
});

test('what the carrier charged too much is the sum of the rows below it, by person', () => {
  const over = (amount: number) => ({ kind: 'outOfPocketOver' as const, amount });
  const deductible = { kind: 'deductibleOver' as const, amount: 400 };
  const persons = [person(jerry, null), person(ann, null)];
  const claims = [claim(0, over(1000), deductible), claim(0, over(460)), claim(1, over(7)), claim(1)];
  expect(sayFamily(family(persons, { claims }), format)).toBe(
    'The carrier charged Jerry $1460 and Ann $7 too much.',
  );
  expect(sayFamily(family(persons, { claims: [claim(0, deductible), claim(1, deductible)] }), format)).toBe(
    'The carrier applied $800 too much to the deductible.',
  );
});

test('people are called by their first names, unless two have the same one', () => {
  expect(nameFamily([{ name: jerry }, { name: ann }, { name: null }])).toEqual(['Jerry', 'Ann', null]);
  expect(nameFamily([{ name: jerry }, { name: 'Jerry Stone Jr' }])).toEqual([jerry, 'Jerry Stone Jr']);
});
