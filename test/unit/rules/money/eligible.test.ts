import { describe, expect, it, test } from 'vitest';
import {
  computeEligible,
  type EligibleRule,
  eligibleRules,
  eligibleTable,
  explainEligible,
  sayEligible,
} from '../../../../src/rules/money/eligible.ts';
import {
  type EligibleSource,
  eligibleFields,
  readEligibleSource,
} from '../../../../src/rules/money/eligible-source.ts';
import {
  defaultReimbursementRules,
  type EligiblePart,
  eligibleParts,
  type ReimbursementRules,
} from '../../../../src/rules/money/reimbursement.ts';
import type { Cell } from '../../../../src/rules/query.ts';

const blank: EligibleSource = {
  status: 'Processed',
  network: null,
  deductible: null,
  coinsurance: null,
  copay: null,
  responsibility: null,
  notCovered: null,
  allowed: null,
  planPaid: null,
  otherPaid: null,
  isNotCoveredPartial: false,
  isOtherPaidPartial: false,
  isUnread: false,
};
const usd = (amount: number): string => `$${(amount / 10_000).toFixed(2)}`;
const dollars = (amount: number | null): number | null => (amount === null ? null : amount / 10_000);

/** A claim in dollars, with its lines; what is not named is blank. */
type Amounts = { readonly [K in keyof typeof eligibleFields]?: EligibleSource[K] | string };
type Sent = Amounts & { readonly lines?: readonly Amounts[] };
const fieldsOf = (sent: Amounts): Record<string, Cell> =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [eligibleFields[name as keyof typeof eligibleFields], value]),
  );
const claimOf = ({ lines = [], ...sent }: Sent): EligibleSource =>
  readEligibleSource({ fields: fieldsOf({ status: 'Processed', ...sent }), lines: lines.map(fieldsOf) });

interface Case {
  readonly claim: Sent;
  readonly parts?: readonly EligiblePart[];
  readonly networks?: readonly string[];
  /** Dollars; null: not known. */
  readonly eligible: number | null;
  readonly sentence: string;
}
const split = { deductible: 10, coinsurance: 5, copay: 20, responsibility: 35 };

/** Every row of the table by a claim of its own. */
const rows: Record<EligibleRule, Case> = {
  notProcessed: {
    claim: { ...split, status: 'In Process' },
    eligible: null,
    sentence: 'Not known: the carrier has not processed this claim. Its status is In Process.',
  },
  rejected: {
    claim: { status: 'Rejected', responsibility: 1747.05, notCovered: 1747.05 },
    eligible: 0,
    sentence: 'Nothing: the carrier denied this claim.',
  },
  networkBlank: {
    claim: { ...split, network: ' ' },
    networks: ['IN', 'TIER1'],
    eligible: null,
    sentence: 'Not known: the network is blank, and the rules count only IN and TIER1.',
  },
  networkExcluded: {
    claim: { ...split, network: 'OUT' },
    networks: ['in'],
    eligible: 0,
    sentence: 'Nothing: the network is OUT, and the rules count only in.',
  },
  noParts: {
    claim: split,
    parts: [],
    eligible: 0,
    sentence: 'Nothing: the rules count no part of patient responsibility.',
  },
  unread: {
    claim: { ...split, copay: 'see contract' },
    eligible: null,
    sentence: 'Not known: an amount of this claim is not a number.',
  },
  nothingOwed: {
    claim: { responsibility: 0, notCovered: 80 },
    parts: ['copay'],
    eligible: 0,
    sentence: 'Nothing: patient responsibility is $0.00.',
  },
  otherPaidPartial: {
    claim: { ...split, lines: [{ otherPaid: 8 }, {}] },
    eligible: null,
    sentence: 'Not known: what another plan paid is blank on the claim and on some of its lines.',
  },
  mixedSigns: {
    claim: { deductible: -5, coinsurance: 0, copay: 20, responsibility: 15 },
    eligible: null,
    sentence: 'Not known: some amounts of this claim are charges, and others are reversals.',
  },
  responsibilityBlank: {
    claim: { notCovered: 3 },
    eligible: null,
    sentence: 'Not known: patient responsibility and its parts are blank.',
  },
  splitBlank: {
    claim: { responsibility: 35 },
    parts: ['deductible', 'copay'],
    eligible: null,
    sentence:
      'Not known: the rules count only deductible and copay, and deductible, coinsurance, and copay are blank.',
  },
  notCoveredBlank: {
    claim: { status: 'Partially Approved', responsibility: 35 },
    eligible: null,
    sentence:
      'Not known: the claim is partly approved, and what is not covered is blank, as are deductible, coinsurance, and copay.',
  },
  notCoveredPartial: {
    claim: { responsibility: 35, lines: [{ notCovered: 4 }, { notCovered: null }] },
    eligible: null,
    sentence: 'Not known: what is not covered is blank on the claim and on some of its lines.',
  },
  partBlank: {
    claim: { ...split, coinsurance: null },
    eligible: null,
    sentence:
      'Not known: a part that counts is blank, and the others do not add up to patient responsibility.',
  },
  zeroSplit: {
    claim: { deductible: 0, coinsurance: 0, copay: 0, responsibility: 100, notCovered: 40 },
    eligible: null,
    sentence:
      'Not known: deductible, coinsurance, and copay are zero, and patient responsibility is $100.00.',
  },
  otherPlanUnknown: {
    claim: { ...split, otherPaid: 8, allowed: 100 },
    eligible: null,
    sentence: 'Not known: another plan paid $8.00, and an amount that decides the rest is blank.',
  },
  otherPlanUnclear: {
    claim: { ...split, otherPaid: 8, allowed: 100, planPaid: 65 },
    parts: ['copay'],
    eligible: null,
    sentence: 'Not known: another plan paid $8.00, which may be for what does not count.',
  },
  otherPlan: {
    claim: { ...split, otherPaid: 8, allowed: 100, planPaid: 65 },
    eligible: 27,
    sentence: 'What is left after the plan paid $65.00 and another plan $8.00 of $100.00 allowed.',
  },
  wholeLessNotCovered: {
    claim: { status: 'Partially Approved', responsibility: 2154.28, notCovered: 1738.01 },
    eligible: 416.27,
    sentence: 'Patient responsibility of $2154.28, less $1738.01 not covered.',
  },
  whole: {
    claim: { responsibility: 35, notCovered: 0 },
    eligible: 35,
    sentence: 'All of patient responsibility: $35.00.',
  },
  partsLimited: {
    claim: { ...split, responsibility: 30, notCovered: 4 },
    eligible: 26,
    sentence:
      'Patient responsibility of $30.00 less what is not covered: deductible, coinsurance, and copay add up to more, $35.00.',
  },
  parts: {
    claim: { ...split, responsibility: 55, notCovered: 20 },
    parts: ['deductible', 'copay'],
    eligible: 30,
    sentence: 'The sum of deductible and copay.',
  },
};

const rulesOf = ({
  parts = eligibleParts,
  networks,
}: Pick<Case, 'parts' | 'networks'>): ReimbursementRules => ({
  ...defaultReimbursementRules,
  parts: [...parts],
  networks: networks === undefined ? null : [...networks],
});

test.each(Object.entries(rows))('the row %s gives its amount and its sentence', (rule, one) => {
  const source = claimOf(one.claim);
  const { amount, rule: found } = computeEligible(source, rulesOf(one));
  expect([found, dollars(amount)]).toEqual([rule, one.eligible]);
  const basis = explainEligible(source, rulesOf(one));
  expect(basis.rule).toBe(rule);
  expect(sayEligible(basis, usd)).toBe(one.sentence);
});

test('the table has each rule once, and its last row matches every claim', () => {
  expect(eligibleTable.map(({ id }) => id)).toEqual(eligibleRules);
});

test.each<[string, Sent, readonly EligiblePart[], number | null]>([
  [
    'parts and not covered are patient responsibility',
    { ...split, responsibility: 55, notCovered: 20 },
    eligibleParts,
    35,
  ],
  [
    'parts are patient responsibility: not covered is no part of it',
    { ...split, notCovered: 20 },
    eligibleParts,
    35,
  ],
  ['parts are more than patient responsibility', { ...split, responsibility: 30 }, eligibleParts, 30],
  ['one part of them is not', { ...split, responsibility: 30 }, ['copay'], 20],
  ['patient responsibility is blank', { ...split, responsibility: null, notCovered: 9 }, eligibleParts, 35],
  ['it is blank, and a part that counts as well', { copay: 20, notCovered: 9 }, eligibleParts, null],
  ['a part that does not count is blank', { copay: 20, responsibility: 35 }, ['copay'], 20],
  [
    'a part is blank, the others are all',
    { copay: 20, deductible: 15, responsibility: 35 },
    eligibleParts,
    35,
  ],
  [
    'a part is blank, the others are all that is covered',
    { copay: 20, responsibility: 29, notCovered: 9 },
    eligibleParts,
    20,
  ],
  ['only what is blank counts, the others are all', { copay: 35, responsibility: 35 }, ['deductible'], 0],
  ['all of it is not covered', { responsibility: 35, notCovered: 35 }, eligibleParts, 0],
  ['more is not covered than the patient owes', { responsibility: 35, notCovered: 50 }, eligibleParts, 0],
  ['adjusted, with blank not covered', { status: 'Adjusted', responsibility: 35 }, eligibleParts, 35],
  [
    'partly approved and split, with blank not covered',
    { status: 'Partially Approved', ...split },
    eligibleParts,
    35,
  ],
  ['a status in other words', { ...split, status: 'Paid' }, eligibleParts, null],
  ['no status', { ...split, status: null }, eligibleParts, null],
  ['a reversal without a split', { responsibility: -100, notCovered: -40 }, eligibleParts, -60],
  ['a reversal of all that was not covered', { responsibility: -35, notCovered: -50 }, eligibleParts, 0],
  [
    'a reversal of parts',
    { deductible: -10, copay: -0.0001, coinsurance: 0, responsibility: -10.0001 },
    eligibleParts,
    -10.0001,
  ],
  [
    'a reversal after another plan',
    { responsibility: -35, allowed: -100, planPaid: -65, otherPaid: -8 },
    eligibleParts,
    -27,
  ],
  ['another plan paid all', { ...split, otherPaid: 35, allowed: 100, planPaid: 65 }, eligibleParts, 0],
  [
    'another plan paid all, and one part counts',
    { ...split, otherPaid: 35, allowed: 100, planPaid: 65 },
    ['copay'],
    0,
  ],
  [
    'patient responsibility is after both plans',
    { responsibility: 27, otherPaid: 8, allowed: 100, planPaid: 65 },
    eligibleParts,
    27,
  ],
  [
    'the same with a part that does not count',
    {
      copay: 20,
      deductible: 7,
      coinsurance: 0,
      responsibility: 27,
      otherPaid: 8,
      allowed: 100,
      planPaid: 65,
    },
    ['copay'],
    20,
  ],
  ['another plan paid 0', { ...split, otherPaid: 0 }, eligibleParts, 35],
  [
    'not covered is on every line, and blank on the claim',
    { responsibility: 35, lines: [{ notCovered: 4 }, { notCovered: 6 }] },
    eligibleParts,
    25,
  ],
  [
    'the claim’s own amount outweighs those of its lines',
    { responsibility: 35, notCovered: 0, lines: [{ notCovered: 4 }, { notCovered: 6 }] },
    eligibleParts,
    35,
  ],
  [
    'another plan paid, on every line',
    { ...split, allowed: 100, planPaid: 65, lines: [{ otherPaid: 5 }, { otherPaid: 3 }] },
    eligibleParts,
    27,
  ],
  [
    'the parts are on every line',
    {
      responsibility: 35,
      lines: [
        { deductible: 10, coinsurance: 0, copay: 20 },
        { deductible: 0, coinsurance: 5, copay: 0 },
      ],
    },
    ['deductible', 'copay'],
    30,
  ],
  [
    'a part that counts is on some lines only',
    { coinsurance: 5, copay: 0, responsibility: 35, lines: [{ deductible: 30 }, {}] },
    ['deductible'],
    null,
  ],
  [
    'not covered on some lines, where the parts are patient responsibility anyway',
    { ...split, lines: [{ notCovered: 4 }, {}] },
    eligibleParts,
    35,
  ],
  [
    'an amount of a line can’t be a number',
    { ...split, lines: [{ otherPaid: '1e21' }, { otherPaid: 3 }] },
    eligibleParts,
    null,
  ],
  [
    'a split of zeros, which what is not covered explains',
    { deductible: 0, coinsurance: 0, copay: 0, responsibility: 100, notCovered: 100 },
    eligibleParts,
    0,
  ],
  [
    'a zero and blanks beside patient responsibility',
    { deductible: 0, responsibility: 100 },
    ['deductible'],
    null,
  ],
  [
    'another plan paid, and something is not covered',
    { responsibility: 50, notCovered: 10, otherPaid: 20, allowed: 100, planPaid: 50 },
    eligibleParts,
    null,
  ],
])('eligible: %s', (_case, claim, parts, eligible) => {
  expect(dollars(computeEligible(claimOf(claim), rulesOf({ parts })).amount)).toBe(eligible);
});

const statuses = [
  'Processed',
  'Partially Approved',
  'Adjusted',
  'Rejected',
  'In Process',
  'Under Review',
  null,
];
const amounts = [null, 0, 150_000, 350_000];

/** All combinations of statuses, blanks, amounts and rules: a few hundred thousand claims. */
function* combinations(): Generator<{ source: EligibleSource; rules: ReimbursementRules }> {
  const partSets: EligiblePart[][] = [[], ['copay'], ['deductible', 'copay'], [...eligibleParts]];
  const networks = [
    { network: null, only: null },
    { network: null, only: ['IN'] },
    { network: 'in ', only: ['IN'] },
    { network: 'OUT', only: ['IN'] },
  ];
  const others = [
    { otherPaid: null, allowed: null, planPaid: null },
    { otherPaid: 0, allowed: 900_000, planPaid: 400_000 },
    { otherPaid: 100_000, allowed: 900_000, planPaid: 400_000 },
    { otherPaid: 100_000, allowed: 500_000, planPaid: 150_000 },
    { otherPaid: 100_000, allowed: null, planPaid: 400_000 },
  ];
  for (const status of statuses)
    for (const { network, only } of networks)
      for (const parts of partSets)
        for (const other of others)
          for (const deductible of [null, 0, 150_000])
            for (const copay of [null, 0, 200_000])
              for (const coinsurance of [null, 0])
                for (const responsibility of amounts)
                  for (const notCovered of amounts)
                    for (const sign of [1, -1]) {
                      const turn = (amount: number | null) => (amount === null ? null : amount * sign || 0);
                      const source = {
                        ...{ status, network },
                        deductible: turn(deductible),
                        copay: turn(copay),
                        coinsurance: turn(coinsurance),
                        responsibility: turn(responsibility),
                        notCovered: turn(notCovered),
                        otherPaid: turn(other.otherPaid),
                        allowed: turn(other.allowed),
                        planPaid: turn(other.planPaid),
                        ...{ isUnread: false, isNotCoveredPartial: false, isOtherPaidPartial: false },
                      };
                      yield { source, rules: { ...defaultReimbursementRules, parts, networks: only } };
                    }
}

const sizeOf = (amount: number | null): number | null => (amount === null ? null : Math.abs(amount));

/**
 * The same by what the rules say in words, for claims of one sign: the least and the most that may be eligible, which is
 * known where both are one.
 */
function boundEligible(source: EligibleSource, rules: ReimbursementRules): number | null {
  if (source.status === 'Rejected') return 0;
  if (!['Processed', 'Partially Approved', 'Adjusted'].includes(source.status ?? '')) return null;
  if (rules.networks !== null) {
    if (source.network === null) return null;
    if (source.network.trim().toUpperCase() !== 'IN') return 0;
  }
  if (rules.parts.length === 0) return 0;
  const owed = sizeOf(source.responsibility);
  if (owed === 0) return 0;
  const notCovered = sizeOf(source.notCovered) ?? 0;
  const given = eligibleParts.filter((part) => source[part] !== null);
  const sumOf = (parts: readonly EligiblePart[]): number =>
    parts.reduce((sum, part) => sum + Math.abs(source[part] ?? 0), 0);
  let counting: number;
  if (given.length > 0 && sumOf(given) === 0 && owed !== null && owed > notCovered) return null;
  if (given.length === 0) {
    if (owed === null || rules.parts.length < 3) return null;
    if (source.status === 'Partially Approved' && source.notCovered === null) return null;
    counting = Math.max(0, owed - notCovered);
  } else {
    const isAll = sumOf(given) === owed || sumOf(given) + notCovered === owed;
    if (!isAll && rules.parts.some((part) => !given.includes(part))) return null;
    counting = sumOf(rules.parts);
    if (owed !== null && sumOf(given) !== owed) counting = Math.min(counting, Math.max(0, owed - notCovered));
    else if (owed !== null) counting = Math.min(counting, owed);
  }
  const other = sizeOf(source.otherPaid) ?? 0;
  if (other === 0) return counting;
  const [allowed, planPaid] = [sizeOf(source.allowed), sizeOf(source.planPaid)];
  if (owed === null || allowed === null || planPaid === null) return null;
  const left = Math.max(0, allowed - planPaid - other);
  // All that does not count may already be paid, or none of it: both ends must give the same.
  const most = Math.min(counting, left);
  const least = Math.min(counting, Math.max(0, allowed - planPaid - other - (owed - counting)));
  return most === least ? most : null;
}

describe('every combination of status, split, not covered, other insurance, blanks, network and rules', () => {
  it('reaches every row that charges and reversals can, each amount as its text says', () => {
    const hits = new Map<EligibleRule, number>();
    const wrong: unknown[] = [];
    let count = 0;
    for (const { source, rules } of combinations()) {
      count += 1;
      const { amount, rule } = computeEligible(source, rules);
      hits.set(rule, (hits.get(rule) ?? 0) + 1);
      const isReversal = Object.values(source).some((value) => typeof value === 'number' && value < 0);
      const bound = boundEligible(source, rules);
      const wanted = bound === null || bound === 0 ? bound : bound * (isReversal ? -1 : 1);
      if (!Object.is(amount, wanted)) wrong.push({ source, rules, amount, wanted, rule });
      if (amount === null) continue;
      const owed = Math.abs(source.responsibility ?? Number.POSITIVE_INFINITY);
      if (Math.abs(amount) > owed) wrong.push({ source, rules, amount, tooMuch: owed });
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(count).toBeGreaterThan(200_000);
    const others: readonly EligibleRule[] = ['mixedSigns', 'unread', 'notCoveredPartial', 'otherPaidPartial'];
    const expected = eligibleRules.filter((rule) => !others.includes(rule));
    expect([...hits.keys()].toSorted()).toEqual(expected.toSorted());
  });

  it('a claim with amounts below and above zero is unknown, whichever amounts these are', () => {
    const signed = [
      'deductible',
      'coinsurance',
      'copay',
      'responsibility',
      'notCovered',
      'otherPaid',
    ] as const;
    for (const below of signed)
      for (const above of signed) {
        if (below === above) continue;
        const source = { ...blank, responsibility: 50, [below]: -7, [above]: 7 };
        expect([below, above, computeEligible(source, rulesOf({}))]).toEqual([
          ...[below, above],
          { amount: null, rule: 'mixedSigns' },
        ]);
      }
  });
});
