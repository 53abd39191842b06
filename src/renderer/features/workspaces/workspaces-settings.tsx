import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { FieldList } from '../../components/page.tsx';
import { WorkspaceDot } from '../../components/workspace-dot.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspaces } from '../../lib/use-workspaces.ts';
import { nameColor } from './color-words.ts';
import styles from './workspaces-settings.module.css';

/** The connections to services; each keeps its records apart. */
export function WorkspacesSettings() {
  const { workspaces, active, error } = useWorkspaces();
  if (error !== null) return <ErrorNotice error={error} title="The workspaces cannot be listed" />;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Each workspace is one account at one service, with an encrypted store of its own. The sample never
        mixes with them.
      </Text>
      <Group>
        <ButtonLink to="/welcome/connect" search={{ isNew: true }}>
          Add a workspace
        </ButtonLink>
      </Group>
      {workspaces.length === 0 && <Text size="sm">There is no workspace yet.</Text>}
      <ul className={styles.list} aria-label="Workspaces">
        {workspaces.map((workspace) => (
          <WorkspaceEntry key={workspace.id} workspace={workspace} isActive={workspace.id === active?.id} />
        ))}
      </ul>
    </Stack>
  );
}

function WorkspaceEntry({ workspace, isActive }: { workspace: Workspace; isActive: boolean }) {
  const activate = useDeskMutation('workspaces:activate');
  const keys = useDeskQuery('keys:list', {});
  const key = keys.data?.keys.find(({ id }) => id === workspace.keyId);
  return (
    <li className={styles.entry}>
      <Group justify="space-between" mb={6}>
        <Group gap="xs">
          <WorkspaceDot color={workspace.color} />
          <AnchorLink to="/settings/workspaces/$workspaceId" params={{ workspaceId: workspace.id }} fw={600}>
            {workspace.name}
          </AnchorLink>
          {isActive && <Badge variant="default">Open now</Badge>}
          {workspace.isSample && <Badge variant="default">Sample</Badge>}
        </Group>
        {!isActive && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Open ${workspace.name}`}
            loading={activate.isPending}
            onClick={() => activate.mutate({ workspaceId: workspace.id })}
          >
            Open
          </Button>
        )}
      </Group>
      <FieldList
        fields={[
          ['Service', workspace.baseUrl],
          ['Account', workspace.email],
          [
            'Token',
            <code key="token">
              {workspace.header}: {workspace.scheme} …
            </code>,
          ],
          [
            'Key',
            key === undefined ? (
              'none'
            ) : (
              <AnchorLink key="key" to="/settings/keys/$keyId" params={{ keyId: key.id }}>
                {key.name}
              </AnchorLink>
            ),
          ],
          ['Color', nameColor(workspace.color)],
        ]}
      />
      {activate.error !== null && <ErrorNotice error={activate.error} />}
    </li>
  );
}
