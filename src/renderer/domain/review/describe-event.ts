import { errorTable } from '../../../contract/error-codes.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { kindOf } from '../../../rules/review/event-kinds.ts';
import type { ListedFact, ReviewEvent } from '../../../rules/review/review.ts';

/** An act in a few words, without long texts. `amounts`: the resulting amounts, where known. */
export function describeFact(fact: ListedFact, amounts: ReviewEvent['amounts'] = null): string {
  if (fact.kind === 'newer') return 'By a newer version of Claimdesk';
  if (fact.kind === 'unreadable') return 'Can’t be read: its claim is in Exceptions';
  return kindOf(fact).words(fact, { amounts });
}

/** The claims of an event: one by its ID, or their number; of a call, its member. */
export function describeClaims(event: Pick<ReviewEvent, 'claims' | 'claimId' | 'memberId'>): string {
  const { claims, claimId, memberId } = event;
  if (memberId !== undefined) return `member ${memberId}`;
  return claimId === null ? formatCountOf(claims, 'claim') : `claim ${claimId}`;
}

/** The longer text of an event, where it has one, and that it broke the team's rule of two people. */
export function detailOfEvent(
  event: Pick<ReviewEvent, 'fact' | 'payments' | 'twoPeopleAbove' | 'owner' | 'ofRun' | 'rule'>,
): string | null {
  const { fact, twoPeopleAbove } = event;
  const ofKind = (): string | null | undefined => {
    if (fact.kind === 'newer') return errorTable['review.newer'].nextStep;
    return fact.kind === 'unreadable' ? null : kindOf(fact).detail?.(fact, event);
  };
  const broken =
    twoPeopleAbove === undefined
      ? null
      : `One person decided and paid this, above the team’s amount of ${formatTenThousandths(twoPeopleAbove)}`;
  return [ofKind(), broken].filter((part) => part != null).join(' · ') || null;
}
