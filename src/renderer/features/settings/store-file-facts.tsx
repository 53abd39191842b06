import { Button, Group, Stack, Text } from '@mantine/core';
import type { StoreFileState } from '../../../contract/store.ts';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { FieldList, Section } from '../../components/page.tsx';
import { reportOfCode } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { describeRepair, describeSoundness, formatBytes } from './store-messages.ts';
import { StoreProgressView } from './store-progress.tsx';

/** One of the two files: how large, how sound, how far back its backups go; and its repair where it needs one. */
export function StoreFileFacts(props: { workspaceId: string; title: string; state: StoreFileState }) {
  const { state } = props;
  const [newest] = state.backups;
  return (
    <Section title={props.title}>
      <Stack gap="sm">
        <FieldList
          fields={[
            ['Size on disk', state.isThere ? formatBytes(state.bytes) : 'None yet'],
            ['Status', describeSoundness(state)],
            [
              'Backups',
              newest === undefined ? 'None' : `${state.backups.length}, latest ${formatDateTime(newest.at)}`,
            ],
            ['Last repair', state.lastRepair === null ? 'None' : describeRepair(state.lastRepair)],
          ]}
        />
        {state.failedBackup !== null && (
          <ReportNotice
            report={reportOfCode(state.failedBackup.code, null)}
            title={`The last backup failed, ${formatDateTime(state.failedBackup.at)}`}
          />
        )}
        {state.isDamaged && <Repair workspaceId={props.workspaceId} file={state.file} />}
      </Stack>
    </Section>
  );
}

/** First what loses nothing; what would cost something is said and asked. */
function Repair(props: { workspaceId: string; file: StoreFileState['file'] }) {
  const repair = useDeskMutation('store:repair');
  const report = repair.data;
  const isAsking = report?.outcome === 'needsConsent';
  const start = (mayLose: boolean) => repair.mutate({ ...props, mayLose });
  return (
    <Notice tone="bad" role="alert" title="This file is damaged">
      <Stack gap="xs">
        <Text size="sm">
          {isAsking
            ? describeRepair(report)
            : 'Repairs what it can without data loss and asks before anything else. The damaged file is kept.'}
        </Text>
        <Group gap="xs">
          {isAsking ? (
            <Button color="red.9" size="compact-sm" loading={repair.isPending} onClick={() => start(true)}>
              Repair and discard these
            </Button>
          ) : (
            <Button size="compact-sm" loading={repair.isPending} onClick={() => start(false)}>
              Repair
            </Button>
          )}
        </Group>
        {repair.isPending && <StoreProgressView workspaceId={props.workspaceId} work="rewrite" />}
        <ErrorNotice error={repair.error} />
      </Stack>
    </Notice>
  );
}
