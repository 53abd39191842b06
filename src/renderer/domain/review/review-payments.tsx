import { Button, NativeSelect, Text, VisuallyHidden } from '@mantine/core';
import { Fragment, useState } from 'react';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { findExcess } from '../../../rules/money/decided-amounts.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { type PaymentKind, paymentKinds, signOf } from '../../../rules/money/reimbursement.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { paymentLabels } from '../../../rules/review/review-labels.ts';
import { findOpenRun, runStateLabels } from '../../../rules/review/run-facts.ts';
import { Total } from '../../components/amount.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { KeyCap } from './key-cap.tsx';
import { ReviewChain } from './review-chain.tsx';
import styles from './review-panel.module.css';
import { readAmount, writeAmount } from './typed-amount.ts';
import { isEarlyRefused, useSendAct } from './use-review.ts';

/** A typed amount above zero in ten-thousandths of a dollar; null for anything else. */
export function readPaymentAmount(typed: string): number | null {
  const amount = readAmount(typed);
  return amount === null || amount <= 0 ? null : amount;
}

/** The amount by the rules before a decision, crossed out. */
const StruckOut = ({ amount }: { amount: number | null }) => (
  <s className={styles.struck}>
    <VisuallyHidden>by the rules </VisuallyHidden>
    <Total amount={amount} />
  </s>
);

/** The eligible, reimbursed and open amounts of a claim, and a form to record a payment. */
export function ReviewPayments(props: {
  review: ClaimReview;
  isAdding: boolean;
  onAdding: (isAdding: boolean) => void;
}) {
  const { review, isAdding, onAdding } = props;
  const isByRules = review.outcome === null;
  const excess = findExcess(review) ?? 0;
  const hasOther = review.byRules !== null && review.byRules !== review.eligible;
  return (
    <Section
      title="Reimbursement"
      actions={
        !isAdding && (
          <Button
            size="compact-xs"
            variant="default"
            aria-keyshortcuts="p"
            rightSection={<KeyCap>p</KeyCap>}
            onClick={() => onAdding(true)}
          >
            Add payment
          </Button>
        )
      }
    >
      <dl className={styles.sums}>
        <dt>{isByRules ? 'Eligible by the rules' : 'Eligible as decided'}</dt>
        <dd>
          {hasOther && <StruckOut amount={review.byRules} />} <Total amount={review.eligible} />
        </dd>
        {(review.declined !== 0 || review.cause !== null) && (
          <>
            <dt>
              Declined
              {review.cause !== null && <span className={styles.aside}> · {review.cause}</span>}
            </dt>
            <dd>
              <Total amount={review.declined} />
            </dd>
          </>
        )}
        {review.outcome === 'disputed' && (
          <>
            <dt>Disputed</dt>
            <dd>
              <Total amount={review.disputed} />
            </dd>
          </>
        )}
        <dt>Reimbursed</dt>
        <dd>
          <Total amount={review.reimbursed} />
        </dd>
        <dt data-total>
          <abbr title="The eligible amount not reimbursed yet, for your records">Open</abbr>
        </dt>
        <dd data-total>
          <Total amount={review.open} />
        </dd>
        {review.writtenOff > 0 && (
          <>
            <dt>
              Written off
              {excess > 0 && (
                <span className={styles.aside}> · {formatTenThousandths(excess)} more than is owed back</span>
              )}
            </dt>
            <dd>
              <Total amount={review.writtenOff} />
            </dd>
          </>
        )}
        {review.owed !== 0 && (
          <>
            <dt>Owed back</dt>
            <dd>
              <Total amount={review.owed} />
            </dd>
          </>
        )}
      </dl>
      <ReviewChain review={review} />
      <PaymentList label="Payments" payments={review.payments} />
      {review.earlier.map(({ number, payments }) => (
        <Fragment key={number ?? ''}>
          <SmallPrint>
            {`Claim ${number ?? 'without a number'} had this ID before. Its payments count for it, not for this claim.`}
          </SmallPrint>
          <PaymentList label={`Payments of claim ${number ?? 'without a number'}`} payments={payments} />
        </Fragment>
      ))}
      {review.runs.length > 0 && (
        <ul className={styles.payments} aria-label="Runs">
          {review.runs.map(({ id, name, amount, state, reason }) => (
            <li key={id}>
              <span>
                <AnchorLink to="/runs/$runId" params={{ runId: id }}>
                  {name}
                </AnchorLink>
                <span className={styles.aside}>
                  {' '}
                  {runStateLabels[state]}
                  {state === 'left' && reason !== null && `: ${reason}`}
                </span>
              </span>
              <Total amount={amount} />
            </li>
          ))}
        </ul>
      )}
      {isAdding && <PaymentForm review={review} onClose={() => onAdding(false)} />}
    </Section>
  );
}

function PaymentList({ label, payments }: { label: string; payments: ClaimReview['payments'] }) {
  if (payments.length === 0) return null;
  return (
    <ul className={styles.payments} aria-label={label}>
      {payments.map((payment) => (
        <li key={`${payment.id} ${payment.day} ${payment.amount}`}>
          <span>
            {formatDay(payment.day)} {paymentLabels[payment.payment]}
            {payment.account !== '' && <span className={styles.aside}> {payment.account}</span>}
            {payment.alsoBy.map(({ author, at }) => (
              <span key={`${author} ${at}`} className={styles.aside}>
                {' '}
                · also in a file imported by {author} on {formatDay(localDayOf(new Date(at)))}, counted once
              </span>
            ))}
          </span>
          <Total amount={signOf(payment.payment) === -1 ? -payment.amount : payment.amount} />
        </li>
      ))}
    </ul>
  );
}

/** Records a payment for one claim; the open amount, or what is owed back, is suggested. */
export function PaymentForm(props: { review: ClaimReview; onClose: () => void }) {
  const { review, onClose } = props;
  const isOwed = review.owed !== null && review.owed > 0;
  const [kind, setKind] = useState<PaymentKind>(isOwed ? 'repaid' : 'reimbursed');
  const due = isOwed ? review.owed : review.open;
  const [amount, setAmount] = useState(due !== null && due > 0 ? writeAmount(due) : '');
  const [day, setDay] = useState(() => localDayOf(new Date()));
  const [account, setAccount] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const { sendAndWait, isSending } = useSendAct();
  const [askedDay, setAskedDay] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  /** The day is before the service, and the next save confirms it. */
  const asksEarly = askedDay === day;
  const run = findOpenRun(review.runs);
  const save = () => {
    const read = readPaymentAmount(amount);
    const isRefusedNow = read === null || day === '' || (kind === 'writtenOff' && account.trim() === '');
    setIsRefused(isRefusedNow);
    if (isRefusedNow || isSending) return;
    const act = { kind: 'payment', payment: kind, amount: read, day, account: account.trim() } as const;
    sendAndWait(review.claimId, act, asksEarly).then(onClose, (thrown: unknown) => {
      if (isEarlyRefused(thrown)) setAskedDay(day);
      else setFailure(thrown);
    });
  };
  return (
    <Form
      className={styles.paymentForm}
      aria-label="Add payment"
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
      gap={null}
    >
      {run !== undefined && (
        <SmallPrint role="note" className={styles.wide ?? ''}>
          In the run {run.name}, which isn’t recorded yet: leave the claim out of the run, or it is paid
          twice.
        </SmallPrint>
      )}
      <TextField
        size="xs"
        label="Amount"
        autoFocus
        // Typing replaces the suggested amount.
        onFocus={(event) => event.currentTarget.select()}
        inputMode="decimal"
        leftSection={<span aria-hidden>$</span>}
        value={amount}
        onChange={setAmount}
      />
      <TextField size="xs" type="date" label="Date" value={day} onChange={setDay} />
      <NativeSelect
        size="xs"
        label="Kind"
        data={paymentKinds.map((value) => ({ value, label: paymentLabels[value] }))}
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as PaymentKind)}
      />
      <TextField
        size="xs"
        label={kind === 'writtenOff' ? 'Reason' : 'Account or reference'}
        maxLength={200}
        value={account}
        onChange={setAccount}
      />
      {isRefused && (
        <Text size="xs" role="alert" c="var(--mantine-color-error)" className={styles.wide ?? ''}>
          Enter an amount, for example 12.50, and a date{kind === 'writtenOff' && ', and the reason'}.
        </Text>
      )}
      {asksEarly && !isRefused && (
        <Text size="xs" role="alert" className={styles.wide ?? ''}>
          This day is before the date of service. Change it, or save the payment anyway.
        </Text>
      )}
      <div className={styles.wide}>
        <ErrorNotice error={failure} title="Couldn’t save the payment" />
      </div>
      <div className={`${styles.formEnd} ${styles.wide}`}>
        <Button size="sm" variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="sm" loading={isSending}>
          {asksEarly ? 'Save with this day' : 'Save payment'}
        </Button>
      </div>
    </Form>
  );
}
