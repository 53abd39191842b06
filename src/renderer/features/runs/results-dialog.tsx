import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { FileForm } from '../../components/table-file-form.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { UnmatchedRows } from '../../domain/review/import-payments.tsx';
import { RejectedClaims } from '../../domain/run/rejected-claims.tsx';
import { useAsk, useWorkspaceMutation } from '../../lib/desk-query.ts';
import { EmployerSelect } from './employer-select.tsx';
import type { OpenRun } from './open-run.ts';

/** Reads the payer's answer, shows what matches and what does not, and applies it when confirmed. */
export const ResultsDialog = ({ run }: { run: OpenRun }) => (
  <DialogButton
    label="Import the payer’s answer…"
    button={{ size: 'compact-sm' }}
    title="Import the payer’s answer"
    size="lg"
    closeOnClickOutside={false}
  >
    {(close) => <ReadForm run={run} onClose={close} />}
  </DialogButton>
);

function ReadForm({ run, onClose }: { run: OpenRun; onClose: () => void }) {
  const ask = useAsk();
  const { employers } = run.totals;
  const [chosen, setChosen] = useState('all');
  const employer = chosen === 'all' ? undefined : employers[Number(chosen)];
  return (
    <FileForm
      action="Match results"
      description="Columns: claim (ID or number) or member ID and, if present, employer, amount, result, reason"
      errorTitle="Couldn’t read the results"
      read={(file) =>
        ask('runs:readResults', {
          runId: run.id,
          file,
          ...(employer === undefined ? {} : { employerId: employer.employerId }),
        })
      }
      onCancel={onClose}
      fields={<EmployerSelect employers={employers} value={chosen} onChange={setChosen} />}
    >
      {(results) => <ApplyForm found={results} onClose={onClose} />}
    </FileForm>
  );
}

function ApplyForm({ found, onClose }: { found: Output<'runs:readResults'>; onClose: () => void }) {
  const apply = useWorkspaceMutation('runs:applyResults');
  const [records, setRecords] = useState(found.paid.claims > 0);
  const [day, setDay] = useState(localDayOf(new Date()));
  const [isAnswered, setIsAnswered] = useState(false);
  const { selectionId, paid, rejected, without, rejections, unmatched, asksAllPaid, rows } = found;
  return (
    <DialogForm
      action="Apply results"
      isReady={
        (!asksAllPaid || isAnswered) && (rejected.claims > 0 || (records && paid.claims > 0 && day !== ''))
      }
      isPending={apply.isPending}
      error={apply.error}
      errorTitle="Couldn’t apply the results"
      onSubmit={() =>
        apply.mutate({ selectionId, day: records ? day : null, allPaid: isAnswered }, { onSuccess: onClose })
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
      {asksAllPaid && (
        <Checkbox
          label={rows === 1 ? 'The row is paid' : `All ${formatCount(rows)} rows are paid`}
          description="The file has no column that says so."
          checked={isAnswered}
          onChange={(event) => setIsAnswered(event.currentTarget.checked)}
        />
      )}
      <RejectedClaims rows={rejections} count={rejected.claims} />
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
          <UnmatchedRows rows={unmatched} />
        </>
      )}
    </DialogForm>
  );
}
