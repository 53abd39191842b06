import type { AccountStep } from '../../../../contract/account-layers.ts';
import { addDays } from '../../../../contract/days.ts';
import { findNextDeadline } from '../../../../contract/deadlines.ts';
import { type DecidedAmounts, decideAmounts } from '../../../../contract/decided-amounts.ts';
import { computeEligible, type EligibleSource, readEligibleSource } from '../../../../contract/eligible.ts';
import { planYearMonthOf, planYearOf } from '../../../../contract/plan-year.ts';
import { type ReimbursementRules, rulesOf } from '../../../../contract/reimbursement.ts';
import type { ReviewOutcome } from '../../../../contract/review.ts';
import type { ReviewedValues } from '../../../../contract/reviewed-values.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { processedStatuses } from '../../../../contract/worklist-table.ts';
import { readName } from './compare-values.ts';

/**
 * The values of a claim from which facts are computed. Amounts are ten-thousandths of a dollar, as sent or, if not
 * sent, calculated. Days are `YYYY-MM-DD`.
 */
export interface FactSource extends EligibleSource {
  readonly id: number;
  readonly type: string | null;
  readonly patientName: string | null;
  readonly provider: string | null;
  readonly first: string | null;
  readonly last: string | null;
  readonly created: string | null;
  readonly processed: string | null;
  readonly isMissing: boolean;
  readonly employerId: number | null;
  readonly memberId: number | null;
  /**
   * For each amount that both the claim and its lines have: the claim's own as sent, the sum of its lines, and on how
   * many lines it is blank.
   */
  readonly compared: readonly {
    readonly own: number | null;
    readonly sum: number | null;
    readonly blank: number;
  }[];
  readonly lines: number;
  /** The number of lines that name a procedure or a drug. */
  readonly describedLines: number;
  /** The outcome of the decision that counts; null: there is none. */
  readonly outcome: ReviewOutcome | null;
  /** The amount of a partly eligible decision, and the amount by the rules at that time. */
  readonly keptEligible: number | null;
  readonly keptByRules: number | null;
  /** Recorded payments; null: none. */
  readonly reimbursed: number | null;
  readonly writtenOff: number | null;
  /** JSON text of the fields from which the eligible amount was computed at the last payment; null: not stored. */
  readonly paidValues: string | null;
}

/** The settings on which facts depend. */
export interface FactRules {
  /** The name under which settings of its employers are stored (`serviceOf`). */
  readonly service: string;
  readonly settings: Pick<Settings, 'planYearStart' | 'planYearStarts' | 'reimbursementRules' | 'planRules'>;
}

/** The settings on which facts depend, of all settings of a service. */
export const factRulesOf = ({ service, ...settings }: Settings & { readonly service: string }): FactRules => {
  const { planYearStart, planYearStarts, reimbursementRules, planRules } = settings;
  return { service, settings: { planYearStart, planYearStarts, reimbursementRules, planRules } };
};

/** What follows for a claim from the plan year of its family. */
export interface FamilyFacts {
  readonly memberId: number;
  /** Null: its plan year has no account with layers or limits. */
  readonly step: AccountStep | null;
  /** Labels of what the carrier applied differently, and by how much; null: nothing. */
  readonly disagrees: string | null;
  readonly difference: number | null;
}

const flag = (is: boolean): 1 | null => (is ? 1 : null);

/** The largest difference between the lines and the claim. Null is not zero: a blank amount is not compared. */
export function findLineDifference({ compared, lines }: FactSource): number | null {
  const differences = compared.flatMap(({ own, sum, blank }) =>
    own === null || sum === null || blank > 0 || lines === 0 ? [] : [sum - own],
  );
  if (differences.length === 0) return null;
  return differences.reduce((largest, one) => (Math.abs(one) > Math.abs(largest) ? one : largest));
}

/**
 * By how much the parts of patient responsibility do not add up to it; 0 where they do with or without the amount that
 * is not covered, and where one of them is blank.
 */
function findPartsDifference(source: FactSource): number {
  const { responsibility, deductible, copay, coinsurance, notCovered } = source;
  if (responsibility === null || deductible === null || copay === null || coinsurance === null) return 0;
  const sum = deductible + copay + coinsurance;
  return sum + (notCovered ?? 0) === responsibility ? 0 : sum - responsibility;
}

const isBlank = (text: string | null): boolean => text === null || text.trim() === '';

const joinNames = (...names: (string | false)[]): string | null =>
  names.filter((name) => name !== false).join(', ') || null;

/** What an expense lacks to be substantiated: who received which service, from whom, when, and the amount. */
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

function findDenial({ status, notCovered }: FactSource): string | null {
  if (status === 'Rejected') return 'Rejected';
  if (status === 'Partially Approved') return 'Partly approved';
  return notCovered !== null && notCovered > 0 ? 'Not covered in part' : null;
}

/** The amount still to be paid for a claim that was decided as eligible, or partly; null: nothing. */
function findToPay({ outcome, reimbursed }: FactSource, { open }: DecidedAmounts): string | null {
  if (outcome !== 'eligible' && outcome !== 'partlyEligible') return null;
  if (open === null) return (reimbursed ?? 0) > 0 ? null : 'Amount not known';
  return open > 0 ? 'Amount open' : null;
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
  const { reimbursed, paidValues } = source;
  if (reimbursed === null || reimbursed <= 0) return null;
  if (source.isMissing) return 'No longer in the service';
  if (owed !== null && owed > 0) return 'Reimbursed more than eligible';
  if (paidValues === null) return null;
  const paid = readEligibleSource({ fields: JSON.parse(paidValues) as ReviewedValues['fields'] });
  return computeEligible(paid, rules).amount === base ? null : 'Eligible amount changed';
}

/** Maps IDs evenly to 0 to 999; the same for a claim on every computer. */
function drawOf(id: number): number {
  let mixed = Math.imul((id % 4_294_967_296) ^ 0x51ed270b, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % 1000;
}

/** How many of a thousand completed claims a second person checks: more of facility claims and of large ones. */
export function sampledOf(type: string | null, responsibility: number | null): number {
  const dollars = (responsibility ?? 0) / 10_000;
  if (dollars >= 5_000) return 500;
  if (dollars >= 1_000) return 200;
  return type === 'facility' ? 100 : 50;
}

/**
 * Computes the facts of a claim on a day, by their columns; booleans are 1 or null. Pure. `reviewsFrom`: the first day of
 * service of claims to be reviewed. `plan_year_end` is the first day after the plan year. `family` null: no plan rules
 * are for the claim.
 */
export function computeFacts(
  source: FactSource,
  { service, settings, today, reviewsFrom }: FactRules & { today: string; reviewsFrom: string },
  family: FamilyFacts | null,
) {
  const { employerId, deductible, copay, coinsurance, responsibility } = source;
  const rules = rulesOf(settings.reimbursementRules, service, employerId);
  const month = planYearMonthOf(settings, service, employerId);
  const planYear = source.first === null ? null : planYearOf(source.first, month);
  const base = computeEligible(source, rules).amount;
  const step = family?.step ?? null;
  const byRules = step === null ? base : step.share;
  const { outcome, keptEligible, keptByRules } = source;
  const amounts = decideAmounts(byRules, {
    outcome,
    kept: keptEligible === null ? null : { eligible: keptEligible, byRules: keptByRules },
    reimbursed: source.reimbursed ?? 0,
    writtenOff: source.writtenOff ?? 0,
  });
  const lineDifference = findLineDifference(source);
  const partsDifference = findPartsDifference(source);
  const difference = Math.max(Math.abs(lineDifference ?? 0), Math.abs(partsDifference));
  const parts = [deductible, copay, coinsurance].filter((part) => part !== null);
  const denial = findDenial(source);
  const isDecided = (processedStatuses as readonly (string | null)[]).includes(source.status);
  const name = rules.highCostFrom === null ? null : readName(source.patientName);
  const afterProcessed = (days: number | null): string | null =>
    days === null || source.processed === null ? null : addDays(source.processed, days);
  const isToDecide = outcome === null && source.first !== null && source.first >= reviewsFrom;
  const decideBy = isToDecide && isDecided ? afterProcessed(rules.decideDays) : null;
  const appealBy = denial === null ? null : afterProcessed(rules.appealDays);
  const runOutDay = planYear === null ? null : addDays(planYear.end, rules.runOutDays - 1);
  const next = findNextDeadline(
    {
      Decide: decideBy,
      Appeal: isToDecide ? appealBy : null,
      Reimburse: amounts.open !== null && amounts.open > 0 ? runOutDay : null,
    },
    today,
  );
  return {
    plan_year: planYear?.name ?? null,
    plan_year_end: planYear?.end ?? null,
    run_out_day: runOutDay,
    eligible_by_rules: amounts.byRules,
    eligible: amounts.eligible,
    declined: amounts.declined,
    disputed: amounts.disputed,
    open: amounts.open,
    owed: source.reimbursed === null ? null : amounts.owed,
    to_pay: findToPay(source, amounts),
    changed_since_paid: findChangeSincePaid(source, base, amounts, rules),
    line_difference: lineDifference,
    parts_sum: parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0),
    amounts_disagree: joinNames(
      lineDifference !== null && lineDifference !== 0 && 'Lines',
      partsDifference !== 0 && 'Patient responsibility',
    ),
    amounts_difference: difference === 0 ? null : difference,
    missing_items: findMissingItems(source).join(', ') || null,
    denial,
    appeal_check_by: appealBy,
    decide_by: decideBy,
    due_day: next?.day ?? null,
    due_kind: next?.kind ?? null,
    pending_since: isDecided ? null : (source.created ?? source.last),
    is_not_split: flag(responsibility !== null && responsibility > 0 && parts.length === 0),
    has_other_insurance: flag(source.otherPaid !== null && source.otherPaid > 0),
    is_quality_sample: flag(drawOf(source.id) < sampledOf(source.type, responsibility)),
    person_year:
      name === null || source.memberId === null || planYear === null || source.isMissing
        ? null
        : `${source.memberId} ${planYear.name} ${name.parts}`,
    allowed: source.allowed,
    high_cost_from: rules.highCostFrom,
    family: family?.memberId ?? null,
    account_rule: step?.rule ?? null,
    account_share: step?.share ?? null,
    carrier_disagrees: family?.disagrees ?? null,
    carrier_difference: family?.difference ?? null,
  };
}
