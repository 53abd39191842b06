import type { ReviewAct, ReviewEvent, ReviewFact } from '../../../contract/review.ts';
import { formatDay } from '../../lib/format-date.ts';
import { formatTenThousandths } from '../../lib/format-money.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import { outcomeLabels, paymentLabels, stateLabels } from '../../lib/review-labels.ts';

const tagText = (act: Extract<ReviewAct, { kind: 'tag' }>): string =>
  [
    ...(act.add.length > 0 ? [`Added ${act.add.length === 1 ? 'tag' : 'tags'} ${act.add.join(', ')}`] : []),
    ...(act.remove.length > 0
      ? [`Removed ${act.remove.length === 1 ? 'tag' : 'tags'} ${act.remove.join(', ')}`]
      : []),
  ].join('; ');

/** What was done, in a few words, without texts that people wrote at length. */
export function describeFact(fact: ReviewFact): string {
  switch (fact.kind) {
    case 'decision':
      return fact.outcome === null ? stateLabels[fact.state] : outcomeLabels[fact.outcome];
    case 'accept':
      return 'Accepted changes';
    case 'note':
      return 'Added note';
    case 'editNote':
      return 'Edited note';
    case 'deleteNote':
      return 'Deleted note';
    case 'tag':
      return tagText(fact);
    case 'flag':
      return fact.isFlagged ? 'Flagged' : 'Removed flag';
    case 'owner':
      return fact.owner === null ? 'Removed owner' : `Owner ${fact.owner}`;
    case 'reminder':
      return fact.day === null ? 'Removed reminder' : `Reminder ${formatDay(fact.day)}`;
    case 'payment':
      return fact.amount === null
        ? paymentLabels[fact.payment]
        : `${paymentLabels[fact.payment]} ${formatTenThousandths(fact.amount)}`;
    case 'judgeDuplicate':
      return fact.isDuplicate
        ? `Duplicate of claim ${fact.otherClaimId}`
        : `Not a duplicate of claim ${fact.otherClaimId}`;
    case 'undo':
      return 'Undo';
    case 'reopened':
      return 'Reopened: changed since reviewed';
    case 'oldNote':
      return { note: 'Note', tag: 'Tag', review: 'Review' }[fact.oldKind];
  }
}

/** What an event was about: one claim by its ID, or how many. */
export const describeClaims = ({ claims, claimId }: Pick<ReviewEvent, 'claims' | 'claimId'>): string =>
  claimId === null ? formatCountOf(claims, 'claim') : `claim ${claimId}`;

/** The longer text of an event, where it has one. */
export function detailOfEvent({ fact, payments }: Pick<ReviewEvent, 'fact' | 'payments'>): string | null {
  switch (fact.kind) {
    case 'decision': {
      const parts = [
        fact.onWhom === null ? null : `On ${fact.onWhom}`,
        fact.reason,
        fact.reminder === null ? null : `Reminder ${formatDay(fact.reminder)}`,
      ];
      return parts.filter((part) => part !== null).join(' · ') || null;
    }
    case 'note':
    case 'editNote':
      return fact.text;
    case 'oldNote':
      return fact.facts === null ? fact.text : `${fact.text}\n${fact.facts}`;
    case 'payment': {
      const paid = (payments ?? []).map(
        ({ amount, day }) => `${formatTenThousandths(amount)} · ${formatDay(day)}`,
      );
      const parts = [fact.day === null ? paid.join('; ') : formatDay(fact.day), fact.account];
      return parts.filter((part) => part !== '').join(' · ') || null;
    }
    default:
      return null;
  }
}
