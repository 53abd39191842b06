import { addDays } from '../days.ts';
import type { KeptAmounts } from '../money/decided-amounts.ts';
import { formatTenThousandths } from '../money/format-amount.ts';
import type { MarkedAct } from '../review/rule-mark.ts';
import type { RuleAct } from './decision-rule.ts';

const decision = { kind: 'decision', onWhom: null, reason: null, reminder: null } as const;

/** The fact of a rule's act on a day (`YYYY-MM-DD`), the same as for a user's act. */
export function toMarkedAct(act: RuleAct, today: string): MarkedAct {
  if (act.kind === 'tag') return { kind: 'tag', add: [act.tag], remove: [] };
  if (act.kind === 'owner') return act;
  if (act.kind === 'waiting') {
    const { onWhom, reason, days } = act;
    return { ...decision, state: 'waiting', outcome: null, onWhom, reason, reminder: addDays(today, days) };
  }
  if (act.kind === 'eligible') return { ...decision, state: 'done', outcome: 'eligible' };
  const cause = act.cause === undefined ? {} : { cause: act.cause };
  if (act.kind === 'notEligible') return { ...decision, state: 'done', outcome: 'notEligible', ...cause };
  return { ...decision, state: 'done', outcome: 'partlyEligible', partly: act.partly, ...cause };
}

/** Describes the act in a few words: "Eligible $50.00". `open`: the claim's, in ten-thousandths of a dollar. */
export function sayMarkedAct(act: MarkedAct, open: number, amounts: KeptAmounts | null): string {
  if (act.kind === 'tag') return `Tag ${act.add.join(', ')}`;
  if (act.kind === 'owner') return `Owner ${act.owner}`;
  if (act.state === 'waiting') return `Waiting on ${act.onWhom}`;
  if (act.outcome === 'eligible') return `Eligible ${formatTenThousandths(open)}`;
  return act.outcome === 'partlyEligible'
    ? `Partly eligible ${formatTenThousandths(amounts?.eligible ?? 0)}`
    : `Not eligible: ${act.cause ?? ''}`;
}
