import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { localDayOf } from '../../../contract/days.ts';
import type { Output } from '../../../contract/procedures.ts';
import type { ResultRow } from '../../../contract/run-procedures.ts';
import { Total } from '../../components/amount.tsx';
import { CsvForm } from '../../components/csv-form.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { RowsLeftOut } from '../../components/rows-left-out.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import type { OpenRun } from './open-run.ts';

const reasonLabels: Readonly<Record<ResultRow['reason'], string>> = {
  noClaim: 'Not in this run',
  severalClaims: 'Several claims have this number',
  severalMembers: 'Several members have this ID or key',
  notInRun: 'Left the run before',
  badAmount: 'The amount isn’t a number',
  amountDiffers: 'The amount isn’t the one in the run',
  repeated: 'Repeats an earlier row of this file',
  badResult: 'The result is neither paid nor rejected',
};

/** Reads what came back from whoever pays, shows what matches and what does not, and applies it when confirmed. */
export function ResultsDialog({ run }: { run: OpenRun }) {
  return (
    <DialogButton
      label="Read results…"
      button={{ size: 'compact-sm' }}
      title="Read results"
      size="lg"
      closeOnClickOutside={false}
    >
      {(close) => <ReadForm run={run} onClose={close} />}
    </DialogButton>
  );
}

function ReadForm({ run, onClose }: { run: OpenRun; onClose: () => void }) {
  const bridge = useBridge();
  const { id: workspaceId } = useWorkspace();
  return (
    <CsvForm
      action="Match results"
      description="Columns: claim (ID or number) or member ID, and where there are any amount, result, reason"
      errorTitle="Couldn’t read the results"
      read={(csv) => ask(bridge, 'runs:readResults', { workspaceId, runId: run.id, csv })}
      onCancel={onClose}
    >
      {(found) => <ApplyForm found={found} onClose={onClose} />}
    </CsvForm>
  );
}

function ApplyForm({ found, onClose }: { found: Output<'runs:readResults'>; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const apply = useDeskMutation('runs:applyResults');
  const [records, setRecords] = useState(found.paid.claims > 0);
  const [day, setDay] = useState(localDayOf(new Date()));
  const { selectionId, paid, rejected, without, unmatched } = found;
  return (
    <DialogForm
      action="Apply results"
      isReady={rejected.claims > 0 || (records && paid.claims > 0 && day !== '')}
      isPending={apply.isPending}
      error={apply.error}
      errorTitle="Couldn’t apply the results"
      onSubmit={() =>
        apply.mutate({ workspaceId, selectionId, day: records ? day : null }, { onSuccess: onClose })
      }
      onCancel={onClose}
    >
      <DataTable
        label="Results"
        verticalSpacing={3}
        rows={[
          { label: 'Paid', ...paid },
          { label: 'Rejected: leave the run, and are open again', ...rejected },
          { label: 'Without a row in the file', ...without },
        ]}
        columns={[
          ['Result', ({ label }) => label],
          ['Claims', ({ claims }) => formatCount(claims)],
          ['Amount', ({ amount }) => <Total amount={amount} />],
        ]}
      />
      {paid.claims > 0 && (
        <>
          <Checkbox
            label="Record the paid claims as reimbursed"
            checked={records}
            onChange={(event) => setRecords(event.currentTarget.checked)}
          />
          {records && <TextField type="date" label="Date" value={day} onChange={setDay} />}
        </>
      )}
      {unmatched.length > 0 && (
        <>
          <Status>{formatCountOf(unmatched.length, 'row')} of the file can’t be used:</Status>
          <RowsLeftOut
            rows={unmatched}
            of="Claim or member"
            ofRow={({ of }) => of}
            why={({ reason }) => reasonLabels[reason]}
          />
        </>
      )}
    </DialogForm>
  );
}
