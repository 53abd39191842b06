import { Button, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { localDayOf } from '../../../contract/days.ts';
import type { Output } from '../../../contract/procedures.ts';
import { type PaymentKind, paymentKinds } from '../../../contract/reimbursement.ts';
import type { PaymentRow } from '../../../contract/review.ts';
import { paymentLabels } from '../../../contract/review-labels.ts';
import { Total } from '../../components/amount.tsx';
import { CsvForm } from '../../components/csv-form.tsx';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { RowsLeftOut } from '../../components/rows-left-out.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatDay } from '../../lib/format-date.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import { describeBroken } from './describe-broken.ts';

const reasonLabels: Readonly<Record<PaymentRow['reason'], string>> = {
  noClaim: 'No claim has this ID or number',
  severalClaims: 'Several claims have this number',
  badAmount: 'The amount isn’t a number above 0',
  badDate: 'The date can’t be read',
  repeated: 'Repeats an earlier row of this file',
  recordedBefore: 'Recorded before',
  moreThanOwed: 'More than is owed back',
  needsSecond: 'Needs a second person',
};

/** Why a row is left out: "Recorded before by ben@example.com on 3/2/2026". */
const describeRow = ({ reason, recorded, rule }: PaymentRow): string =>
  rule !== undefined
    ? `${reasonLabels[reason]}: ${describeBroken(rule)}`
    : recorded === undefined
      ? reasonLabels[reason]
      : `${reasonLabels[reason]} by ${recorded.author} on ${formatDay(localDayOf(new Date(recorded.at)))}`;

/** Reads payments from a CSV file, shows what matches and what does not, and records them when confirmed. */
export function ImportPayments({ workspaceId }: { workspaceId: string }) {
  return (
    <DialogButton
      label="Import payments…"
      button={{ size: 'compact-sm' }}
      title="Import payments"
      size="lg"
      closeOnClickOutside={false}
    >
      {(close) => <ImportForm workspaceId={workspaceId} onClose={close} />}
    </DialogButton>
  );
}

function ImportForm({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const bridge = useBridge();
  const [payment, setPayment] = useState<PaymentKind>('reimbursed');
  const [account, setAccount] = useState('');
  return (
    <CsvForm
      action="Match payments"
      description="Columns: claim (ID or number), amount, date"
      errorTitle="Couldn’t read the payments"
      read={(csv) =>
        ask(bridge, 'reviews:readPayments', {
          workspaceId,
          csv,
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
      {(found) => <RecordForm workspaceId={workspaceId} found={found} onClose={onClose} />}
    </CsvForm>
  );
}

function RecordForm(props: {
  workspaceId: string;
  found: Output<'reviews:readPayments'>;
  onClose: () => void;
}) {
  const { workspaceId, found, onClose } = props;
  const record = useDeskMutation('reviews:recordPayments');
  if (record.data !== undefined) {
    const { claims, leftOut, needsSecond } = record.data;
    const left = leftOut.length + needsSecond.length;
    return (
      <Stack gap="sm">
        <Status>
          Payments recorded for {formatCountOf(claims, 'claim')}. Undo them like any other review.
          {left > 0 && ` ${formatCountOf(left, 'claim')} changed in between and got none.`}
        </Status>
        <Button onClick={onClose} ml="auto">
          Done
        </Button>
      </Stack>
    );
  }
  return (
    <DialogForm
      action={`Record ${formatCountOf(found.payments, 'payment')}`}
      isReady={found.payments > 0}
      isPending={record.isPending}
      error={record.error}
      errorTitle="Couldn’t record the payments"
      onSubmit={() => record.mutate({ workspaceId, selectionId: found.selectionId })}
      onCancel={onClose}
    >
      <Status>
        {formatCountOf(found.payments, 'payment')} of <Total amount={found.amount} /> for{' '}
        {formatCountOf(found.claims, 'claim')} can be recorded.
        {found.unmatched.length > 0 &&
          ` ${formatCountOf(found.unmatched.length, 'row')} can’t, and ${found.unmatched.length === 1 ? 'is' : 'are'} left out.`}
      </Status>
      {found.unmatched.length > 0 && <UnmatchedRows rows={found.unmatched} />}
    </DialogForm>
  );
}

export const UnmatchedRows = ({ rows }: { rows: readonly PaymentRow[] }) => (
  <RowsLeftOut rows={rows} of="Claim" ofRow={({ claim }) => claim} why={describeRow} />
);
