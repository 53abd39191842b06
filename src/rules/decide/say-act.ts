import { formatCountOf } from '../count.ts';
import { describePartly } from '../review/describe-partly.ts';
import type { RuleAct, RuleState } from './decision-rule.ts';

export const ruleStateLabels: Readonly<Record<RuleState, string>> = {
  off: 'Off',
  watch: 'Watch',
  propose: 'Propose',
  do: 'Decide',
};

/** Describes a rule's act on a claim: "Waiting on Carrier for 30 days: EOB requested". */
export function sayRuleAct(act: RuleAct): string {
  switch (act.kind) {
    case 'eligible':
      return 'Eligible by the rules';
    case 'partly':
      return `Partly eligible: ${describePartly(act.partly)}${act.cause === undefined ? '' : `, ${act.cause}`}`;
    case 'notEligible':
      return `Not eligible: ${act.cause}`;
    case 'waiting':
      return `Waiting on ${act.onWhom} for ${formatCountOf(act.days, 'day')}: ${act.reason}`;
    case 'tag':
      return `Tag ${act.tag}`;
    case 'owner':
      return `Owner ${act.owner}`;
  }
}
