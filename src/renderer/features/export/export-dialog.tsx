import {
  Alert,
  Button,
  Code,
  Group,
  Modal,
  Progress,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type ExportFormat, exportColumnsOf, needsReason } from '../../../contract/export.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import type { ExportRequest } from '../../lib/app-actions.tsx';
import { isMaskedAtDesk } from '../../lib/desk-mask.ts';
import { formatCountOf, formatSeconds, formatTimeLeft } from '../../lib/format-value.ts';
import { useArrivalFocus } from '../../lib/use-arrival-focus.ts';
import { useDeskMode } from '../../lib/use-desk-mode.ts';
import { ColumnChoice } from './column-choice.tsx';
import { describeWhatLeaves, inFileOrder, startColumns } from './export-columns.ts';
import styles from './export-dialog.module.css';
import { type ChosenExport, type ExportState, useExport } from './use-export.ts';

const nouns = {
  members: 'member',
  dependents: 'dependent',
  claims: 'claim',
  lines: 'claim line',
} as const;

/** Writes the whole filtered list to a file: choice of columns, target, progress, result. */
export function ExportDialog(props: { request: ExportRequest | null; onClose: () => void }) {
  const { request, onClose } = props;
  const { state, start, cancel, reset } = useExport();
  const isRunning = state.step === 'running';
  const close = () => {
    if (isRunning) return;
    onClose();
    reset();
  };
  return (
    <Modal
      opened={request !== null}
      onClose={close}
      title={
        request === null ? 'Export' : `Export ${formatCountOf(request.total, nouns[request.query.entity])}`
      }
      size="lg"
      closeOnEscape={!isRunning}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close', disabled: isRunning }}
    >
      {request !== null && state.step === 'choosing' && (
        <Choosing
          key={request.query.entity}
          request={request}
          error={state.error}
          onStart={(chosen) => void start(request, chosen)}
          onClose={close}
        />
      )}
      {state.step === 'running' && <Running state={state} onCancel={cancel} />}
      {state.step === 'done' && <Done state={state} onClose={close} />}
    </Modal>
  );
}

function Choosing(props: {
  request: ExportRequest;
  error: (ExportState & { step: 'choosing' })['error'];
  onStart: (chosen: ChosenExport) => void;
  onClose: () => void;
}) {
  const { entity } = props.request.query;
  const { isOn: isDeskMode } = useDeskMode();
  const isOffered = (path: string) => !(isDeskMode && isMaskedAtDesk(path));
  const [picked, setChosen] = useState<ReadonlySet<string>>(() => new Set(startColumns(entity)));
  useEffect(() => setChosen(new Set(startColumns(entity))), [entity]);
  // What the screen masks is not exported either.
  const chosen = new Set([...picked].filter(isOffered));
  const leaves = describeWhatLeaves(entity, chosen);
  const [format, setFormat] = useState<ExportFormat>('xlsx');
  const [reason, setReason] = useState('');
  const columns = inFileOrder(entity, chosen);
  const specs = exportColumnsOf({ kind: 'list', query: props.request.query }).filter(({ path }) =>
    chosen.has(path),
  );
  const lacksReason = needsReason(specs) && reason.trim() === '';
  return (
    <Stack gap="sm">
      {props.error !== null && <ReportNotice report={props.error} title="Couldn’t export" />}
      <Text size="sm">
        Exports all {formatCountOf(props.request.total, 'row')} of the current list. The file is not
        encrypted. Anyone with access can read it.
        {isDeskMode && ' Columns hidden by privacy mode are left out.'}
      </Text>
      <SegmentedControl
        aria-label="File format"
        value={format}
        onChange={(value) => setFormat(value as ExportFormat)}
        data={[
          { value: 'xlsx', label: 'Excel' },
          { value: 'excel-csv', label: 'CSV for Excel' },
          { value: 'csv', label: 'CSV for systems' },
        ]}
      />
      <ColumnChoice
        entity={entity}
        chosen={chosen}
        shown={props.request.shownColumns}
        isOffered={isOffered}
        onChange={setChosen}
      />
      {leaves !== null && (
        <Alert
          role="alert"
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title="Sensitive columns selected"
        >
          <Text size="sm">
            The file will include {leaves}. Export these only if you need them, and keep the file in a
            protected folder.
          </Text>
        </Alert>
      )}
      {needsReason(specs) && (
        <TextInput
          label="Reason"
          description="Recorded in the audit log. Don’t enter names."
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onClose}>
          Close
        </Button>
        <Button
          disabled={chosen.size === 0 || lacksReason}
          onClick={() => props.onStart({ format, columns, ...(reason.trim() === '' ? {} : { reason }) })}
          data-autofocus
        >
          Save as…
        </Button>
      </Group>
    </Stack>
  );
}

function Running(props: { state: ExportState & { step: 'running' }; onCancel: () => void }) {
  const { progress, path, exportId } = props.state;
  const cancel = useArrivalFocus<HTMLButtonElement>();
  const rows = progress?.rows ?? 0;
  const total = progress?.total ?? 0;
  const left = progress?.secondsLeft ?? null;
  const label =
    progress === null
      ? 'Starting…'
      : `${formatCountOf(rows, 'row')} of ${total.toLocaleString('en-US')}${
          left === null ? '' : ` · ${formatTimeLeft(left)}`
        }`;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Writing <Code className={styles.path ?? ''}>{path}</Code>
      </Text>
      <Progress.Root size="lg">
        <Progress.Section
          value={total === 0 ? 0 : (100 * rows) / total}
          aria-label="Export progress"
          aria-valuetext={label}
        />
      </Progress.Root>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {label}
        </Text>
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

function Done(props: { state: ExportState & { step: 'done' }; onClose: () => void }) {
  const { result } = props.state;
  const [file] = result.files;
  const done = useArrivalFocus<HTMLButtonElement>();
  return (
    <Stack gap="sm">
      <Alert
        role="status"
        color="green"
        variant="light"
        icon={<IconCircleCheck aria-hidden />}
        title={`Exported ${formatCountOf(result.rows, 'row')}`}
      >
        <Stack gap={4}>
          <Text size="sm">
            Saved as <Code className={styles.path ?? ''}>{file?.path}</Code> in{' '}
            {formatSeconds(result.seconds)}.
          </Text>
          <Text size="xs">
            SHA-256 <Code className={styles.path ?? ''}>{file?.sha256}</Code>
          </Text>
        </Stack>
      </Alert>
      <Group justify="flex-end">
        <Button ref={done} onClick={props.onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
