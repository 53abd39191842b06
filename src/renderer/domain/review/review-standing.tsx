import { formatDay, localDayOf } from '../../../rules/days.ts';
import { documentLabels } from '../../../rules/document-kinds.ts';
import { letterTable } from '../../../rules/letters/letter-kinds.ts';
import { compareAnswers, findUntrue, saidOf } from '../../../rules/letters/letter-said.ts';
import { sayEligible } from '../../../rules/money/eligible.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { outcomeLabels, stateLabels } from '../../../rules/review/review-labels.ts';
import { LargeAmount } from '../../components/amount.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { toneOfCode } from '../../lib/claim-status.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './review-panel.module.css';

/** The outcome of a claim, or its state where none is decided. */
export const StateChip = ({ review: { state, outcome } }: { review: ClaimReview }) =>
  outcome === null ? (
    <StatusChip label={stateLabels[state]} tone={toneOfCode('review.state', state)} />
  ) : (
    <StatusChip label={outcomeLabels[outcome]} tone={toneOfCode('review.outcome', outcome)} />
  );

/** The open amount of the claim, and how its eligible amount came about. */
export function OpenAmount({ review: { open, basis, byRules, outcome } }: { review: ClaimReview }) {
  // What the rules give explains the open amount only where they decide it.
  const isByRules = outcome === null || outcome === 'eligible';
  return (
    <div className={styles.open}>
      {open !== null ? (
        <LargeAmount amount={open} label="open" />
      ) : (
        (basis === null || byRules !== null) && <Hint>The open amount is not known.</Hint>
      )}
      {basis !== null && isByRules && (open === null || byRules !== null) && (
        <SmallPrint>{sayEligible(basis, formatTenThousandths)}</SmallPrint>
      )}
    </div>
  );
}

/** The document that a waiting claim became due by; null: none came since it waits. */
function sayArrived({ documents, reminder, reviewedAt }: ClaimReview): string | null {
  const arrived = documents.findLast(
    ({ document, day, at }) => document !== 'other' && day === reminder && at > (reviewedAt ?? ''),
  );
  return arrived === undefined ? null : `${documentLabels[arrived.document]} came ${formatDay(arrived.day)}.`;
}

const onWhomLabels = { waiting: 'Waiting on', back: 'Was waiting on', escalated: 'Escalated to' } as const;

/** Who decided, when, and what the claim waits for. */
export function DecidedBy({ review }: { review: ClaimReview }) {
  const now = useNow();
  const { email } = useWorkspace();
  const { appeals, letters, onWhom, reason, receipt, reminder, reviewedAt, reviewedBy, state } = review;
  const untrue = findUntrue(compareAnswers(letters, appeals), saidOf(review));
  return (
    <>
      {(state === 'waiting' || state === 'back' || state === 'escalated') && onWhom !== null && (
        <p className={styles.waits}>
          <b>
            {onWhomLabels[state]} {onWhom}
          </b>
          {reason !== null && <span>{reason}</span>}
        </p>
      )}
      {state === 'todo' && reason !== null && (
        <p className={styles.waits}>
          <b>Sent back by the quality check</b>
          <span>{reason}</span>
        </p>
      )}
      {state === 'back' && reminder !== null && (
        <p className={styles.waits}>{sayArrived(review) ?? `Reminder was due on ${formatDay(reminder)}.`}</p>
      )}
      {reviewedAt !== null && (
        <SmallPrint
          className={styles.by ?? ''}
          title={receipt === null ? undefined : `On records synced ${formatWhen(receipt.finishedAt, now)}`}
        >
          Reviewed by {reviewedBy === email ? 'you' : reviewedBy}, {formatWhen(reviewedAt, now)}
        </SmallPrint>
      )}
      {[...new Map(letters.map((made) => [made.letter, made])).values()].map((made) => (
        <SmallPrint key={made.id} className={styles.by ?? ''}>
          Letter: {letterTable[made.letter].label.toLowerCase()}, {formatDay(localDayOf(new Date(made.at)))}
          {untrue.includes(made) && (
            <>
              . <b>No longer true</b>
            </>
          )}
        </SmallPrint>
      ))}
    </>
  );
}
