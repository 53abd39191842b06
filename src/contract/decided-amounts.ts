import type { AccountStep } from './account-layers.ts';
import { computeEligible, type EligibleSource, eligibleByRules } from './eligible.ts';
import type { ReimbursementRules } from './reimbursement.ts';
import type { PartlyEligible, ReviewOutcome } from './review.ts';

/** The amounts of a partly eligible claim at the time of its decision, in ten-thousandths of a dollar. */
export interface KeptAmounts {
  readonly eligible: number;
  /** Null: the rules gave no amount. */
  readonly byRules: number | null;
}

/**
 * What is eligible of a claim by the rules, and by a decision. Where all are known, `byRules` is the sum of the next
 * three; `open` is what of `eligible` was not reimbursed. `owed` is owed back: what was reimbursed above `eligible` and what
 * is disputed, which may become eligible, without what was written off. Null: not known.
 */
export interface DecidedAmounts {
  readonly byRules: number | null;
  readonly eligible: number | null;
  readonly declined: number | null;
  readonly disputed: number | null;
  readonly open: number | null;
  readonly owed: number | null;
}

/**
 * The amounts of a claim as decided. Lists, reports and the claim's page all use this function. A claim without a
 * decision, or reopened since, has the amounts that the rules give. A partly eligible one has those that were stored
 * with the decision; decisions before version 0.3 stored none, and have those that the rules give.
 */
export function decideAmounts(
  byRules: number | null,
  review: {
    readonly outcome: ReviewOutcome | null;
    readonly kept: KeptAmounts | null;
    readonly reimbursed: number;
    readonly writtenOff: number;
  },
): DecidedAmounts {
  const decided = splitAmount(byRules, review);
  const { eligible, disputed } = decided;
  const { reimbursed, writtenOff } = review;
  return {
    ...decided,
    open: eligible === null ? null : eligible - reimbursed,
    owed: findOwed(
      eligible === null || disputed === null ? null : eligible + disputed,
      reimbursed - writtenOff,
    ),
  };
}

/** Nothing is owed back of a claim of which nothing is reimbursed, as of one that is itself a reversal. */
const findOwed = (whole: number | null, kept: number): number | null =>
  kept <= 0 ? 0 : whole === null ? null : Math.max(0, kept - Math.max(0, whole));

/**
 * What of a claim can be written off or offset: what is owed back or, where that is not known, what is reimbursed and not
 * written off. Never less than zero.
 */
export const mayWriteOff = (review: {
  readonly owed: number | null;
  readonly reimbursed: number;
  readonly writtenOff: number;
}): number => review.owed ?? Math.max(0, review.reimbursed - review.writtenOff);

/**
 * How much more is written off of a claim than would be owed back without it, as after computers of a team wrote off the same
 * amount, or a later decision. Null: it is not known what is eligible.
 */
export function findExcess({
  eligible,
  disputed,
  reimbursed,
  writtenOff,
}: {
  readonly eligible: number | null;
  readonly disputed: number | null;
  readonly reimbursed: number;
  readonly writtenOff: number;
}): number | null {
  if (writtenOff === 0) return 0;
  const whole = eligible === null || disputed === null ? null : eligible + disputed;
  const owed = findOwed(whole, reimbursed);
  return owed === null ? null : Math.max(0, writtenOff - owed);
}

function splitAmount(
  byRules: number | null,
  { outcome, kept }: { readonly outcome: ReviewOutcome | null; readonly kept: KeptAmounts | null },
): Omit<DecidedAmounts, 'open' | 'owed'> {
  if (outcome === 'partlyEligible' && kept !== null)
    return {
      byRules: kept.byRules,
      eligible: kept.eligible,
      declined: kept.byRules === null ? null : kept.byRules - kept.eligible,
      disputed: 0,
    };
  if (outcome === 'notEligible' || outcome === 'duplicate' || outcome === 'noAction')
    return { byRules, eligible: 0, declined: byRules, disputed: 0 };
  if (outcome === 'disputed') return { byRules, eligible: 0, declined: 0, disputed: byRules };
  return { byRules, eligible: byRules, declined: 0, disputed: 0 };
}

/** Whether an amount lies between zero and another one, both included; either may be a reversal. */
export const isWithin = (amount: number, whole: number): boolean =>
  whole < 0 ? amount <= 0 && amount >= whole : amount >= 0 && amount <= whole;

/** Whether an amount is all that the rules give, and so no part of it. */
export const isWhole = ({ eligible, byRules }: KeptAmounts): boolean =>
  byRules !== null && byRules !== 0 && eligible === byRules;

/** A percentage with two decimals of an amount, rounded down to the cent, so that it is never more than the whole. */
function takeShare(amount: number, percent: number): number {
  const hundredths = BigInt(Math.round(percent * 100));
  return Number((BigInt(amount) * hundredths) / 1_000_000n) * 100;
}

/**
 * The eligible amount of a claim by a partly eligible decision. `notKnown`: the rules give no amount to take a part of.
 * `tooMuch`: it is more than the rules give or, where that is not known, than patient responsibility.
 */
export function computePartly(
  partly: PartlyEligible,
  source: EligibleSource,
  rules: ReimbursementRules,
  account: AccountStep | null = null,
): KeptAmounts | 'notKnown' | 'tooMuch' {
  const byRules = eligibleByRules(source, rules, account);
  if (partly.by === 'share')
    return byRules === null ? 'notKnown' : { eligible: takeShare(byRules, partly.percent), byRules };
  if (partly.by === 'parts') {
    // Which parts lie in which layer of an account is not known.
    if (account !== null) return 'notKnown';
    const parts = rules.parts.filter((part) => !partly.without.includes(part));
    const eligible = computeEligible(source, { ...rules, parts }).amount;
    return eligible === null || byRules === null ? 'notKnown' : { eligible, byRules };
  }
  const eligible =
    partly.by === 'amount' ? partly.amount : partly.lines.reduce((sum, { amount }) => sum + amount, 0);
  const whole = byRules ?? source.responsibility;
  return whole === null || isWithin(eligible, whole) ? { eligible, byRules } : 'tooMuch';
}
