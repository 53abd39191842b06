import { isDeepStrictEqual } from 'node:util';
import type { DecisionRule } from '../../../../rules/decide/decision-rule.ts';
import { toMarkedAct } from '../../../../rules/decide/rule-act.ts';
import {
  computePartly,
  isWhole,
  isWithin,
  type KeptAmounts,
  toWholeCents,
} from '../../../../rules/money/decided-amounts.ts';
import { computeEligible } from '../../../../rules/money/eligible.ts';
import { readEligibleSource } from '../../../../rules/money/eligible-source.ts';
import { rulesOf } from '../../../../rules/money/reimbursement.ts';
import type { ReviewedValues } from '../../../../rules/review/reviewed-values.ts';
import { type MarkedAct, type RuleMark, sharedOfMark } from '../../../../rules/review/rule-mark.ts';
import { processedStatuses } from '../../../../rules/worklists/worklist-table.ts';
import { compileRule } from '../query/meets-rule.ts';
import { type FactRules, findDenial } from './claim-facts.ts';
import { hasAccount } from './read-eligible.ts';

/** Whether a claim with these values would have been in To decide, as far as the values show. */
function isPlain({ fields }: ReviewedValues, source: ReturnType<typeof readEligibleSource>): boolean {
  return (
    (processedStatuses as readonly unknown[]).includes(source.status) &&
    findDenial(source) === null &&
    fields.$isMissing !== true &&
    fields.is_incomplete !== true &&
    (source.otherPaid ?? 0) <= 0
  );
}

const orNull = (amount: number | null): number | null => (amount === null ? null : toWholeCents(amount));

/** The amounts of a claim, and the rules of its employer about them. */
function readAmountRules(values: ReviewedValues, { settings, service }: FactRules) {
  const employerId = values.members.find((member) => member.employerId !== null)?.employerId ?? null;
  const employerRules = rulesOf(settings.reimbursementRules, service, employerId);
  return { source: readEligibleSource(values), employerId, own: employerRules };
}

/** The act that a rule would have made on a claim, by the values stored with an event. */
interface Replayed {
  readonly act: MarkedAct;
  /** The amounts of a partly eligible act; null also where an account decides them. */
  readonly amounts: KeptAmounts | null;
  /** The result of the rules about amounts, before the layers of an account. */
  readonly open: number;
}

/**
 * Makes the function that replays a rule on stored values; null: the rule would have done nothing. What an account pays
 * depends on the other claims of the family at the time, which are not stored: its claims have the amounts before the
 * account's layers.
 */
export function createReplay({
  rule,
  rules,
  today,
}: {
  readonly rule: DecisionRule;
  readonly rules: FactRules;
  readonly today: string;
}): (values: ReviewedValues) => Replayed | null {
  const meets = compileRule(rule);
  const act = toMarkedAct(rule.act, today);
  return (values) => {
    if (!meets(values)) return null;
    const { source, employerId, own } = readAmountRules(values, rules);
    const open = orNull(computeEligible(source, own).amount);
    if (open === null || open <= 0 || (rule.most !== null && open > rule.most)) return null;
    if (!isPlain(values, source)) return null;
    if (rule.act.kind !== 'partly') return { act, amounts: null, open };
    const amounts = computePartly(rule.act.partly, source, own);
    if (typeof amounts === 'string' || isWhole(amounts)) return null;
    return { act, amounts: hasAccount(rules, employerId) ? null : amounts, open };
  };
}

/**
 * Makes the function that checks, by the values of the claim, whether a rule may have done what another computer
 * stored. If the rules about amounts are those of the decision (`areRulesSame`), and no account has a share of the
 * claim, amounts are computed again. Otherwise they only have to be possible: the other claims of the family at the
 * time, and the rules of that time, are not known here.
 */
export function createMarkCheck({
  rule,
  rules,
  areRulesSame,
}: {
  readonly rule: DecisionRule;
  readonly rules: FactRules;
  readonly areRulesSame: boolean;
}): (values: ReviewedValues, mark: RuleMark, amounts: KeptAmounts | null) => boolean {
  const meets = compileRule(rule);
  const ownMark = sharedOfMark({ ...rule, act: toMarkedAct(rule.act, '') });
  return (values, mark, amounts) => {
    const { open } = mark;
    if (!isDeepStrictEqual(sharedOfMark(mark), ownMark) || open <= 0 || open > (rule.most ?? open))
      return false;
    const { source, employerId, own: ofEmployer } = readAmountRules(values, rules);
    if (!meets(values) || !isPlain(values, source)) return false;
    const isExact = areRulesSame && !hasAccount(rules, employerId);
    const { deductible, coinsurance, copay, responsibility } = source;
    const most = responsibility ?? (deductible ?? 0) + (coinsurance ?? 0) + (copay ?? 0);
    if (isExact ? open !== orNull(computeEligible(source, ofEmployer).amount) : open > most) return false;
    if (rule.act.kind !== 'partly' || amounts === null) return rule.act.kind !== 'partly' && amounts === null;
    const { eligible, byRules } = amounts;
    if (byRules === null || !isWithin(byRules, most) || !isWithin(eligible, byRules) || isWhole(amounts))
      return false;
    const again = computePartly(rule.act.partly, source, ofEmployer, isExact ? null : { share: byRules });
    // It is unknown which parts counted under other rules.
    return (again === 'notKnown' && !areRulesSame) || isDeepStrictEqual(again, amounts);
  };
}
