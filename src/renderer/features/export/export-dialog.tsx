import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { ErrorReport } from '../../../contract/result.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { Details } from '../../components/details.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { Hint } from '../../components/text.tsx';
import { nounsOf } from '../../domain/list/open-record.ts';
import type { ExportRequest } from '../../lib/app-actions.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { sayNotCounted } from '../../lib/format-money.ts';
import { formatSeconds, formatTimeLeft } from '../../lib/format-value.ts';
import { useArrivalFocus } from '../../lib/use-arrival-focus.ts';
import { ChooseExport } from './choose-export.tsx';
import styles from './export-dialog.module.css';
import { PrintedList } from './print-list.tsx';
import { type Printed, readPrinted } from './read-printed.ts';
import { type ExportState, useExport } from './use-export.ts';

function titleOf({ source, total }: ExportRequest): string {
  if (source.kind === 'changes') return 'Export what a sync changed';
  if (source.kind === 'statements') return 'Save substantiation statement';
  if (source.kind === 'letters') return total === 1 ? 'Save letter' : 'Save letters';
  if (source.kind === 'run') return 'Save reimbursement file';
  if (source.kind === 'report') return `Export table: ${source.title}`;
  return `Export ${formatCountOf(total, nounsOf[source.query.entity].one)}`;
}

/** Writes a list to a file: form, columns, reason, target, progress, result. */
export function ExportDialog(props: { request: ExportRequest | null; onClose: () => void }) {
  const { request, onClose } = props;
  const { state, start, run, cancel, reset } = useExport();
  const bridge = useBridge();
  const [printed, setPrinted] = useState<Printed | null>(null);
  const [printError, setPrintError] = useState<ErrorReport | null>(null);
  const endPrinting = useCallback(() => setPrinted(null), []);
  const isRunning = state.step === 'running';
  const close = () => {
    if (isRunning) return;
    if (state.step === 'done') request?.onExported?.(state.result);
    onClose();
    reset();
  };
  // The page of a run shows where its file was saved, unless there is more to show.
  const isDoneOfRun =
    state.step === 'done' &&
    request?.source.kind === 'run' &&
    state.result.files.every(({ signaturePath }) => signaturePath === null) &&
    Object.keys(state.result.notCounted ?? {}).length === 0;
  useEffect(() => {
    if (isDoneOfRun) close();
  });
  return (
    <Dialog
      isOpen={request !== null}
      onClose={close}
      title={request === null ? 'Export' : titleOf(request)}
      closeOnEscape={!isRunning}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close', disabled: isRunning }}
    >
      {request !== null && state.step === 'choosing' && (
        <ChooseExport
          request={request}
          error={printError ?? state.error}
          onStart={(chosen) => {
            setPrintError(null);
            void start(request, chosen);
          }}
          onPrint={(printRequest) => {
            setPrintError(null);
            readPrinted(bridge, request, printRequest).then(setPrinted, (thrown) =>
              setPrintError(reportOf(thrown)),
            );
          }}
          onClose={close}
        />
      )}
      {request !== null && state.step === 'asking' && (
        <Asking
          state={state}
          onSave={() => void run(request, state)}
          onChooseAgain={() => void start(request, state.chosen)}
        />
      )}
      {state.step === 'running' && <Running state={state} onCancel={cancel} />}
      {state.step === 'done' && !isDoneOfRun && <Done state={state} onClose={close} />}
      {printed !== null && <PrintedList printed={printed} onEnd={endPrinting} />}
    </Dialog>
  );
}

/** Asks whether to write into a folder that syncs to a cloud service. */
function Asking(props: {
  state: ExportState & { step: 'asking' };
  onSave: () => void;
  onChooseAgain: () => void;
}) {
  const { cloud, path } = props.state;
  const again = useArrivalFocus<HTMLButtonElement>();
  return (
    <Stack gap="sm">
      <Notice tone="caution" role="alert" title={`This folder syncs to ${cloud}`}>
        <Text size="sm">
          The file would leave this computer: <Code className={styles.path ?? ''}>{path}</Code>
        </Text>
      </Notice>
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onSave}>
          Save here anyway
        </Button>
        <Button ref={again} onClick={props.onChooseAgain}>
          Choose another folder…
        </Button>
      </Group>
    </Stack>
  );
}

function Running(props: { state: ExportState & { step: 'running' }; onCancel: () => void }) {
  const { progress, path, exportId, row } = props.state;
  const cancel = useArrivalFocus<HTMLButtonElement>();
  const rows = progress?.rows ?? 0;
  const total = progress?.total ?? 0;
  const left = progress?.secondsLeft ?? null;
  const label =
    progress === null
      ? 'Starting…'
      : `${formatCountOf(rows, row)} of ${formatCount(total)}${
          left === null ? '' : ` · ${formatCount(progress.rowsPerSecond)} ${row}s/s · ${formatTimeLeft(left)}`
        }`;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Writing <Code className={styles.path ?? ''}>{path}</Code>
      </Text>
      <ProgressBar label="Export progress" text={label} share={total === 0 ? 0 : rows / total} />
      <Group justify="space-between">
        <Hint role="status">{label}</Hint>
        <Button
          ref={cancel}
          variant="default"
          onClick={props.onCancel}
          data-disabled={exportId === null}
          aria-disabled={exportId === null}
        >
          Cancel export
        </Button>
      </Group>
    </Stack>
  );
}

/** The most omitted claims that are listed. */
const maxNamed = 200;

function Done(props: { state: ExportState & { step: 'done' }; onClose: () => void }) {
  const { result, row } = props.state;
  const { leftOut = [] } = result;
  const notCounted = Object.values(result.notCounted ?? {}).reduce((sum, count) => sum + count, 0);
  const done = useArrivalFocus<HTMLButtonElement>();
  return (
    <Stack gap="sm">
      <Notice tone="good" role="status" title={`Exported ${formatCountOf(result.rows, row)}`}>
        <Stack gap={4}>
          {result.files.map(({ path, signaturePath }) => (
            <Text size="sm" key={path}>
              Saved as <SavedPath path={path} />
              {signaturePath !== null && (
                <>
                  Its signature: <SavedPath path={signaturePath} />
                </>
              )}
            </Text>
          ))}
          {leftOut.length > 0 && (
            <Details summary={`Left out: ${formatCountOf(leftOut.length, 'claim')}`}>
              {leftOut.slice(0, maxNamed).map(({ claimId, missing }) => (
                <Text size="sm" key={claimId}>
                  Claim {claimId}: {missing}
                </Text>
              ))}
              {leftOut.length > maxNamed && <Text size="sm">And others.</Text>}
            </Details>
          )}
          {notCounted > 0 && (
            <Text size="sm">{sayNotCounted(notCounted)} in sums: not a number, written as received.</Text>
          )}
          <Details>
            <Text size="xs">
              {formatSeconds(result.seconds)} · SHA-256{' '}
              <Code className={styles.path ?? ''}>{result.files[0]?.sha256}</Code>
            </Text>
          </Details>
        </Stack>
      </Notice>
      <Group justify="flex-end">
        <Button ref={done} onClick={props.onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
