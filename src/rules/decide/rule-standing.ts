import { formatCountOf } from '../count.ts';
import { type DecisionRule, minAgreement, minDecisions, minMonths, type RuleState } from './decision-rule.ts';

/** The outcome of a rule's decisions of the last 30 days. */
interface Counts {
  readonly decided: number;
  readonly overturned: number;
  readonly checked: number;
  readonly checkAgreed: number;
}

/** The smallest number of Second look checks at which their agreement counts. */
const minChecks = 20;

/**
 * Returns how a rule acts. A rule in the state `do` only proposes if its confirmation is missing, the rules about
 * amounts changed, or its decisions were overturned too often; `why` is the reason. It is not stored, so that it is the
 * same on every computer.
 */
export function standingOf(
  { state, confirmedBy, amountRules }: DecisionRule,
  counts: Counts,
  now: { readonly isOfTeam: boolean; readonly amountRules: string },
): { acts: RuleState; why: string | null } {
  if (state !== 'do') return { acts: state, why: null };
  const back = (why: string) => ({ acts: 'propose' as const, why });
  if (now.isOfTeam && confirmedBy === null)
    return back('It proposes until a second person confirms that it decides.');
  if (amountRules !== now.amountRules)
    return back('It proposes because reimbursement or plan rules changed since it was switched on.');
  const { decided, overturned, checked, checkAgreed } = counts;
  if (overturned >= 3 && overturned * 100 >= decided)
    return back(
      `It proposes because ${overturned} of its ${formatCountOf(decided, 'decision')} of the last 30 days were overturned.`,
    );
  if (checked >= minChecks && checkAgreed * 100 < checked * 99)
    return back(
      `It proposes because Second look agreed with ${checkAgreed} of ${formatCountOf(checked, 'checked decision')}.`,
    );
  return { acts: 'do', why: null };
}

/** Lists, as sentences, what a trial lacks before the rule may decide. */
export function findMissing({
  decisions,
  agrees,
  months,
}: {
  readonly decisions: number;
  readonly agrees: number;
  readonly months: number;
}): string[] {
  const missing: string[] = [];
  if (decisions < minDecisions)
    missing.push(
      `It needs ${minDecisions} decisions of the last year that it would have made; there are ${decisions}.`,
    );
  if (months < minMonths) missing.push(`They have to be from ${minMonths} months; they are from ${months}.`);
  if (agrees * 1000 < decisions * minAgreement)
    missing.push(
      `It has to agree with ${minAgreement / 10}% of them; it agrees with ${agrees} of ${decisions}.`,
    );
  return missing;
}
