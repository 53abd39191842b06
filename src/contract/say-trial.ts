import { formatCount, formatCountOf } from '../rules/count.ts';
import { formatTenThousandths } from '../rules/money/format-amount.ts';
import type { RuleTrial } from './decision-rule-procedures.ts';

/** The result of a trial as sentences. */
export function sayTrial(trial: RuleTrial): string[] {
  const { decisions, agrees, notStored, notReplayed, blank, differing, open } = trial;
  const differ = decisions - agrees;
  const listed = differing.length < differ ? `the newest ${formatCount(differing.length)} of ` : '';
  return [
    decisions === 0
      ? 'No decisions of the last year to compare with.'
      : `Agrees in ${formatCount(agrees)} of ${formatCountOf(decisions, 'decision')} of the last year${differ === 0 ? '' : `; below ${differ === 1 ? 'is' : 'are'} ${listed}the ${formatCount(differ)} that ${differ === 1 ? 'differs' : 'differ'}`}.`,
    `Would decide ${formatCountOf(open.claims, 'open claim')}, ${formatTenThousandths(open.amount)}.`,
    ...(notStored === 0
      ? []
      : [
          `${formatCountOf(notStored, 'decision')} can’t be compared: not every column of the rule was stored with ${notStored === 1 ? 'it' : 'them'}.`,
        ]),
    ...(notReplayed === 0
      ? []
      : [
          `${formatCountOf(notReplayed, 'decision')} can’t be compared: how much an account paid depends on the family’s other claims then.`,
        ]),
    ...blank.map(
      ({ label, claims }) =>
        `${formatCountOf(claims, 'claim')} ${claims === 1 ? 'has' : 'have'} no ${withinSentence(label)}.`,
    ),
  ];
}

/** A label within a sentence; an abbreviation keeps its capitals. */
const withinSentence = (label: string): string =>
  /^\p{Lu}(?!\p{Lu})/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
