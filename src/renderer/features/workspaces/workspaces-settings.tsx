import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { WorkspaceDot } from '../../components/workspace-dot.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { useWorkspaces } from '../../lib/use-workspaces.ts';
import { RenameWorkspace } from './rename-workspace.tsx';

/** The connections to services; each keeps its records apart. */
export function WorkspacesSettings() {
  const { workspaces, active, error } = useWorkspaces();
  if (error !== null) return <ErrorNotice error={error} title="The workspaces cannot be listed" />;
  return (
    <Stack gap="md">
      {workspaces.length === 0 && <Text size="sm">There is no workspace yet.</Text>}
      {workspaces.map((workspace) => (
        <WorkspaceCard key={workspace.id} workspace={workspace} isActive={workspace.id === active?.id} />
      ))}
      <Group>
        <ButtonLink to="/welcome/connect" search={{ isNew: true }} variant="default">
          Add a workspace
        </ButtonLink>
      </Group>
    </Stack>
  );
}

function WorkspaceCard({ workspace, isActive }: { workspace: Workspace; isActive: boolean }) {
  const activate = useDeskMutation('workspaces:activate');
  const remove = useDeskMutation('workspaces:remove');
  const closeSample = useDeskMutation('sample:close');
  const askRemove = () =>
    modals.openConfirmModal({
      title: workspace.isSample ? 'Leave the sample?' : 'Remove this workspace?',
      children: (
        <Text size="sm">All its records on this computer are destroyed. At the service nothing changes.</Text>
      ),
      labels: { confirm: workspace.isSample ? 'Leave sample' : 'Remove workspace', cancel: 'Keep it' },
      confirmProps: { color: 'red' },
      onConfirm: () =>
        workspace.isSample ? closeSample.mutate({}) : remove.mutate({ workspaceId: workspace.id }),
    });
  const error = activate.error ?? remove.error ?? closeSample.error;
  return (
    <Stack gap={6} component="article" aria-label={`Workspace ${workspace.name}`}>
      <Group justify="space-between">
        <Group gap="xs">
          <WorkspaceDot color={workspace.color} />
          <Text fw={600}>{workspace.name}</Text>
          {isActive && <Badge variant="default">Open now</Badge>}
          {workspace.isSample && <Badge variant="default">Sample</Badge>}
        </Group>
        <Group gap="xs">
          {!isActive && (
            <Button
              size="compact-sm"
              variant="default"
              loading={activate.isPending}
              onClick={() => activate.mutate({ workspaceId: workspace.id })}
            >
              Open
            </Button>
          )}
          <RenameWorkspace workspace={workspace} />
          <Button size="compact-sm" variant="default" onClick={askRemove} loading={remove.isPending}>
            {workspace.isSample ? 'Leave sample' : 'Remove'}
          </Button>
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {workspace.email} at {workspace.baseUrl}
      </Text>
      {error !== null && <ErrorNotice error={error} />}
    </Stack>
  );
}
