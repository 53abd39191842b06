import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { DeskBridge } from '../../../contract/bridge.ts';
import { type ExportVerdict, receiptExtension } from '../../../contract/export-receipt.ts';
import type { ErrorReport } from '../../../contract/result.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask, reportOf } from '../../lib/desk-error.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatCountOf } from '../../lib/format-value.ts';

type Answer = { verdict: ExportVerdict } | { error: ErrorReport };

const isReceipt = (file: Pick<File, 'name'>): boolean => file.name.endsWith(receiptExtension);

async function measure(file: File): Promise<{ name: string; bytes: number; sha256: string }> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { name: file.name, bytes: file.size, sha256 };
}

/** Compares dropped files with the receipt that was dropped with them. @throws DeskError `export.noReceipt` */
async function verifyFiles(bridge: DeskBridge, files: readonly File[]): Promise<ExportVerdict> {
  const receipt = files.find(isReceipt);
  return ask(bridge, 'export:verify', {
    receipt: (await receipt?.text()) ?? '',
    files: await Promise.all(files.filter((file) => !isReceipt(file)).map(measure)),
  });
}

/** An export and its receipt dropped on the window are verified, wherever they are dropped. */
export function VerifyDropped() {
  const bridge = useBridge();
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      // A field that takes files has taken them.
      if (event.defaultPrevented || !files.some(isReceipt)) return;
      event.preventDefault();
      verifyFiles(bridge, files).then(
        (verdict) => setAnswer({ verdict }),
        (thrown: unknown) => setAnswer({ error: reportOf(thrown) }),
      );
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, [bridge]);
  return (
    <Modal
      opened={answer !== null}
      onClose={() => setAnswer(null)}
      title="Verify export"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        {answer !== null && 'error' in answer && (
          <ReportNotice report={answer.error} title="Couldn’t verify the export" />
        )}
        {answer !== null && 'verdict' in answer && <Verdict verdict={answer.verdict} />}
        <Group justify="flex-end">
          <Button onClick={() => setAnswer(null)} data-autofocus>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const stateLabels = {
  intact: 'as exported',
  changed: 'changed since it was exported',
  missing: 'not among the files',
} as const;

const outcomes = {
  intact: { color: 'green', title: 'The export is as it was written' },
  changed: { color: 'red', title: 'The export isn’t as it was written' },
  elsewhere: { color: 'gray', title: 'The export can’t be verified here' },
} as const;

const receiptLabels = {
  intact: 'The receipt is from this profile and unchanged.',
  changed: 'The receipt was changed.',
  elsewhere: 'Another profile wrote the receipt: whether it was changed can’t be told here.',
} as const;

function describeNow({ exported, now }: ExportVerdict): string {
  if (now === null) return 'The export can’t be compared with the records on this computer.';
  if (now.isSame) return 'The same export would be the same today.';
  return `The records have changed since: the same export would have ${formatCountOf(now.rows, 'row')} today, and had ${formatCountOf(exported.rows, 'row')}.`;
}

function Verdict({ verdict }: { verdict: ExportVerdict }) {
  const { receipt, files, exportedAt, exportedBy, reason } = verdict;
  const isAsTold = files.every(({ state }) => state === 'intact');
  const outcome = isAsTold ? outcomes[receipt] : outcomes.changed;
  return (
    <>
      <Alert
        role="status"
        color={outcome.color}
        variant="light"
        icon={
          outcome === outcomes.intact ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />
        }
        title={outcome.title}
      >
        <List size="sm">
          <List.Item>{receiptLabels[receipt]}</List.Item>
          {files.map(({ name, state }) => (
            <List.Item key={name}>
              {name}: {stateLabels[state]}
            </List.Item>
          ))}
        </List>
      </Alert>
      <Text size="sm">
        Exported {formatDateTime(exportedAt)}
        {exportedBy === null ? '' : ` by ${exportedBy}`}
        {reason === null ? '' : `. Reason: ${reason}`}
      </Text>
      <Text size="sm">{describeNow(verdict)}</Text>
    </>
  );
}
