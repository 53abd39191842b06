import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Loss, RepairReport, StoreFileState } from '../../../contract/store.ts';
import { formatBytes, formatCount } from '../../../rules/count.ts';
import { ErrorNotice, NotLoaded, ReportNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { FieldList, Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { OfActiveWorkspace } from '../../domain/workspace/of-active-workspace.tsx';
import { reportOfCode } from '../../lib/desk-error.ts';
import {
  useDeskMutation,
  useDeskQuery,
  useWorkspaceMutation,
  useWorkspaceQuery,
} from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { BackupSettings } from './backup-settings.tsx';
import { DocumentFacts } from './document-facts.tsx';
import { RetentionSettings } from './retention-settings.tsx';
import { LiveStoreProgress } from './store-progress.tsx';

const lossLabels: Readonly<Record<Loss['what'], readonly [string, string]>> = {
  members: ['member', 'members'],
  claims: ['claim', 'claims'],
  setAside: ['unreadable record', 'unreadable records'],
  latestWrites: ['page of recent changes', 'pages of recent changes'],
  reviews: ['review entry', 'review entries'],
  views: ['saved view', 'saved views'],
  auditEntries: ['audit log entry', 'audit log entries'],
};

/** `3 claims, some members`: what is lost, with counts where they are known. */
export const describeLosses = (lost: readonly Loss[]): string =>
  lost
    .map(({ what, count }) => {
      const [singular, plural] = lossLabels[what];
      return count === null ? `some ${plural}` : `${formatCount(count)} ${count === 1 ? singular : plural}`;
    })
    .join(', ');

/** The result of a repair, in a sentence. */
export function describeRepair(report: RepairReport): string {
  const lost = report.lost.length === 0 ? 'nothing was lost' : `lost: ${describeLosses(report.lost)}`;
  switch (report.outcome) {
    case 'sound':
      return 'The file is OK. No repair was needed.';
    case 'needsConsent':
      return `The repair would lose: ${describeLosses(report.lost)}.`;
    default:
      return `Repaired on ${formatDateTime(report.at)}; ${lost}.${report.needsSync ? ' Sync to get the records again.' : ''}`;
  }
}

/** The state of a file, in a few words. */
export function describeSoundness(state: StoreFileState): string {
  if (!state.isThere) return 'No data yet';
  if (state.isDamaged) return 'Damaged';
  if (state.lastCheck === null) return 'Not checked yet';
  return `OK, last checked ${formatDateTime(state.lastCheck.at)}${state.lastCheck.isFull ? ' (every record)' : ''}`;
}

/** The files on this computer, their state, and their permanent removal. */
export const DataSettings = () => (
  <Stack gap="lg">
    <OfActiveWorkspace none="No workspaces yet, so no records are stored.">
      {() => <WorkspaceData />}
    </OfActiveWorkspace>
    <BackupSettings />
    <RemoveEverything />
  </Stack>
);

function WorkspaceData() {
  const workspace = useWorkspace();
  const state = useWorkspaceQuery('store:getState');
  const check = useWorkspaceMutation('store:check');
  const removeAside = useWorkspaceMutation('store:removeKeptAside');
  if (state.error !== null || state.data === undefined) return <NotLoaded query={state} what="the files" />;
  const { records, userData, documents } = state.data;
  const aside = [...records.keptAside, ...userData.keptAside];
  const asideBytes = aside.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <StoreFileFacts title={`Records of ${workspace.name}`} state={records} />
      <StoreFileFacts title="Notes, saved views, and audit log" state={userData} />
      {documents !== null && <DocumentFacts check={documents} report={check.data?.documents ?? null} />}
      <Group gap="xs">
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate({ isFull: false })}>
          Check now
        </Button>
        <Button variant="default" disabled={check.isPending} onClick={() => check.mutate({ isFull: true })}>
          Check every record
        </Button>
      </Group>
      {check.isPending && <LiveStoreProgress work="check" />}
      <ErrorNotice error={check.error} title="Couldn’t run the check" />
      {check.data?.connect?.isSound === false && (
        <Text size="sm" role="alert">
          The file with your carrier connections was damaged. Claimdesk restores it from its newest backup if
          there is one. Check again.
        </Text>
      )}
      {aside.length > 0 && (
        <Group justify="space-between">
          <Text size="sm">
            Damaged files (kept, encrypted): {aside.length}, {formatBytes(asideBytes)}.
          </Text>
          <SmallButton loading={removeAside.isPending} onClick={() => removeAside.mutate({})}>
            Delete damaged files
          </SmallButton>
        </Group>
      )}
      <ErrorNotice error={removeAside.error} />
      <Section title="Remove records from this computer">
        <RetentionSettings rules={state.data.retention} />
      </Section>
    </>
  );
}

const words = 'remove everything';

/** Removes everything of this profile from this computer. */
function RemoveEverything() {
  const [typed, setTyped] = useState('');
  const remove = useDeskMutation('data:removeEverything');
  const folders = useDeskQuery('backup:getState', {}).data?.folders ?? [];
  return (
    <Section title="Remove everything">
      <Stack gap="xs">
        <Text size="sm">
          Permanently deletes every workspace, record, key, note, backup, and setting in this profile, and the
          audit log. The service is not affected: delete your public keys there.
        </Text>
        {folders.length > 0 && (
          <Text size="sm">Backups elsewhere stay: delete {folders.join(', ')} yourself.</Text>
        )}
        <Group align="flex-end" gap="xs">
          <TextField label={`Type “${words}” to confirm`} value={typed} onChange={setTyped} />
          <Button
            color="red"
            variant="light"
            disabled={typed.trim().toLowerCase() !== words}
            loading={remove.isPending}
            onClick={() => remove.mutate({ typed }, { onSuccess: () => setTyped('') })}
          >
            Remove everything
          </Button>
        </Group>
        <ErrorNotice error={remove.error} />
      </Stack>
    </Section>
  );
}

/** One of the two files: its size, its state and its backups; and its repair where one is needed. */
function StoreFileFacts(props: { title: string; state: StoreFileState }) {
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
        {state.isDamaged && <Repair file={state.file} />}
      </Stack>
    </Section>
  );
}

/** First tries only repairs that lose no data; for one that would lose some, it asks, and names what is lost. */
function Repair(props: { file: StoreFileState['file'] }) {
  const repair = useWorkspaceMutation('store:repair');
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
        {repair.isPending && <LiveStoreProgress work="rewrite" />}
        <ErrorNotice error={repair.error} />
      </Stack>
    </Notice>
  );
}
