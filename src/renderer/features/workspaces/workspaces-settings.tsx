import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import styles from '../../components/entries.module.css';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { FieldList } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint } from '../../components/text.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { WorkspaceDot } from '../../domain/workspace/workspace-dot.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** The workspaces; each has its own records. */
export function WorkspacesSettings() {
  const state = useWorkspaces();
  const { workspaces, active } = state;
  if (state.error !== null || state.isLoading) return <NotLoaded query={state} what="the workspaces" />;
  return (
    <Stack gap="md">
      <Hint>
        One workspace per service account. Each has its own encrypted data, separate from the sample.
      </Hint>
      <Group>
        <ButtonLink to="/welcome/connect" search={{ isNew: true }}>
          Add workspace
        </ButtonLink>
        <ButtonLink variant="default" to="/welcome/connect" search={{ isNew: true, isInvited: true }}>
          Join a team
        </ButtonLink>
      </Group>
      {workspaces.length === 0 && <Text size="sm">No workspaces yet.</Text>}
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
          {isActive && <Badge variant="default">Current</Badge>}
          {workspace.isSample && <Badge variant="default">Sample</Badge>}
        </Group>
        {!isActive && (
          <SmallButton
            aria-label={`Open ${workspace.name}`}
            loading={activate.isPending}
            onClick={() => activate.mutate({ workspaceId: workspace.id })}
          >
            Open
          </SmallButton>
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
        ]}
      />
      <ErrorNotice error={activate.error} />
    </li>
  );
}
