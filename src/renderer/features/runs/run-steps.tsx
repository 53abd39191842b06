import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import type { RunStep } from '../../../contract/run-procedures.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { StepList } from '../../components/step-list.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { EmployerSelect } from './employer-select.tsx';
import { isOfAllToSend, type OpenRun, type SavedFile } from './open-run.ts';
import { ResultsDialog } from './results-dialog.tsx';
import { employersAtFirst, sayLayout, useRunFile } from './run-file.tsx';
import styles from './run-steps.module.css';
import { useMarked } from './use-marked.tsx';

function useStep(run: OpenRun) {
  const step = useWorkspaceMutation('runs:step');
  return {
    isPending: step.isPending,
    error: step.error,
    take: (runStep: RunStep, onDone?: () => void) =>
      step.mutate(
        { runId: run.id, step: runStep, acceptsMarked: run.marked },
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

/** The current step of a run; the file counts as saved while its page is open. */
const stepOf = ({ state }: OpenRun, saved: SavedFile | null): number =>
  ({ empty: 0, made: 1, checked: saved === null ? 2 : 3, sent: 4, recorded: 5 })[state];

/** The next step, in one button; the step list shows what was done. */
type NextStep = 'check' | 'file' | 'send' | 'record' | null;

function useNextStep(run: OpenRun, saved: SavedFile | null): NextStep {
  const { email, team } = useWorkspace();
  const { state, author, byState } = run;
  // A team needs another member to check the run.
  if (state === 'made' && (team === undefined || author !== email)) return 'check';
  if (byState.some((group) => group.state === 'made' || group.state === 'checked'))
    return saved === null ? 'file' : 'send';
  return byState.some((group) => group.state === 'sent') ? 'record' : null;
}

interface StepsProps {
  run: OpenRun;
  saved: SavedFile | null;
  onSaved: (file: SavedFile) => void;
  onLayout: () => void;
}

/** The steps of a run with one button for the next one, the layout of its file, and everything else below. */
export function RunSteps(props: StepsProps) {
  const { run, saved, onLayout } = props;
  const next = useNextStep(run, saved);
  const { layout } = useRunFile(run, employersAtFirst(run), props.onSaved);
  const isSendable = next === 'check' || next === 'file' || next === 'send';
  return (
    <div className={styles.run}>
      <div className={styles.steps}>
        <StepList
          steps={['Made', 'Checked', 'File saved', 'Sent', 'Answered']}
          current={stepOf(run, saved)}
        />
        <NextButton {...props} next={next} />
      </div>
      {isSendable && (
        <SmallPrint>
          File: {sayLayout(layout)} · <TextButton onClick={onLayout}>Change</TextButton>
        </SmallPrint>
      )}
      {run.state === 'made' && next !== 'check' && (
        <SmallPrint>Another member of your team checks this run before it is sent.</SmallPrint>
      )}
      {saved !== null && (
        <SmallPrint role="status">
          Saved as <SavedPath path={saved.path} />
        </SmallPrint>
      )}
    </div>
  );
}

function NextButton({ run, saved, next, onSaved, onLayout }: StepsProps & { next: NextStep }) {
  const { take, isPending, error } = useStep(run);
  const { layout, save } = useRunFile(run, employersAtFirst(run), onSaved);
  const hasChanged = run.marked > 0;
  if (next === null) return null;
  if (next === 'file')
    return <Button onClick={() => (hasChanged ? onLayout() : save(layout, run.claims))}>Save file…</Button>;
  return (
    <WriterOnly>
      {next === 'check' && hasChanged && (
        <DialogButton label="Mark as checked…" button={{ variant: 'filled' }} title="Mark as checked">
          {(close) => <CheckForm run={run} onClose={close} />}
        </DialogButton>
      )}
      {next === 'check' && !hasChanged && (
        <Button
          loading={isPending}
          title="You looked at the claims and totals before they are sent"
          onClick={() => take({ kind: 'check' })}
        >
          Mark as checked
        </Button>
      )}
      {next === 'send' && !isOfAllToSend(run, saved) && (
        <SendButton run={run} saved={saved} button={{ variant: 'filled' }} />
      )}
      {next === 'send' && isOfAllToSend(run, saved) && (
        <Button loading={isPending} onClick={() => take({ kind: 'send', file: digestOf(saved) })}>
          Mark as sent
        </Button>
      )}
      {next === 'record' && <RecordButton run={run} button={{ variant: 'filled' }} />}
      <ErrorNotice error={error} title="Couldn’t take the step" />
    </WriterOnly>
  );
}

const RecordButton = ({ run, button }: { run: OpenRun; button: ButtonProps }) => (
  <DialogButton label="Record as reimbursed…" button={button} title="Record as reimbursed">
    {(close) => <RecordForm run={run} onClose={close} />}
  </DialogButton>
);

const digestOf = (saved: SavedFile | null) => saved && { name: saved.name, sha256: saved.sha256 };

const SendButton = (props: {
  run: OpenRun;
  saved: SavedFile | null;
  button: ButtonProps;
  label?: string;
}) => (
  <DialogButton label={props.label ?? 'Mark as sent…'} button={props.button} title="Mark as sent">
    {(close) => <SendForm run={props.run} saved={props.saved} onClose={close} />}
  </DialogButton>
);

/** Shows what else can be done with the run now: another file, another step, and undoing the last one. */
export function OtherSteps({ run, saved, onLayout }: Omit<StepsProps, 'onSaved'>) {
  const { state, byState, totals } = run;
  const next = useNextStep(run, saved);
  const isSendable = byState.some((group) => group.state === 'made' || group.state === 'checked');
  const isSent = byState.some((group) => group.state === 'sent');
  const isOfOne = next === 'send' && isOfAllToSend(run, saved) && totals.employers.length > 1;
  return (
    <>
      {state !== 'empty' && !isSendable && <SmallButton onClick={onLayout}>Save file…</SmallButton>}
      <WriterOnly isSaid={next === null || next === 'file'}>
        {((isSendable && next !== 'send') || isOfOne) && (
          <SendButton
            run={run}
            saved={saved}
            button={{ size: 'compact-sm' }}
            label={isOfOne ? 'Mark one employer as sent…' : 'Mark as sent…'}
          />
        )}
        {isSent && next !== 'record' && <RecordButton run={run} button={{ size: 'compact-sm' }} />}
        {(isSent || state === 'recorded') && <ResultsDialog run={run} />}
        <DialogButton
          label={state === 'made' ? 'Undo this run…' : 'Undo last step…'}
          button={{ size: 'compact-sm' }}
          title={state === 'made' ? 'Undo this run' : 'Undo the last step'}
        >
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
  return (
    <WriterOnly isSaid={false}>
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
  const employer = employers[Number(chosen)];
  const employerId = chosen === 'all' || employer === undefined ? undefined : employer.employerId;
  return (
    <DialogForm
      action="Mark as sent"
      isReady={marked.isAnswered}
      isPending={isPending}
      error={error}
      onCancel={onClose}
      onSubmit={() =>
        take(
          { kind: 'send', file: digestOf(saved), ...(employerId === undefined ? {} : { employerId }) },
          onClose,
        )
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
        all of it, including offsets.
      </Status>
      <TextField type="date" label="Date" value={day} onChange={setDay} data-autofocus />
      {marked.question}
    </DialogForm>
  );
}
