import { formatDay } from '../../../rules/days.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { outcomeLabels, paymentLabels, stateLabels } from '../../../rules/review/review-labels.ts';
import type { MadeDecision } from '../../../rules/review/review-parts.ts';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { confirmKeys, paidTwiceKeys } from './group-commands.ts';
import { KeyCap } from './key-cap.tsx';
import reviewChangesStyles from './review-changes.module.css';
import styles from './review-twice.module.css';

interface Props {
  review: ClaimReview;
  /** Does it, and goes to the next claim. */
  onAct: (act: ReviewAct) => void;
}

/** "Partly eligible, $120.00", "Waiting on ben@example.com". */
function sayDecision({ decision, eligible }: MadeDecision): string {
  const { state, outcome, onWhom } = decision;
  if (outcome === null)
    return `${stateLabels[state]}${onWhom === null ? '' : state === 'escalated' ? ` to ${onWhom}` : ` on ${onWhom}`}`;
  return eligible === null
    ? outcomeLabels[outcome]
    : `${outcomeLabels[outcome]}, ${formatTenThousandths(eligible)}`;
}

/** Decisions of people of a team that differ, side by side; one is confirmed by its key. */
export function DecidedTwice({ review: { decidedTwice }, onAct }: Props) {
  const now = useNow();
  const { email } = useWorkspace();
  const keys = decidedTwice.map((decision, at) => [confirmKeys[at] ?? null, decision] as const);
  useSingleKeys(
    Object.fromEntries(
      keys.flatMap(([key, { decision }]) => (key === null ? [] : [[key, () => onAct(decision)]])),
    ),
  );
  return (
    <section className={reviewChangesStyles.changes} aria-label="Decided twice">
      <h3 className={reviewChangesStyles.title}>Decided twice</h3>
      <p className={reviewChangesStyles.sentence}>
        Neither had seen the other’s decision. The later one counts until you confirm one.
      </p>
      <div className={styles.sides}>
        {keys.map(([key, decision]) => (
          <div key={decision.id} className={styles.side}>
            <b>{sayDecision(decision)}</b>
            {(decision.decision.cause ?? decision.decision.reason) != null && (
              <span>{decision.decision.cause ?? decision.decision.reason}</span>
            )}
            <SmallPrint>
              {decision.author === email ? 'You' : decision.author}, {formatWhen(decision.at, now)}
            </SmallPrint>
            <SmallButton
              justify="space-between"
              {...(key === null ? {} : { 'aria-keyshortcuts': key, rightSection: <KeyCap>{key}</KeyCap> })}
              aria-label={`Confirm ${sayDecision(decision)} by ${decision.author === email ? 'you' : decision.author}`}
              onClick={() => onAct(decision.decision)}
            >
              {decision.author === email ? 'Confirm mine' : 'Confirm theirs'}
            </SmallButton>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Payments that two people recorded; all are right, or the later one is left out, by a key. */
export function PaidTwice({ review, onAct }: Props) {
  const now = useNow();
  const { email } = useWorkspace();
  const { payments, paidTwice } = review;
  const involved = payments.filter(({ id }) => paidTwice?.paymentIds.includes(id));
  const last = involved.at(-1);
  const areRight: ReviewAct = { kind: 'settlePayments', leaveOut: null };
  const leaveOut = ({ id, amount, day }: (typeof payments)[number]): ReviewAct => ({
    kind: 'settlePayments',
    leaveOut: { id, amount, day },
  });
  useSingleKeys({
    [paidTwiceKeys.areRight]: () => onAct(areRight),
    [paidTwiceKeys.countOnce]: () => last !== undefined && onAct(leaveOut(last)),
  });
  if (paidTwice === null) return null;
  return (
    <section className={reviewChangesStyles.changes} aria-label="Paid twice">
      <h3 className={reviewChangesStyles.title}>
        Paid twice: {formatTenThousandths(paidTwice.stake)} at stake
      </h3>
      <div className={styles.sides}>
        {involved.map((payment) => (
          <div key={`${payment.id} ${payment.day} ${payment.amount}`} className={styles.side}>
            <b>
              {paymentLabels[payment.payment]} {formatTenThousandths(payment.amount)}
            </b>
            <span>
              {formatDay(payment.day)}
              {payment.account !== '' && ` · ${payment.account}`}
            </span>
            <SmallPrint>
              {payment.author === email ? 'You' : payment.author}, {formatWhen(payment.at, now)}
            </SmallPrint>
            <SmallButton
              justify="space-between"
              {...(payment === last
                ? {
                    'aria-keyshortcuts': paidTwiceKeys.countOnce,
                    rightSection: <KeyCap>{paidTwiceKeys.countOnce}</KeyCap>,
                  }
                : {})}
              aria-label={`Leave out the payment by ${payment.author === email ? 'you' : payment.author}`}
              onClick={() => onAct(leaveOut(payment))}
            >
              Leave this out
            </SmallButton>
          </div>
        ))}
      </div>
      <SmallButton
        justify="space-between"
        aria-keyshortcuts={paidTwiceKeys.areRight}
        rightSection={<KeyCap>{paidTwiceKeys.areRight}</KeyCap>}
        onClick={() => onAct(areRight)}
      >
        {involved.length === 2 ? 'Both are right' : 'All are right'}
      </SmallButton>
    </section>
  );
}
