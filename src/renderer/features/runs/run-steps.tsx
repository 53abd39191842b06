import { Button } from '@mantine/core';
import { useState } from 'react';
import type { RunStep } from '../../../contract/run-procedures.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { EmployerSelect } from './employer-select.tsx';
import type { OpenRun, SavedFile } from './open-run.ts';
import { ResultsDialog } from './results-dialog.tsx';
import { useMarked } from './use-marked.tsx';

function useStep(run: OpenRun) {
  const { id: workspaceId } = useWorkspace();
  const step = useDeskMutation('runs:step');
  return {
    isPending: step.isPending,
    error: step.error,
    take: (wanted: RunStep, onDone?: () => void) =>
      step.mutate(
        { workspaceId, runId: run.id, step: wanted, acceptsMarked: run.marked },
        {
          onSuccess: ({ claims, leftOut, needsSecond }) => {
            const others = leftOut.length + needsSecond.length;
            if (others > 0)
              showNotice('review', {
                title: `Done for ${formatCountOf(claims, 'claim')}`,
                message:
                  needsSecond.length > 0
                    ? `${formatCountOf(needsSecond.length, 'claim')} left to a colleague by the team’s two-person rule.`
                    : `${formatCountOf(others, 'claim')} left out: changed, or not on this computer.`,
              });
            onDone?.();
          },
        },
      ),
  };
}

/** The buttons of the steps that the run can take now. */
export function RunSteps(props: { run: OpenRun; saved: SavedFile | null; onFile: () => void }) {
  const { run, saved, onFile } = props;
  const { id: workspaceId, email, team } = useWorkspace();
  const { take, isPending, error } = useStep(run);
  const { state } = run;
  const isSendable = run.byState.some((one) => one.state === 'made' || one.state === 'checked');
  const isSent = run.byState.some((one) => one.state === 'sent');
  return (
    <>
      <ErrorNotice error={error} title="Couldn’t take the step" />
      <WriterOnly workspaceId={workspaceId}>
        {state === 'made' && run.marked > 0 && (
          <DialogButton label="Mark as checked…" button={{ size: 'compact-sm' }} title="Mark as checked">
            {(close) => <CheckForm run={run} onClose={close} />}
          </DialogButton>
        )}
        {state === 'made' && run.marked === 0 && (
          <Button
            size="compact-sm"
            variant="default"
            loading={isPending}
            disabled={team !== undefined && run.author === email}
            title="Somebody looked at the claims and totals before they are sent"
            onClick={() => take({ kind: 'check' })}
          >
            Mark as checked
          </Button>
        )}
      </WriterOnly>
      {state !== 'empty' && (
        <Button size="compact-sm" variant={isSendable ? 'filled' : 'default'} onClick={onFile}>
          Save file…
        </Button>
      )}
      <WriterOnly workspaceId={workspaceId} isSaid={false}>
        {isSendable && (
          <DialogButton label="Mark as sent…" button={{ size: 'compact-sm' }} title="Mark as sent">
            {(close) => <SendForm run={run} saved={saved} onClose={close} />}
          </DialogButton>
        )}
        {isSent && (
          <DialogButton
            label="Record as reimbursed…"
            button={{ size: 'compact-sm', variant: 'filled' }}
            title="Record as reimbursed"
          >
            {(close) => <RecordForm run={run} onClose={close} />}
          </DialogButton>
        )}
        {(isSent || state === 'recorded') && <ResultsDialog run={run} />}
        <DialogButton label="Undo last step…" button={{ size: 'compact-sm' }} title="Undo the last step">
          {(close) => (
            <ReasonForm
              action="Undo"
              text={
                state === 'made'
                  ? 'The run is deleted. Its claims are back in To pay.'
                  : 'The run is as it was before its last step.'
              }
              run={run}
              toStep={(reason) => ({ kind: 'back', reason })}
              onClose={close}
            />
          )}
        </DialogButton>
      </WriterOnly>
    </>
  );
}

function ReasonForm(props: {
  action: string;
  text: string;
  run: OpenRun;
  toStep: (reason: string) => RunStep;
  onClose: () => void;
}) {
  const { take, isPending, error } = useStep(props.run);
  const [reason, setReason] = useState('');
  return (
    <DialogForm
      action={props.action}
      isReady={reason.trim() !== ''}
      isPending={isPending}
      error={error}
      onCancel={props.onClose}
      onSubmit={() => take(props.toStep(reason.trim()), props.onClose)}
    >
      <Status>{props.text}</Status>
      <TextField label="Reason" maxLength={1000} value={reason} onChange={setReason} data-autofocus />
    </DialogForm>
  );
}

/** Leaves these claims out of the run, with a reason. */
export function LeaveOut({ run, claimIds }: { run: OpenRun; claimIds: number[] }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <WriterOnly workspaceId={workspaceId} isSaid={false}>
      <DialogButton
        label={`Leave out ${formatCountOf(claimIds.length, 'claim')}…`}
        button={{ size: 'compact-sm' }}
        title="Leave out of the run"
      >
        {(close) => (
          <ReasonForm
            action="Leave out"
            text="These claims are removed from this run. You can add them to another."
            run={run}
            toStep={(reason) => ({ kind: 'leaveOut', claimIds, reason })}
            onClose={close}
          />
        )}
      </DialogButton>
    </WriterOnly>
  );
}

function CheckForm({ run, onClose }: { run: OpenRun; onClose: () => void }) {
  const { take, isPending, error } = useStep(run);
  const marked = useMarked(run);
  return (
    <DialogForm
      action="Mark as checked"
      isReady={marked.isAnswered}
      isPending={isPending}
      error={error}
      onCancel={onClose}
      onSubmit={() => take({ kind: 'check' }, onClose)}
    >
      {marked.question}
    </DialogForm>
  );
}

function SendForm({ run, saved, onClose }: { run: OpenRun; saved: SavedFile | null; onClose: () => void }) {
  const { take, isPending, error } = useStep(run);
  const { employers } = run.totals;
  const [chosen, setChosen] = useState('all');
  const marked = useMarked(run);
  const of = employers[Number(chosen)];
  const employerId = chosen === 'all' || of === undefined ? undefined : of.employerId;
  return (
    <DialogForm
      action="Mark as sent"
      isReady={marked.isAnswered}
      isPending={isPending}
      error={error}
      onCancel={onClose}
      onSubmit={() =>
        take({ kind: 'send', file: saved, ...(employerId === undefined ? {} : { employerId }) }, onClose)
      }
    >
      <Status>
        {saved === null
          ? 'No file was saved since this page was opened; the step is recorded without one.'
          : `The step keeps the name of the file, ${saved.name}, and its SHA-256.`}
      </Status>
      <EmployerSelect employers={employers} value={chosen} onChange={setChosen} />
      {marked.question}
    </DialogForm>
  );
}

function RecordForm({ run, onClose }: { run: OpenRun; onClose: () => void }) {
  const { take, isPending, error } = useStep(run);
  const [day, setDay] = useState(localDayOf(new Date()));
  const marked = useMarked(run);
  const sent = run.byState.find(({ state }) => state === 'sent');
  return (
    <DialogForm
      action={`Record ${formatCountOf(sent?.claims ?? 0, 'claim')}`}
      isReady={day !== '' && marked.isAnswered}
      isPending={isPending}
      error={error}
      onCancel={onClose}
      onSubmit={() => take({ kind: 'record', day }, onClose)}
    >
      <Status>
        Each claim that was sent is marked as reimbursed with its amount in the run. Undo last step… undoes
        all of it, also what is offset.
      </Status>
      <TextField type="date" label="Date" value={day} onChange={setDay} data-autofocus />
      {marked.question}
    </DialogForm>
  );
}
