import { Button, FileInput, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type PaymentKind, paymentKinds } from '../../../contract/reimbursement.ts';
import type { PaymentRow } from '../../../contract/review.ts';
import { Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { paymentLabels } from '../../lib/review-labels.ts';

const reasonLabels: Readonly<Record<PaymentRow['reason'], string>> = {
  noClaim: 'No claim has this ID or number',
  severalClaims: 'Several claims have this number',
  badAmount: 'The amount isn’t a number above 0',
  badDate: 'The date can’t be read',
  repeated: 'Repeats an earlier row of this file',
  recordedBefore: 'Recorded before',
};

/** Reads payments from a CSV file, shows what matches and what does not, and records them when confirmed. */
export function ImportPayments({ workspaceId }: { workspaceId: string }) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const [payment, setPayment] = useState<PaymentKind>('reimbursed');
  const [account, setAccount] = useState('');
  const read = useMutation({
    gcTime: 0,
    mutationFn: async (chosen: File) =>
      ask(bridge, 'reviews:readPayments', {
        workspaceId,
        csv: await chosen.text(),
        payment,
        ...(account.trim() === '' ? {} : { account }),
      }),
  });
  const record = useMutation({
    mutationFn: (selectionId: string) => ask(bridge, 'reviews:recordPayments', { workspaceId, selectionId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: keyPrefixes.ofWorkspace('reviews', workspaceId) }),
  });
  const close = () => {
    setIsOpen(false);
    setFile(null);
    setAccount('');
    setPayment('reimbursed');
    read.reset();
    record.reset();
  };
  const found = read.data;
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Import payments…
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Import payments"
        size="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {found === undefined ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (file !== null) read.mutate(file);
            }}
          >
            <Stack gap="sm">
              <FileInput
                label="CSV file"
                description="Columns: claim (ID or number), amount, date"
                placeholder="Choose file…"
                accept=".csv,text/csv"
                value={file}
                onChange={setFile}
                clearable
                clearButtonProps={{ 'aria-label': 'Clear file' }}
                data-autofocus
              />
              <NativeSelect
                label="Kind"
                value={payment}
                onChange={({ currentTarget }) =>
                  setPayment(paymentKinds.find((kind) => kind === currentTarget.value) ?? 'reimbursed')
                }
                data={paymentKinds.map((kind) => ({ value: kind, label: paymentLabels[kind] }))}
              />
              <TextInput
                label="Account or reference"
                description="Optional. Saved with every payment."
                maxLength={200}
                value={account}
                onChange={(event) => setAccount(event.currentTarget.value)}
              />
              <ErrorNotice error={read.error} title="Couldn’t read the payments" />
              <FormEnd
                action="Match payments"
                isReady={file !== null}
                isPending={read.isPending}
                onCancel={close}
              />
            </Stack>
          </form>
        ) : record.data !== undefined ? (
          <Stack gap="sm">
            <Status>
              Payments recorded for {formatCountOf(record.data.claims, 'claim')}. Undo them like any other
              review.
              {record.data.leftOut.length > 0 &&
                ` ${formatCountOf(record.data.leftOut.length, 'claim')} changed in between and got none.`}
            </Status>
            <Button onClick={close} ml="auto">
              Done
            </Button>
          </Stack>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              record.mutate(found.selectionId);
            }}
          >
            <Stack gap="sm">
              <Status>
                {formatCountOf(found.payments, 'payment')} of <Total amount={found.amount} /> for{' '}
                {formatCountOf(found.claims, 'claim')} can be recorded.
                {found.unmatched.length > 0 &&
                  ` ${formatCountOf(found.unmatched.length, 'row')} can’t, and ${found.unmatched.length === 1 ? 'is' : 'are'} left out.`}
              </Status>
              {found.unmatched.length > 0 && <UnmatchedRows rows={found.unmatched} />}
              <ErrorNotice error={record.error} title="Couldn’t record the payments" />
              <FormEnd
                action={`Record ${formatCountOf(found.payments, 'payment')}`}
                isReady={found.payments > 0}
                isPending={record.isPending}
                onCancel={close}
              />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}

const shownRows = 200;

function UnmatchedRows({ rows }: { rows: readonly PaymentRow[] }) {
  return (
    <>
      <DataTable
        label="Rows left out"
        verticalSpacing={3}
        rows={rows.slice(0, shownRows)}
        keyOf={({ line }) => line}
        columns={[
          ['Line', ({ line }) => formatCount(line)],
          ['Claim', ({ claim }) => (claim === '' ? '(Blank)' : claim)],
          ['Why', ({ reason }) => reasonLabels[reason]],
        ]}
      />
      {rows.length > shownRows && <SmallPrint>Showing the first {formatCount(shownRows)}.</SmallPrint>}
    </>
  );
}
