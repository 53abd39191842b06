import { Button, Group, Stack, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatBytes } from '../../lib/store-words.ts';
import { useWorkspaces } from '../../lib/use-workspaces.ts';
import { RemoveEverything } from './remove-everything.tsx';
import { RetentionSettings } from './retention-settings.tsx';
import { StoreFileFacts } from './store-file-facts.tsx';

/** What is kept on this computer, whether it is sound, and removing it for good. */
export function DataSettings() {
  const { active } = useWorkspaces();
  return (
    <Stack gap="lg">
      {active === null ? (
        <Text size="sm" c="dimmed">
          There is no workspace yet, so no records are kept here.
        </Text>
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
  if (state.error !== null) return <ErrorNotice error={state.error} title="The files cannot be looked at" />;
  if (state.data === undefined) return <LoadingState what="the files" />;
  const { theirs, ours } = state.data;
  const aside = [...theirs.keptAside, ...ours.keptAside];
  const asideBytes = aside.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <StoreFileFacts workspaceId={workspaceId} title={`Records of ${workspace.name}`} state={theirs} />
      <StoreFileFacts workspaceId={workspaceId} title="Notes, saved lists and audit log" state={ours} />
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
      {check.error !== null && <ErrorNotice error={check.error} title="The check did not run" />}
      {aside.length > 0 && (
        <Group justify="space-between">
          <Text size="sm">
            Damaged files kept aside, encrypted: {aside.length}, {formatBytes(asideBytes)}.
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            loading={removeAside.isPending}
            onClick={() => removeAside.mutate({ workspaceId })}
          >
            Remove them
          </Button>
        </Group>
      )}
      {removeAside.error !== null && <ErrorNotice error={removeAside.error} />}
      <Section title="Remove records from this computer">
        <RetentionSettings workspaceId={workspaceId} rules={state.data.retention} />
      </Section>
    </>
  );
}
