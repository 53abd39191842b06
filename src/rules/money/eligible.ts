import { z } from 'zod';
import { type AccountStep, accountStepSchema, sayAccountStep } from '../plans/account-layers.ts';
import type { EligibleSource } from './eligible-source.ts';
import { type EligiblePart, eligibleParts, type ReimbursementRules } from './reimbursement.ts';

export const eligibleRules = [
  'notProcessed',
  'rejected',
  'networkBlank',
  'networkExcluded',
  'noParts',
  'unread',
  'nothingOwed',
  'otherPaidPartial',
  'mixedSigns',
  'responsibilityBlank',
  'splitBlank',
  'notCoveredBlank',
  'notCoveredPartial',
  'partBlank',
  'zeroSplit',
  'otherPlanUnknown',
  'otherPlanUnclear',
  'otherPlan',
  'wholeLessNotCovered',
  'whole',
  'partsLimited',
  'parts',
] as const;
export type EligibleRule = (typeof eligibleRules)[number];

/**
 * A claim as the rows of the table evaluate it. For a reversal, whose amounts are all zero or less, the signs are
 * changed before, so that each row is about a charge, and the sign of the result is changed back.
 */
interface ChargeFacts {
  readonly source: EligibleSource;
  readonly rules: ReimbursementRules;
  readonly isUnsplit: boolean;
  readonly isMixed: boolean;
  readonly responsibility: number | null;
  readonly notCovered: number;
  readonly otherPaid: number;
  /** The sum of all parts that are not blank. */
  readonly all: number;
  /** Whether a part that the rules count is blank, and the parts do not add up to patient responsibility. */
  readonly isPartBlank: boolean;
  /** The sum of the parts that count or, if none was sent, patient responsibility. At most `limit` is eligible. */
  readonly sum: number;
  /**
   * Patient responsibility less the amount not covered. If the parts add up to patient responsibility, they do not
   * include the amount not covered, and nothing is subtracted.
   */
  readonly limit: number;
  /**
   * The most and the least that another plan leaves to be paid. They differ because that plan may have paid parts that
   * do not count.
   */
  readonly maxLeft: number | null;
  readonly minLeft: number | null;
}

interface EligibleRow {
  readonly id: EligibleRule;
  /** The sentence shown on a claim; `{name}` is replaced by that value of `explainEligible`. */
  readonly sentence: string;
  readonly holds: (claim: ChargeFacts) => boolean;
  /** Null: unknown. */
  readonly amount: (claim: ChargeFacts) => number | null;
}

const row = (
  id: EligibleRule,
  sentence: string,
  holds: EligibleRow['holds'],
  amount: EligibleRow['amount'],
): EligibleRow => ({ id, sentence, holds, amount });
const notKnown = (): null => null;
const nothing = (): number => 0;

/** Statuses of a claim that the carrier has processed and not rejected (docs/service.md, "What the claim fields mean"). */
const approvedStatuses: readonly (string | null)[] = ['Processed', 'Partially Approved', 'Adjusted'];
const plain = (network: string | null): string => (network ?? '').trim().toLowerCase();

/**
 * The rows that decide how much of a claim is eligible, by status, network, the parts of patient responsibility, the
 * amount not covered, other insurance and blank values. The first row that matches decides. Where the amount is
 * unknown, it is null, and the claim is in no list of claims to pay.
 */
export const eligibleTable: readonly EligibleRow[] = [
  row(
    'notProcessed',
    'Not known: the carrier has not processed this claim. Its status is {status}.',
    ({ source }) => source.status !== 'Rejected' && !approvedStatuses.includes(source.status),
    notKnown,
  ),
  row(
    'rejected',
    'Nothing: the carrier denied this claim.',
    ({ source }) => source.status === 'Rejected',
    nothing,
  ),
  row(
    'networkBlank',
    'Not known: the network is blank, and the rules count only {networks}.',
    ({ source, rules }) => rules.networks !== null && plain(source.network) === '',
    notKnown,
  ),
  row(
    'networkExcluded',
    'Nothing: the network is {network}, and the rules count only {networks}.',
    ({ source, rules }) =>
      rules.networks !== null && !rules.networks.map(plain).includes(plain(source.network)),
    nothing,
  ),
  row(
    'noParts',
    'Nothing: the rules count no part of patient responsibility.',
    ({ rules }) => rules.parts.length === 0,
    nothing,
  ),
  row(
    'unread',
    'Not known: an amount of this claim is not a number.',
    ({ source }) => source.isUnread,
    notKnown,
  ),
  row(
    'nothingOwed',
    'Nothing: patient responsibility is {responsibility}.',
    ({ responsibility }) => responsibility === 0,
    nothing,
  ),
  row(
    'otherPaidPartial',
    'Not known: what another plan paid is blank on the claim and on some of its lines.',
    ({ source }) => source.isOtherPaidPartial,
    notKnown,
  ),
  row(
    'mixedSigns',
    'Not known: some amounts of this claim are charges, and others are reversals.',
    ({ isMixed }) => isMixed,
    notKnown,
  ),
  row(
    'responsibilityBlank',
    'Not known: patient responsibility and its parts are blank.',
    ({ isUnsplit, responsibility }) => isUnsplit && responsibility === null,
    notKnown,
  ),
  row(
    'splitBlank',
    'Not known: the rules count only {parts}, and deductible, coinsurance, and copay are blank.',
    ({ isUnsplit, rules }) => isUnsplit && rules.parts.length < eligibleParts.length,
    notKnown,
  ),
  row(
    'notCoveredBlank',
    'Not known: the claim is partly approved, and what is not covered is blank, as are deductible, coinsurance, and copay.',
    ({ isUnsplit, source }) =>
      isUnsplit && source.status === 'Partially Approved' && source.notCovered === null,
    notKnown,
  ),
  row(
    'notCoveredPartial',
    'Not known: what is not covered is blank on the claim and on some of its lines.',
    ({ source, responsibility, all }) =>
      source.isNotCoveredPartial && responsibility !== null && all !== responsibility,
    notKnown,
  ),
  row(
    'partBlank',
    'Not known: a part that counts is blank, and the others do not add up to patient responsibility.',
    ({ isPartBlank }) => isPartBlank,
    notKnown,
  ),
  row(
    'zeroSplit',
    'Not known: deductible, coinsurance, and copay are zero, and patient responsibility is {responsibility}.',
    ({ source, isUnsplit, responsibility, notCovered }) =>
      !isUnsplit &&
      eligibleParts.every((part) => (source[part] ?? 0) === 0) &&
      responsibility !== null &&
      responsibility > notCovered,
    notKnown,
  ),
  row(
    'otherPlanUnknown',
    'Not known: another plan paid {otherPaid}, and an amount that decides the rest is blank.',
    ({ otherPaid, maxLeft }) => otherPaid !== 0 && maxLeft === null,
    notKnown,
  ),
  row(
    'otherPlanUnclear',
    'Not known: another plan paid {otherPaid}, which may be for what does not count.',
    ({ otherPaid, maxLeft, minLeft }) => otherPaid !== 0 && maxLeft !== minLeft,
    notKnown,
  ),
  row(
    'otherPlan',
    'What is left after the plan paid {planPaid} and another plan {otherPaid} of {allowed} allowed.',
    ({ otherPaid, maxLeft, sum, limit }) => otherPaid !== 0 && maxLeft !== Math.min(sum, limit),
    ({ maxLeft }) => maxLeft,
  ),
  row(
    'wholeLessNotCovered',
    'Patient responsibility of {responsibility}, less {notCovered} not covered.',
    ({ isUnsplit, notCovered }) => isUnsplit && notCovered !== 0,
    ({ limit }) => limit,
  ),
  row(
    'whole',
    'All of patient responsibility: {responsibility}.',
    ({ isUnsplit }) => isUnsplit,
    ({ sum }) => sum,
  ),
  row(
    'partsLimited',
    'Patient responsibility of {responsibility} less what is not covered: {parts} add up to more, {sum}.',
    ({ sum, limit }) => sum > limit,
    ({ limit }) => limit,
  ),
  row(
    'parts',
    'The sum of {parts}.',
    () => true,
    ({ sum }) => sum,
  ),
];

const addUp = (amounts: readonly (number | null)[]): number =>
  amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);

/** Returns 1, or -1 for a reversal; null if some amounts are above and some below zero. */
function findDirection(source: EligibleSource): 1 | -1 | null {
  const { deductible, coinsurance, copay, responsibility, notCovered, allowed, planPaid, otherPaid } = source;
  const compared = [deductible, coinsurance, copay, responsibility, notCovered, otherPaid];
  // The allowed and the paid amount are used only where another plan paid.
  if ((otherPaid ?? 0) !== 0) compared.push(allowed, planPaid);
  const isAbove = compared.some((amount) => amount !== null && amount > 0);
  const isBelow = compared.some((amount) => amount !== null && amount < 0);
  if (isAbove && isBelow) return null;
  return isBelow ? -1 : 1;
}

function readFacts(source: EligibleSource, rules: ReimbursementRules): ChargeFacts & { direction: 1 | -1 } {
  const knownDirection = findDirection(source);
  const direction = knownDirection ?? 1;
  const turn = (amount: number | null): number | null => (amount === null ? null : amount * direction);
  const partOf = (part: EligiblePart): number | null => turn(source[part]);
  const responsibility = turn(source.responsibility);
  const notCovered = turn(source.notCovered) ?? 0;
  const otherPaid = turn(source.otherPaid) ?? 0;
  const isUnsplit = eligibleParts.every((part) => source[part] === null);
  const all = addUp(eligibleParts.map(partOf));
  const isWhole = all === responsibility || all + notCovered === responsibility;
  const isPartBlank = !isUnsplit && !isWhole && rules.parts.some((part) => source[part] === null);
  const sum = isUnsplit ? (responsibility ?? 0) : addUp(rules.parts.map(partOf));
  const limit =
    responsibility === null
      ? Number.POSITIVE_INFINITY
      : all === responsibility
        ? responsibility
        : Math.max(0, responsibility - notCovered);
  const [allowed, planPaid] = [turn(source.allowed), turn(source.planPaid)];
  const left = allowed === null || planPaid === null ? null : allowed - planPaid - otherPaid;
  const eligible = Math.min(sum, limit);
  const leftOf = (amount: number): number => Math.max(0, Math.min(eligible, amount));
  const isLeftKnown = left !== null && responsibility !== null;
  return {
    source,
    rules,
    direction,
    isUnsplit,
    isMixed: knownDirection === null,
    responsibility,
    notCovered,
    otherPaid,
    all,
    isPartBlank,
    sum,
    limit,
    maxLeft: isLeftKnown ? leftOf(left) : null,
    minLeft: isLeftKnown ? leftOf(left - (responsibility - eligible)) : null,
  };
}

const decide = (claim: ChargeFacts): EligibleRow =>
  eligibleTable.find(({ holds }) => holds(claim)) as EligibleRow;

/**
 * Returns how much of a claim is eligible by the rules, in ten-thousandths of a dollar, and the row of the table that
 * decided. Null: unknown.
 */
export function computeEligible(
  source: EligibleSource,
  rules: ReimbursementRules,
): { readonly amount: number | null; readonly rule: EligibleRule } {
  const claim = readFacts(source, rules);
  const { id, amount } = decide(claim);
  const eligible = amount(claim);
  return { amount: eligible === null || eligible === 0 ? eligible : eligible * claim.direction, rule: id };
}

/** Returns how much of a claim is eligible by the rules, with an account's layers and limits; null: unknown. */
export const eligibleByRules = (
  source: EligibleSource,
  rules: ReimbursementRules,
  account: Pick<AccountStep, 'share'> | null,
): number | null => (account === null ? computeEligible(source, rules).amount : account.share);

/** Why that amount is eligible: the row of the table, and its sentence's values, in ten-thousandths of a dollar. */
export const eligibleBasisSchema = z.object({
  rule: z.enum(eligibleRules),
  values: z.record(z.string(), z.union([z.number(), z.string()])),
  /** The result of an account's layers and limits for that amount; absent: there are none. */
  account: accountStepSchema.optional(),
});
type EligibleBasis = z.infer<typeof eligibleBasisSchema>;

function joinParts(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  if (parts.length < 3) return parts.join(' and ');
  return `${parts.slice(0, -1).join(', ')}, and ${last}`;
}

export function explainEligible(source: EligibleSource, rules: ReimbursementRules): EligibleBasis {
  const claim = readFacts(source, rules);
  const { id, sentence } = decide(claim);
  const valueByName: Readonly<Record<string, number | string>> = {
    status: source.status ?? 'blank',
    network: source.network ?? 'blank',
    networks: joinParts(rules.networks ?? []),
    parts: joinParts(eligibleParts.filter((part) => rules.parts.includes(part))),
    responsibility: source.responsibility ?? 0,
    notCovered: source.notCovered ?? 0,
    allowed: source.allowed ?? 0,
    planPaid: source.planPaid ?? 0,
    otherPaid: source.otherPaid ?? 0,
    sum: claim.sum * claim.direction || 0,
  };
  const named = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return { rule: id, values: Object.fromEntries(named.map((name) => [name, valueByName[name] ?? ''])) };
}

/** The sentences of a basis with its values; `formatAmount` receives ten-thousandths of a dollar. */
export function sayEligible(
  { rule, values, account }: EligibleBasis,
  formatAmount: (amount: number) => string,
): string {
  const sentence = eligibleTable.find(({ id }) => id === rule)?.sentence ?? '';
  const said = sentence.replace(/\{(\w+)\}/g, (_braces, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? formatAmount(value) : value;
  });
  // If nothing counts, or the amount is unknown, the account changes nothing.
  const isSaid = account !== undefined && account.base !== null && account.base !== 0;
  return isSaid ? `${said} ${sayAccountStep(account, formatAmount)}` : said;
}
