import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { type PaymentKind, paymentKinds } from '../../../rules/money/reimbursement.ts';
import { rowProblems, type UnusedRow } from '../../../rules/review/file-rows.ts';
import { paymentLabels } from '../../../rules/review/review-labels.ts';
import { Total } from '../../components/amount.tsx';
import { DialogButton, DialogForm, DoneButton } from '../../components/dialog.tsx';
import { RowsLeftOut } from '../../components/rows-left-out.tsx';
import { FileForm } from '../../components/table-file-form.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useAsk, useWorkspaceMutation } from '../../lib/desk-query.ts';
import { WriterOnly } from '../team/writer-only.tsx';
import { sayPaidTwice } from './bulk-payment.tsx';
import { describeBroken } from './describe-broken.ts';

/** Why a row is left out: "Recorded before by ben@example.com on 3/2/2026". */
const describeRow = ({ reason, recorded, rule }: UnusedRow): string =>
  rule !== undefined
    ? `${rowProblems[reason]}: ${describeBroken(rule)}`
    : recorded === undefined
      ? rowProblems[reason]
      : `${rowProblems[reason]} by ${recorded.author} on ${formatDay(localDayOf(new Date(recorded.at)))}`;

/**
 * Reads payments from a file, shows what matches and what does not, and records them when confirmed. For a reader of
 * the team it is off; the list beside it gives the reason.
 */
export const ImportPayments = () => (
  <WriterOnly isSaid={false}>
    <DialogButton
      label="Import payments…"
      button={{ size: 'compact-sm' }}
      title="Import payments"
      closeOnClickOutside={false}
    >
      {(close) => <ImportForm onClose={close} />}
    </DialogButton>
  </WriterOnly>
);

function ImportForm({ onClose }: { onClose: () => void }) {
  const ask = useAsk();
  const [payment, setPayment] = useState<PaymentKind>('reimbursed');
  const [account, setAccount] = useState('');
  return (
    <FileForm
      action="Match payments"
      description="Columns: claim (ID or number), amount, date"
      errorTitle="Couldn’t read the payments"
      read={(file) =>
        ask('reviews:readPayments', {
          file,
          payment,
          ...(account.trim() === '' ? {} : { account }),
        })
      }
      onCancel={onClose}
      fields={
        <>
          <NativeSelect
            label="Kind"
            value={payment}
            onChange={({ currentTarget }) =>
              setPayment(paymentKinds.find((kind) => kind === currentTarget.value) ?? 'reimbursed')
            }
            data={paymentKinds.map((kind) => ({ value: kind, label: paymentLabels[kind] }))}
          />
          <TextField
            label="Account or reference"
            description="Optional. Saved with every payment."
            maxLength={200}
            value={account}
            onChange={setAccount}
          />
        </>
      }
    >
      {(read) => <RecordForm found={read} onClose={onClose} />}
    </FileForm>
  );
}

const shownInRuns = 10;
/** "5 (March payroll), 7 (March payroll), …" */
const listInRuns = (inRuns: Output<'reviews:readPayments'>['inRuns']): string =>
  inRuns
    .slice(0, shownInRuns)
    .map(({ claimId, run }) => `${claimId} (${run})`)
    .join(', ') + (inRuns.length > shownInRuns ? ', …' : '');

function RecordForm(props: { found: Output<'reviews:readPayments'>; onClose: () => void }) {
  const { found, onClose } = props;
  const record = useWorkspaceMutation('reviews:recordPayments');
  const [acceptsEarly, setAcceptsEarly] = useState(false);
  const { payments, claims, amount } = acceptsEarly ? found.withEarly : found;
  if (record.data !== undefined) {
    const { leftOut, needsSecond } = record.data;
    const left = leftOut.length + needsSecond.length;
    return (
      <Stack gap="sm">
        <Status>
          Payments recorded for {formatCountOf(record.data.claims, 'claim')}. Undo them like any other review.
          {left > 0 && ` ${formatCountOf(left, 'claim')} changed in between and got none.`}
        </Status>
        <DoneButton onClose={onClose} />
      </Stack>
    );
  }
  return (
    <DialogForm
      action={`Record ${formatCountOf(payments, 'payment')}`}
      isReady={payments > 0}
      isPending={record.isPending}
      error={record.error}
      errorTitle="Couldn’t record the payments"
      onSubmit={() => record.mutate({ selectionId: found.selectionId, acceptsEarly })}
      onCancel={onClose}
    >
      <Status>
        {formatCountOf(payments, 'payment')} of <Total amount={amount} /> for {formatCountOf(claims, 'claim')}{' '}
        can be recorded.
        {found.unmatched.length > 0 &&
          ` ${formatCountOf(found.unmatched.length, 'row')} can’t, and ${found.unmatched.length === 1 ? 'is' : 'are'} left out.`}
      </Status>
      {found.inRuns.length > 0 && (
        <Status>{sayPaidTwice(found.inRuns.length, listInRuns(found.inRuns))}</Status>
      )}
      {found.early.length > 0 && (
        <>
          <Checkbox
            label={`Also record ${formatCountOf(found.early.length, 'payment')} dated before the service`}
            checked={acceptsEarly}
            onChange={({ currentTarget }) => setAcceptsEarly(currentTarget.checked)}
          />
          <UnmatchedRows rows={found.early} />
        </>
      )}
      {found.unmatched.length > 0 && <UnmatchedRows rows={found.unmatched} />}
    </DialogForm>
  );
}

export const UnmatchedRows = ({ rows }: { rows: readonly UnusedRow[] }) => (
  <RowsLeftOut rows={rows} of="Claim or member" ofRow={({ of }) => of} why={describeRow} />
);
