import { formatCountOf } from '../../../rules/count.ts';
import { formatDay } from '../../../rules/days.ts';
import type { ChainRelation } from '../../../rules/money/chain-claim.ts';
import { formatTenThousandths } from '../../../rules/money/dollars.ts';
import { type EligiblePart, eligibleParts } from '../../../rules/money/reimbursement.ts';
import type { ListedFact, PartlyEligible, ReviewAct, ReviewEvent } from '../../../rules/review/review.ts';
import { outcomeLabels, paymentLabels, stateLabels } from '../../../rules/review/review-labels.ts';

const relationLabels: Readonly<Record<ChainRelation, string>> = {
  replaces: 'Replaces',
  addsTo: 'Adds to',
  unrelated: 'Unrelated to',
};

const tagText = (act: Extract<ReviewAct, { kind: 'tag' }>): string =>
  [
    ...(act.add.length > 0 ? [`Added ${act.add.length === 1 ? 'tag' : 'tags'} ${act.add.join(', ')}`] : []),
    ...(act.remove.length > 0
      ? [`Removed ${act.remove.length === 1 ? 'tag' : 'tags'} ${act.remove.join(', ')}`]
      : []),
  ].join('; ');

/** "copay and coinsurance". */
const listParts = (parts: readonly EligiblePart[]): string =>
  eligibleParts.filter((part) => parts.includes(part)).join(' and ');

/** "$120.00", "all but copay", "50%": how much of a claim was decided to be eligible. */
export function describePartly(partly: PartlyEligible): string {
  switch (partly.by) {
    case 'amount':
      return formatTenThousandths(partly.amount);
    case 'lines':
      return formatTenThousandths(partly.lines.reduce((sum, { amount }) => sum + amount, 0));
    case 'parts':
      return `all but ${listParts(partly.without)}`;
    case 'share':
      return `${partly.percent}%`;
  }
}

/** A reason within a sentence; one that begins with an abbreviation keeps its capitals. */
const withinSentence = (cause: string): string =>
  /^\p{Lu}(?!\p{Lu})/u.test(cause) ? cause.charAt(0).toLowerCase() + cause.slice(1) : cause;

function describeDecision(
  { state, outcome, partly, cause }: Extract<ReviewAct, { kind: 'decision' }>,
  amounts: ReviewEvent['amounts'],
): string {
  if (outcome === null) return stateLabels[state];
  const of =
    amounts === null || amounts.byRules === null ? '' : ` of ${formatTenThousandths(amounts.byRules)}`;
  const rule = partly === undefined ? null : describePartly(partly);
  const amount = amounts === null ? null : `${formatTenThousandths(amounts.eligible)}${of}`;
  // A rule is followed by the amount it gave.
  const isRule = partly?.by === 'parts' || partly?.by === 'share';
  const parts = [isRule || amount === null ? rule : null, amount, cause && withinSentence(cause)];
  const details = parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ');
  return details === '' ? outcomeLabels[outcome] : `${outcomeLabels[outcome]}: ${details}`;
}

/** An act in a few words, without long texts. `amounts`: the resulting amounts, where known. */
export function describeFact(fact: ListedFact, amounts: ReviewEvent['amounts'] = null): string {
  switch (fact.kind) {
    case 'decision':
      return describeDecision(fact, amounts);
    case 'accept':
      return amounts === null
        ? 'Kept decision after a change'
        : `Kept decision after a change: ${formatTenThousandths(amounts.eligible)}`;
    case 'check':
      return fact.agrees ? 'Quality check: agreed' : 'Quality check: sent back';
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
      if (fact.sameActAs !== undefined && fact.sameActAs !== null)
        return `${paymentLabels[fact.payment]} with the payments of its run`;
      return fact.amount === null
        ? paymentLabels[fact.payment]
        : `${paymentLabels[fact.payment]} ${formatTenThousandths(fact.amount)}`;
    case 'missing':
      return fact.answer === 'owedBack' ? 'Gone: what was paid is owed back' : 'Gone: archived, kept';
    case 'judgeDuplicate':
      if (fact.relation !== undefined) return `${relationLabels[fact.relation]} claim ${fact.otherClaimId}`;
      return fact.isDuplicate
        ? `Duplicate of claim ${fact.otherClaimId}`
        : `Not a duplicate of claim ${fact.otherClaimId}`;
    case 'settlePayments':
      return fact.leaveOut === null
        ? 'Both payments are right'
        : `Left out a payment recorded twice: ${formatTenThousandths(fact.leaveOut.amount)}`;
    case 'deal':
      return `Assigned to ${fact.owners.length < 4 ? fact.owners.join(', ') : formatCountOf(fact.owners.length, 'person', 'people')}`;
    case 'run':
      return `Put into run ${fact.name}`;
    case 'runChecked':
      return 'Run: checked';
    case 'runSent':
      return 'Run: sent';
    case 'runLeft':
      return 'Left out of run';
    case 'undo':
      return fact.reason === undefined ? 'Undo' : 'Took run back a step';
    case 'reopened':
      return 'Reopened: changed since reviewed';
    case 'teamSettings':
      return 'Changed team settings';
    case 'computer':
      return 'State of a computer';
    case 'wentBack':
      return 'The team’s server went back';
    case 'newer':
      return 'By a newer version of Claimdesk';
    case 'unreadable':
      return 'Can’t be read: its claim is in Exceptions';
  }
}

/** The claims of an event: one by its ID, or their number. */
export const describeClaims = ({ claims, claimId }: Pick<ReviewEvent, 'claims' | 'claimId'>): string =>
  claimId === null ? formatCountOf(claims, 'claim') : `claim ${claimId}`;

type Detailed = Pick<ReviewEvent, 'fact' | 'payments' | 'twoPeopleAbove' | 'owner' | 'ofRun'>;

/** The longer text of an event, where it has one, and that it broke the team's rule of two people. */
export function detailOfEvent(event: Detailed): string | null {
  const { twoPeopleAbove } = event;
  const broken =
    twoPeopleAbove === undefined
      ? null
      : `One person decided and paid this, above the team’s amount of ${formatTenThousandths(twoPeopleAbove)}`;
  return [textOf(event), broken].filter((part) => part !== null).join(' · ') || null;
}

function textOf({ fact, payments, owner, ofRun }: Detailed): string | null {
  switch (fact.kind) {
    case 'deal':
      return owner === undefined ? null : `Owner ${owner}`;
    case 'decision': {
      const parts = [
        fact.onWhom === null
          ? null
          : `${fact.state === 'escalated' ? 'Escalated to' : 'Waiting on'} ${fact.onWhom}`,
        fact.reason,
        fact.reminder === null ? null : `Reminder ${formatDay(fact.reminder)}`,
      ];
      return parts.filter((part) => part !== null).join(' · ') || null;
    }
    case 'run':
      return ofRun?.amount === undefined ? fact.account || null : formatTenThousandths(ofRun.amount);
    case 'runSent':
      return fact.file?.name ?? null;
    case 'runLeft':
      return fact.reason ?? ofRun?.reason ?? null;
    case 'undo':
      return fact.reason ?? null;
    case 'check':
      return fact.reason;
    case 'note':
    case 'editNote':
      return fact.text;
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
