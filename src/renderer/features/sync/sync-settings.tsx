import { Button, Group, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { ButtonLink } from '../../components/links.tsx';
import { summarizeSync } from '../../lib/sync-words.ts';
import { useNow } from '../../lib/use-now.ts';
import { useSync } from '../../lib/use-sync.ts';
import { useWorkspaces } from '../../lib/use-workspaces.ts';

/** The sync's place in the settings. */
export function SyncSettings() {
  const { active } = useWorkspaces();
  if (active === null) {
    return (
      <Text size="sm" c="dimmed">
        There is no workspace yet, so there is nothing to sync.
      </Text>
    );
  }
  return <ActiveSync workspace={active} />;
}

function ActiveSync({ workspace }: { workspace: Workspace }) {
  const sync = useSync(workspace);
  const now = useNow();
  return (
    <Group justify="space-between">
      <Text size="sm">
        {workspace.name}:{' '}
        {sync.status === undefined
          ? 'reading the status…'
          : summarizeSync(sync.status, sync.isServiceReachable, now).text}
      </Text>
      <Group gap="xs">
        <ButtonLink size="compact-sm" variant="default" to="/sync">
          Show details
        </ButtonLink>
        {sync.status?.running === null && (
          <Button size="compact-sm" onClick={sync.start} loading={sync.isStarting}>
            Sync now
          </Button>
        )}
      </Group>
    </Group>
  );
}
