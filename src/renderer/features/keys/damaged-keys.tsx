import { Code, Group, Stack, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { Notice } from '../../components/notice.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { RetireKey } from './retire-key.tsx';

/** Keys whose files exist but cannot be read: what that means, and what to do. */
export function DamagedKeys({ workspaces }: { workspaces: readonly Workspace[] }) {
  const { data } = useDeskQuery('keys:listDamaged', {});
  if (data === undefined || data.keys.length === 0) return null;
  return (
    <Notice
      tone="bad"
      role="alert"
      title={data.keys.length === 1 ? '1 key can’t be read' : `${data.keys.length} keys can’t be read`}
    >
      <Stack gap="xs">
        <Text size="sm">
          <b>What to do: </b>Restore the profile folder from a backup. If you have none, make a new key,
          register it, choose it for the workspace, and remove the damaged key.
        </Text>
        {data.keys.map((key) => {
          const users = workspaces.filter(({ id }) => key.workspaceIds.includes(id));
          return (
            <Group key={key.id} gap="xs">
              <Text size="sm">
                <Code>{key.id}</Code>
                {users.length > 0 && ` used by ${users.map(({ name }) => name).join(', ')}.`}
              </Text>
              <RetireKey
                keyId={key.id}
                name={key.id}
                isDamaged
                wantsName={users.length > 0}
                onRetired={() => undefined}
              />
            </Group>
          );
        })}
      </Stack>
    </Notice>
  );
}
