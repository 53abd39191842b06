import type { Settings } from '../../../../contract/settings.ts';
import { readName } from '../../../../rules/compare-values.ts';
import { addDays, isDay } from '../../../../rules/days.ts';
import type { DecisionRule } from '../../../../rules/decide/decision-rule.ts';
import { letterTable } from '../../../../rules/letters/letter-kinds.ts';
import { findUntrue, saidOf } from '../../../../rules/letters/letter-said.ts';
import type { ChainMember, ChainRest } from '../../../../rules/money/chain-balance.ts';
import { isPayable, mayBeWorkedOn } from '../../../../rules/money/chains.ts';
import {
  type DecidedAmounts,
  type DecidedReview,
  decideAmounts,
} from '../../../../rules/money/decided-amounts.ts';
import { computeEligible } from '../../../../rules/money/eligible.ts';
import { type EligibleValues, readEligibleSource } from '../../../../rules/money/eligible-source.ts';
import { type ReimbursementRules, rulesOf } from '../../../../rules/money/reimbursement.ts';
import { chainRoleLabels } from '../../../../rules/money/say-chain.ts';
import { findNextDeadline } from '../../../../rules/plans/deadlines.ts';
import { planYearMonthOf, planYearOf } from '../../../../rules/plans/plan-year.ts';
import { findReviewUntil, isToReview, type ReviewPeriod } from '../../../../rules/plans/review-period.ts';
import type { MadeLetter } from '../../../../rules/review/review-parts.ts';
import { otherClaimName } from '../../../../rules/review/reviewed-fields.ts';
import { type ClaimException, joinExceptions } from '../../../../rules/worklists/exceptions.ts';
import { processedStatuses } from '../../../../rules/worklists/worklist-table.ts';
import type { FactSource, FamilyFacts } from './fact-source.ts';

export interface FactRules {
  /** The name under which settings of its employers are stored (`serviceOf`). */
  readonly service: string;
  readonly settings: Pick<Settings, 'planYearStart' | 'planYearStarts' | 'reimbursementRules' | 'planRules'>;
  /** The rules that propose, in order; absent: none. */
  readonly proposing?: readonly DecisionRule[];
}

/** The settings on which facts depend, of all settings of a service. */
export const factRulesOf = ({ service, ...settings }: Settings & { readonly service: string }): FactRules => {
  const { planYearStart, planYearStarts, reimbursementRules, planRules } = settings;
  return { service, settings: { planYearStart, planYearStarts, reimbursementRules, planRules } };
};

const flag = (isSet: boolean): 1 | null => (isSet ? 1 : null);

/**
 * The largest difference between the lines and the claim. Null is not zero: a blank amount is not compared. Each line
 * is rounded to a ten-thousandth, so a difference of at most as many ten-thousandths as there are lines does not count.
 */
export function findLineDifference({ compared, lines }: FactSource): number | null {
  const differences = compared.flatMap(({ own, sum, blank }) => {
    if (own === null || sum === null || blank > 0 || lines === 0) return [];
    return [Math.abs(sum - own) <= lines ? 0 : sum - own];
  });
  if (differences.length === 0) return null;
  return differences.reduce((largest, difference) =>
    Math.abs(difference) > Math.abs(largest) ? difference : largest,
  );
}

/**
 * Returns the difference between the parts of patient responsibility and its total; 0 where they add up with or without
 * the amount that is not covered, or where one of them is blank.
 */
function findPartsDifference(source: FactSource): number {
  const { responsibility, deductible, copay, coinsurance, notCovered } = source;
  if (responsibility === null || deductible === null || copay === null || coinsurance === null) return 0;
  const sum = deductible + copay + coinsurance;
  return sum + (notCovered ?? 0) === responsibility ? 0 : sum - responsibility;
}

/** The decision and payments of a claim. */
const toReview = (source: FactSource): DecidedReview => ({
  outcome: source.outcome,
  kept: source.keptEligible === null ? null : { eligible: source.keptEligible, byRules: source.keptByRules },
  reimbursed: source.reimbursed ?? 0,
  writtenOff: source.writtenOff ?? 0,
});

/** Computes the eligible amount of a claim by the rules: before the layers of an account, and with them. */
function computeByRules(
  source: FactSource,
  { service, settings }: FactRules,
  family: FamilyFacts | null,
): { readonly rules: ReimbursementRules; readonly base: number | null; readonly byRules: number | null } {
  const rules = rulesOf(settings.reimbursementRules, service, source.employerId);
  const base = computeEligible(source, rules).amount;
  const step = family?.step ?? null;
  return { rules, base, byRules: step === null ? base : step.share };
}

/** Converts a claim to a member of its chain. */
export function toChainMember(source: FactSource, rules: FactRules, family: FamilyFacts | null): ChainMember {
  const review = toReview(source);
  const { eligible, disputed } = decideAmounts(computeByRules(source, rules, family).byRules, review);
  const { id, role, by, paidOn } = source;
  const { reimbursed, writtenOff } = review;
  return { id, role: role ?? 'standing', by, eligible, disputed, reimbursed, writtenOff, paidOn };
}

const isBlank = (text: string | null): boolean => text === null || text.trim() === '';

const joinNames = (...names: (string | false)[]): string | null =>
  names.filter((name) => name !== false).join(', ') || null;

/** Lists what an expense lacks to be substantiated: patient, service, provider, date, or amount. */
export const findMissingItems = (
  source: Pick<FactSource, 'patientName' | 'provider' | 'first' | 'describedLines' | 'responsibility'>,
): string[] =>
  Object.entries({
    Patient: isBlank(source.patientName),
    Provider: isBlank(source.provider),
    'Dates of service': source.first === null,
    Description: source.describedLines === 0,
    'Patient responsibility': source.responsibility === null,
  }).flatMap(([item, isMissing]) => (isMissing ? [item] : []));

/** Why a claim is a denial; null: it is not. */
export function findDenial({ status, notCovered }: Pick<FactSource, 'status' | 'notCovered'>): string | null {
  if (status === 'Rejected') return 'Rejected';
  if (status === 'Partially Approved') return 'Partly approved';
  return notCovered !== null && notCovered > 0 ? 'Not covered in part' : null;
}

/** The amount still to be paid for a claim that was decided as eligible or partly eligible; null: nothing. */
function findToPay(
  { outcome, role }: FactSource,
  { open }: DecidedAmounts,
  reimbursed: number,
): string | null {
  if (outcome !== 'eligible' && outcome !== 'partlyEligible') return null;
  if (role !== null && !isPayable(role)) return null;
  if (open === null) return reimbursed > 0 ? null : 'Amount not known';
  return open > 0 ? 'Amount open' : null;
}

/** Why an undecided claim has something to decide; null: it has nothing. */
function findToDecide(
  { outcome, role }: FactSource,
  { open }: DecidedAmounts,
  chain: ChainRest | null,
): string | null {
  if (outcome !== null || (role !== null && !isPayable(role))) return null;
  if (open !== null && open > 0) return 'Amount open';
  return chain?.replaces === true ? 'Correction' : null;
}

/** Finds a claim's exceptions in its chain; `paid`, `writtenOff`: the chain's, if this claim shows its balance. */
function findChainExceptions(
  { role, by, reimbursed, outcome, oddPayment, failedChain }: FactSource,
  { paid, writtenOff }: { readonly paid: number; readonly writtenOff: number },
  isInScope: boolean,
): ClaimException[] {
  const exceptions: ClaimException[] = [];
  if (role === 'unclear' && failedChain === null)
    exceptions.push({
      kind: 'Adjustment to judge',
      why: `It is not clear how it relates to ${by === null ? 'others' : `claim ${by}`}`,
    });
  // Claims that were never in scope need no answer.
  if (role === 'missing' && (reimbursed !== null || outcome !== null || isInScope))
    exceptions.push({ kind: 'Gone', why: 'It is no longer in the service' });
  if (paid < 0) exceptions.push({ kind: 'Odd payment', why: 'More was repaid or reversed than was paid' });
  else if (writtenOff > paid)
    exceptions.push({ kind: 'Odd payment', why: 'More was written off than was paid' });
  if (oddPayment !== null) exceptions.push({ kind: 'Odd payment', why: oddPayment });
  return exceptions;
}

/**
 * Why a reimbursed claim has to be reviewed again. Both amounts are computed by the current rules, before the layers of
 * an account.
 */
function findChangeSincePaid(
  source: FactSource,
  base: number | null,
  { owed }: DecidedAmounts,
  rules: ReimbursementRules,
): string | null {
  const { reimbursed, paidValues, role } = source;
  if (owed !== null && owed > 0) return 'Reimbursed more than eligible';
  if (reimbursed === null || reimbursed <= 0 || (role !== null && !isPayable(role))) return null;
  if (paidValues === null) return null;
  const paid = readEligibleSource(JSON.parse(paidValues) as EligibleValues);
  return computeEligible(paid, rules).amount === base ? null : 'Eligible amount changed';
}

/** Maps IDs evenly to 0 to 999, the same for a claim on every computer. */
function drawOf(id: number): number {
  let mixed = Math.imul((id % 4_294_967_296) ^ 0x51ed270b, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % 1000;
}

/** How many of a thousand completed claims a second person checks: more from $1,000 and $5,000 on, and of facility claims. */
function sampledOf(type: string | null, responsibility: number | null): number {
  if ((responsibility ?? 0) >= 50_000_000) return 500;
  if ((responsibility ?? 0) >= 10_000_000) return 200;
  return type === 'facility' ? 100 : 50;
}

/** Whether a second person checks the claim once it is done; if a rule decided it, the rule sets the share. */
const isSampled = ({ id, type, responsibility, secondLook }: FactSource): boolean =>
  drawOf(id) < (secondLook === null ? sampledOf(type, responsibility) : secondLook * 10);

/** Whether the review belongs to another claim that had the ID before, and this claim is not decided yet. */
const isOfOtherClaim = ({ changedFields }: FactSource): boolean =>
  changedFields?.split(' ').includes(otherClaimName) === true;

const sayOtherClaim = ({ earlierPaid }: FactSource): ClaimException => ({
  kind: 'Another claim under its ID',
  why: `the review${earlierPaid === null ? ' is' : ' and payments are'} of the claim that had this ID before; decide this one`,
});

const toFamilyCells = (family: FamilyFacts | null) => ({
  family: family?.memberId ?? null,
  account_rule: family?.step?.rule ?? null,
  account_share: family?.step?.share ?? null,
  carrier_disagrees: family?.disagrees ?? null,
  carrier_difference: family?.difference ?? null,
  carrier_deductible: family?.deductible ?? null,
  carrier_out_of_pocket: family?.outOfPocket ?? null,
});

/** The stored cells of a claim's chain; `open`: the open amount of the claim alone, and with its chain. */
const toChainCells = (
  chain: ChainRest | null,
  open: { readonly alone: number | null; readonly now: number | null },
) => ({
  chain_role: chain === null ? null : chainRoleLabels[chain.role],
  chain_claim: chain?.by ?? null,
  is_void: flag(chain !== null && !mayBeWorkedOn(chain.role)),
  chain_moved: chain === null ? null : (open.now ?? 0) - (open.alone ?? 0) || null,
});

/** The paid and written-off amounts of the whole chain, if this claim shows its balance; otherwise zero. */
function findPaid(source: FactSource, chain: ChainRest | null): { paid: number; writtenOff: number } {
  if (chain?.isShown === false) return { paid: 0, writtenOff: 0 };
  return {
    paid: (source.reimbursed ?? 0) + (chain?.reimbursed ?? 0),
    writtenOff: (source.writtenOff ?? 0) + (chain?.writtenOff ?? 0),
  };
}

/** The kinds of the claim's letters that are no longer true; null: all are true. */
function findUntrueLetters(
  { letterSaid, outcome, cause, reimbursed, writtenOff }: FactSource,
  amounts: DecidedAmounts,
  chain: ChainRest | null,
): string | null {
  if (letterSaid === null) return null;
  // A build between two versions stored only the last one.
  const letters: (Pick<MadeLetter, 'letter' | 'said'> & { isAnsweredOtherwise?: boolean })[] = [
    JSON.parse(letterSaid),
  ].flat();
  const paid = { reimbursed: reimbursed ?? 0, writtenOff: writtenOff ?? 0 };
  const untrue = findUntrue(letters, saidOf({ ...amounts, ...paid, outcome, cause, chain }));
  return untrue.map(({ letter }) => letterTable[letter].label).join(', ') || null;
}

/**
 * Computes the facts of a claim on a day, by column; booleans are 1 or null. It is a pure function. `period`: which
 * claims are reviewed. `plan_year_end` is the first day after the plan year. `family` null: no plan rules apply.
 */
export function computeFacts(
  source: FactSource,
  { service, settings, today, period }: FactRules & { today: string; period: ReviewPeriod },
  family: FamilyFacts | null,
  chain: ChainRest | null = null,
) {
  const { employerId, deductible, copay, coinsurance, responsibility, outcome } = source;
  const { rules, base, byRules } = computeByRules(source, { service, settings }, family);
  const month = planYearMonthOf(settings, service, employerId);
  const planYear = source.first === null ? null : planYearOf(source.first, month);
  const isOther = isOfOtherClaim(source);
  const amounts = decideAmounts(byRules, toReview(source), chain);
  const isVoid = chain !== null && !mayBeWorkedOn(chain.role);
  const { paid, writtenOff } = findPaid(source, chain);
  const lineDifference = findLineDifference(source);
  const partsDifference = findPartsDifference(source);
  const difference = Math.max(Math.abs(lineDifference ?? 0), Math.abs(partsDifference));
  const parts = [deductible, copay, coinsurance].filter((part) => part !== null);
  const denial = isVoid ? null : findDenial(source);
  const isDecided = (processedStatuses as readonly (string | null)[]).includes(source.status);
  const name = rules.highCostFrom === null ? null : readName(source.patientName);
  const exceptions: ClaimException[] = [];
  const findDay = (what: string, from: string | null, days: number | null): string | null => {
    if (days === null || from === null) return null;
    const day = addDays(from, days);
    if (day === null)
      exceptions.push({
        kind: 'Could not be computed',
        why: `${what}: ${isDay(from) ? `${from} plus ${days} days is after the year 9999` : `“${from}” is not a date`}`,
      });
    return day;
  };
  const reviewUntil = findReviewUntil(
    { first: source.first, isDenied: denial !== null, processed: source.processed },
    rules,
    month,
  );
  const isToDecide = !isVoid && outcome === null && isToReview(source.first, reviewUntil, period);
  const decideBy =
    isToDecide && isDecided ? findDay('Deadline to decide', source.processed, rules.decideDays) : null;
  const isToAppeal = denial !== null && source.appealSent === null;
  const appealBy = isToAppeal ? findDay('Deadline to appeal', source.processed, rules.appealDays) : null;
  if (planYear !== null && planYear.end === null)
    exceptions.push({
      kind: 'Could not be computed',
      why: `Deadline to reimburse: the plan year of ${source.first} ends after the year 9999`,
    });
  const runOutDay = findDay('Deadline to reimburse', planYear?.end ?? null, rules.runOutDays - 1);
  for (const why of [source.failedReview, source.failedComparison, source.failedChain])
    if (why !== null) exceptions.push({ kind: 'Could not be computed', why });
  if (isOther) exceptions.push(sayOtherClaim(source));
  if (family?.failure != null) exceptions.push({ kind: 'Could not be computed', why: family.failure });
  exceptions.push(
    ...findChainExceptions(source, { paid, writtenOff }, isToReview(source.first, reviewUntil, period)),
  );
  const odd = joinExceptions(exceptions);
  const next = findNextDeadline(
    {
      Decide: decideBy,
      Appeal: isToDecide ? appealBy : null,
      Answer: source.answerDue,
      Reimburse: amounts.open !== null && amounts.open > 0 ? runOutDay : null,
    },
    today,
  );
  return {
    plan_year: planYear?.name ?? null,
    plan_year_end: planYear?.end ?? null,
    run_out_day: runOutDay,
    review_until: reviewUntil,
    eligible_by_rules: amounts.byRules,
    eligible: amounts.eligible,
    declined: amounts.declined,
    disputed: amounts.disputed,
    open: amounts.open,
    owed: isOther || (source.reimbursed === null && paid === 0) ? null : amounts.owed,
    to_pay: findToPay(source, amounts, paid),
    to_decide: findToDecide(source, amounts, chain),
    ...toChainCells(chain, { alone: decideAmounts(byRules, toReview(source)).open, now: amounts.open }),
    changed_since_paid: isOther ? null : findChangeSincePaid(source, base, amounts, rules),
    line_difference: lineDifference,
    parts_sum: parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0),
    amounts_disagree: joinNames(
      lineDifference !== null && lineDifference !== 0 && 'Lines',
      partsDifference !== 0 && 'Patient responsibility',
    ),
    amounts_difference: difference === 0 ? null : difference,
    missing_items: (source.isSubstantiated === null && findMissingItems(source).join(', ')) || null,
    denial,
    appeal_check_by: appealBy,
    decide_by: decideBy,
    due_day: next?.day ?? null,
    due_kind: next?.kind ?? null,
    pending_since:
      isDecided || isVoid
        ? null
        : source.created !== null && isDay(source.created)
          ? source.created
          : source.last,
    is_not_split: flag(responsibility !== null && responsibility > 0 && parts.length === 0),
    has_other_insurance: flag(source.otherPaid !== null && source.otherPaid > 0),
    is_quality_sample: flag(isSampled(source)),
    letter_untrue: findUntrueLetters(source, amounts, chain),
    person_year:
      name === null || source.memberId === null || planYear === null || source.isMissing
        ? null
        : `${source.memberId} ${planYear.name} ${name.parts}`,
    allowed: source.allowed,
    high_cost_from: rules.highCostFrom,
    ...toFamilyCells(family),
    exceptions: odd.kinds,
    exceptions_why: odd.why,
  };
}
