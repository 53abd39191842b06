import type { AccountStep } from '../plans/account-layers.ts';
import type { PartlyEligible, ReviewOutcome } from '../review/decision.ts';
import type { ChainRest } from './chain-balance.ts';
import { type ChainRole, doesCount } from './chains.ts';
import { computeEligible, eligibleByRules } from './eligible.ts';
import type { EligibleSource } from './eligible-source.ts';
import type { ReimbursementRules } from './reimbursement.ts';

/** The amounts of a partly eligible claim at the time of its decision, in ten-thousandths of a dollar. */
export interface KeptAmounts {
  readonly eligible: number;
  /** Null: the rules gave no amount. */
  readonly byRules: number | null;
}

/**
 * The eligible amounts of a claim by the rules, and by a decision, in whole cents. Where all are known,
 * `byRules` is the sum of the next three. `open` and `owed` are the one balance of its chain
 * (`chain-balance.ts`), never below zero: the eligible amount not reimbursed; and what was reimbursed above
 * it and above what is disputed, which may become eligible, without what was written off. Null: unknown.
 */
export interface DecidedAmounts {
  readonly byRules: number | null;
  readonly eligible: number | null;
  readonly declined: number | null;
  readonly disputed: number | null;
  readonly open: number | null;
  readonly owed: number | null;
}

/** The values of a decision and payments that change a claim's amounts. */
export interface DecidedReview {
  readonly outcome: ReviewOutcome | null;
  readonly kept: KeptAmounts | null;
  readonly reimbursed: number;
  readonly writtenOff: number;
}

/**
 * Rounds to whole cents, toward zero, so that a reversal is rounded like the amount that it cancels.
 * @example toWholeCents(12_345) // 12_300
 */
export const toWholeCents = (amount: number): number => amount - (amount % 100);
const orNull = (amount: number | null): number | null => (amount === null ? null : toWholeCents(amount));

/**
 * The amounts of a claim as decided. Lists, reports and the claim's page all use this function. A claim without a
 * decision, or reopened since, has the amounts that the rules give. A partly eligible one has those that were stored
 * with the decision; decisions before version 0.3 stored none, and have those that the rules give. `chain` null: it is in
 * no chain with other claims.
 */
export function decideAmounts(
  byRules: number | null,
  review: DecidedReview,
  chain: ChainRest | null = null,
): DecidedAmounts {
  const decided = countInChain(splitAmount(orNull(byRules), review), chain?.role ?? 'standing');
  if (chain === null) return { ...decided, ...findBalance(decided, review) };
  const whole = sumChain({ ...review, ...decided }, chain);
  if (chain.role === 'unclear')
    return { ...decided, ...findBalance({ eligible: null, disputed: null }, whole) };
  // A claim that is no longer in the service is neither paid nor owed back until the user answers what that means.
  if (!chain.isShown || chain.role === 'missing') return { ...decided, open: 0, owed: 0 };
  return { ...decided, ...findBalance(whole, whole) };
}

/** The values from which `open` and `owed` are computed. */
export type Balanced = Pick<DecidedAmounts, 'eligible' | 'disputed'> &
  Pick<DecidedReview, 'reimbursed' | 'writtenOff'>;

/** The counted amounts of a claim and of the others of its chain, and what was paid on all of them. */
export function sumChain(
  { eligible, disputed, reimbursed, writtenOff }: Balanced,
  chain: ChainRest | null,
): Balanced {
  if (chain === null) return { eligible, disputed, reimbursed, writtenOff };
  const isCounted = doesCount(chain.role);
  return {
    eligible: add(isCounted ? eligible : 0, chain.eligible),
    disputed: add(isCounted ? disputed : 0, chain.disputed),
    reimbursed: reimbursed + chain.reimbursed,
    writtenOff: writtenOff + chain.writtenOff,
  };
}

const add = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/** Returns the amounts of a claim that count in its chain. A correction that does not count yet has its own amounts. */
function countInChain<Split extends Omit<DecidedAmounts, 'open' | 'owed'>>(
  split: Split,
  role: ChainRole,
): Split {
  if (role === 'unclear') return { ...split, byRules: null, eligible: null, declined: null, disputed: null };
  if (doesCount(role) || role === 'inProcess' || role === 'rejected') return split;
  return { ...split, byRules: 0, eligible: 0, declined: 0, disputed: 0 };
}

/** Returns the open and the owed amount for what is eligible, after these payments. */
const findBalance = (
  { eligible, disputed }: Pick<DecidedAmounts, 'eligible' | 'disputed'>,
  { reimbursed, writtenOff }: Pick<DecidedReview, 'reimbursed' | 'writtenOff'>,
): Pick<DecidedAmounts, 'open' | 'owed'> => ({
  open: eligible === null ? null : Math.max(0, Math.max(0, eligible) - Math.max(0, reimbursed)),
  owed: findOwed(add(eligible, disputed), reimbursed - writtenOff),
});

/** Nothing is owed back on a claim without reimbursement, such as a reversal. */
const findOwed = (whole: number | null, kept: number): number | null =>
  kept <= 0 ? 0 : whole === null ? null : Math.max(0, kept - Math.max(0, whole));

/**
 * Returns how much of a claim can be written off or offset: what is owed back or, if that is unknown, what is
 * reimbursed and not written off. Never less than zero.
 * @example mayWriteOff({ owed: null, reimbursed: 500_000, writtenOff: 200_000 }) // 300_000
 */
export const mayWriteOff = (review: {
  readonly owed: number | null;
  readonly reimbursed: number;
  readonly writtenOff: number;
}): number => review.owed ?? Math.max(0, review.reimbursed - review.writtenOff);

/**
 * Returns by how much write-offs exceed what would be owed back without them, for example after two computers of a team
 * wrote off the same amount, or after a later decision. Null: the eligible amount is unknown.
 * @example findExcess({ eligible: 400_000, disputed: 0, reimbursed: 500_000, writtenOff: 150_000 }) // 50_000
 */
export function findExcess({
  eligible,
  disputed,
  reimbursed,
  writtenOff,
  chain = null,
}: {
  readonly eligible: number | null;
  readonly disputed: number | null;
  readonly reimbursed: number;
  readonly writtenOff: number;
  readonly chain?: ChainRest | null;
}): number | null {
  const off = writtenOff + (chain?.writtenOff ?? 0);
  if (off === 0 || chain?.isShown === false) return 0;
  const whole = add(add(eligible, disputed), chain === null ? 0 : add(chain.eligible, chain.disputed));
  const owed = findOwed(whole, reimbursed + (chain?.reimbursed ?? 0));
  return owed === null ? null : Math.max(0, off - owed);
}

function splitAmount(
  byRules: number | null,
  { outcome, kept }: { readonly outcome: ReviewOutcome | null; readonly kept: KeptAmounts | null },
): Omit<DecidedAmounts, 'open' | 'owed'> {
  if (outcome === 'partlyEligible' && kept !== null) {
    const [whole, eligible] = [orNull(kept.byRules), toWholeCents(kept.eligible)];
    return { byRules: whole, eligible, declined: whole === null ? null : whole - eligible, disputed: 0 };
  }
  if (outcome === 'notEligible' || outcome === 'duplicate' || outcome === 'noAction')
    return { byRules, eligible: 0, declined: byRules, disputed: 0 };
  if (outcome === 'disputed') return { byRules, eligible: 0, declined: 0, disputed: byRules };
  return { byRules, eligible: byRules, declined: 0, disputed: 0 };
}

/**
 * Whether an amount is between zero and another one, both included; either may be a reversal.
 * @example isWithin(-500, -1_000) // true
 */
export const isWithin = (amount: number, whole: number): boolean =>
  whole < 0 ? amount <= 0 && amount >= whole : amount >= 0 && amount <= whole;

/**
 * Whether an amount is all that the rules give, rather than part of it.
 * @example isWhole({ eligible: 500_000, byRules: 500_000 }) // true
 */
export const isWhole = ({ eligible, byRules }: KeptAmounts): boolean =>
  byRules !== null && byRules !== 0 && eligible === byRules;

/** Takes a percentage with two decimals, rounded down to the cent, so that it is never more than the whole. */
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
  account: Pick<AccountStep, 'share'> | null = null,
): KeptAmounts | 'notKnown' | 'tooMuch' {
  const byRules = eligibleByRules(source, rules, account);
  if (partly.by === 'share')
    return byRules === null ? 'notKnown' : { eligible: takeShare(byRules, partly.percent), byRules };
  if (partly.by === 'parts') {
    // It is unknown which parts are in which layer of an account.
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

/**
 * Returns what confirming an earlier decision gives for the current claim, in whole cents. `before`: amounts
 * of a partly eligible decision, computed again as at its confirmation; `source` null: the claim is unknown.
 */
export function keepDecision(
  decided: {
    readonly outcome: ReviewOutcome | null;
    readonly partly: PartlyEligible | null;
    readonly before: KeptAmounts | null;
  },
  source: EligibleSource | null,
  rules: ReimbursementRules,
  account: AccountStep | null,
  role: ChainRole = 'standing',
): Pick<DecidedAmounts, 'eligible' | 'declined'> & {
  outcome: ReviewOutcome | null;
  eligibleBefore: number | null;
  declinedBefore: number | null;
  refused: 'notKnown' | 'tooMuch' | null;
} {
  const { outcome, partly, before } = decided;
  const again =
    partly === null ? null : source === null ? 'notKnown' : computePartly(partly, source, rules, account);
  const refused = typeof again === 'string' ? again : null;
  const kept = typeof again === 'string' ? before : again;
  const byRules = source === null ? null : orNull(eligibleByRules(source, rules, account));
  const { eligible, declined } = countInChain(splitAmount(byRules, { outcome, kept }), role);
  const was = before === null ? null : splitAmount(null, { outcome, kept: before });
  return {
    outcome,
    eligible,
    declined,
    refused,
    eligibleBefore: was?.eligible ?? null,
    declinedBefore: was?.declined ?? null,
  };
}
