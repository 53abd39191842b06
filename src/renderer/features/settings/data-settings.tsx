import { Button, Group, Stack, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint } from '../../components/text.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { RemoveEverything } from './remove-everything.tsx';
import { RetentionSettings } from './retention-settings.tsx';
import { StoreFileFacts } from './store-file-facts.tsx';
import { formatBytes } from './store-messages.ts';
import { StoreProgressView } from './store-progress.tsx';

/** What is kept on this computer, whether it is sound, and removing it for good. */
export function DataSettings() {
  const { active } = useWorkspaces();
  return (
    <Stack gap="lg">
      {active === null ? (
        <Hint>No workspaces yet, so no records are stored.</Hint>
      ) : (
        <WorkspaceData workspace={active} />
      )}
      <RemoveEverything />
    </Stack>
  );
}

function WorkspaceData({ workspace }: { workspace: Workspace }) {
  const workspaceId = workspace.id;
  const state = useDeskQuery('store:getState', { workspaceId });
  const check = useDeskMutation('store:check');
  const removeAside = useDeskMutation('store:removeKeptAside');
  if (state.error !== null || state.data === undefined) return <NotLoaded query={state} what="the files" />;
  const { records, userData } = state.data;
  const aside = [...records.keptAside, ...userData.keptAside];
  const asideBytes = aside.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <StoreFileFacts workspaceId={workspaceId} title={`Records of ${workspace.name}`} state={records} />
      <StoreFileFacts workspaceId={workspaceId} title="Notes, saved views, and audit log" state={userData} />
      <Group gap="xs">
        <Button
          variant="default"
          loading={check.isPending}
          onClick={() => check.mutate({ workspaceId, isFull: false })}
        >
          Check now
        </Button>
        <Button
          variant="default"
          disabled={check.isPending}
          onClick={() => check.mutate({ workspaceId, isFull: true })}
        >
          Check every record
        </Button>
      </Group>
      {check.isPending && <StoreProgressView workspaceId={workspaceId} work="check" />}
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
          <SmallButton loading={removeAside.isPending} onClick={() => removeAside.mutate({ workspaceId })}>
            Delete damaged files
          </SmallButton>
        </Group>
      )}
      <ErrorNotice error={removeAside.error} />
      <Section title="Remove records from this computer">
        <RetentionSettings workspaceId={workspaceId} rules={state.data.retention} />
      </Section>
    </>
  );
}
