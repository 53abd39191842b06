import { Badge, Button, Divider, Group, Menu, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { SshKey, Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PublicKey } from '../../components/public-key.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspaces } from '../../lib/use-workspaces.ts';
import { MakeKey } from './make-key.tsx';

/** The SSH keys that sign requests: public halves only. */
export function KeysSettings() {
  const { data, error } = useDeskQuery('keys:list', {});
  const { workspaces } = useWorkspaces();
  if (error !== null) return <ErrorNotice error={error} title="The keys cannot be listed" />;
  if (data === undefined) return null;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        A key proves to the service who asks. Its private half stays in the keychain and is never shown.
      </Text>
      {data.keys.length === 0 && <Text size="sm">There is no key yet.</Text>}
      {data.keys.map((key) => (
        <KeyCard key={key.id} sshKey={key} workspaces={workspaces} />
      ))}
      <Divider />
      <MakeKey />
    </Stack>
  );
}

function KeyCard({ sshKey, workspaces }: { sshKey: SshKey; workspaces: readonly Workspace[] }) {
  const now = useNow();
  const remove = useDeskMutation('keys:remove');
  const use = useDeskMutation('keys:use');
  const check = useDeskMutation('keys:check');
  const users = workspaces.filter((workspace) => workspace.keyId === sshKey.id);
  const others = workspaces.filter((workspace) => workspace.keyId !== sshKey.id && !workspace.isSample);
  const askRemove = () =>
    modals.openConfirmModal({
      title: 'Remove this key?',
      children: (
        <Text size="sm">
          The private half of “{sshKey.name}” is destroyed and cannot be brought back. Remove its public half
          at the service as well.
        </Text>
      ),
      labels: { confirm: 'Remove key', cancel: 'Keep it' },
      confirmProps: { color: 'red' },
      onConfirm: () => remove.mutate({ keyId: sshKey.id }),
    });
  const error = remove.error ?? use.error ?? check.error;
  return (
    <Stack gap={8} component="article" aria-label={`Key ${sshKey.name}`}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{sshKey.name}</Text>
          <Badge variant="default">{sshKey.type}</Badge>
          <Text size="sm" c="dimmed">
            {sshKey.provenAt === null
              ? 'not proven yet'
              : `accepted by the service ${formatWhen(sshKey.provenAt, now)}`}
          </Text>
        </Group>
        <Group gap="xs">
          {users[0] !== undefined && (
            <Button
              size="compact-sm"
              variant="default"
              loading={check.isPending}
              onClick={() => check.mutate({ workspaceId: users[0]?.id ?? '', keyId: sshKey.id })}
            >
              Check registration
            </Button>
          )}
          {others.length > 0 && (
            <Menu withInitialFocusPlaceholder={false}>
              <Menu.Target>
                <Button size="compact-sm" variant="default" loading={use.isPending}>
                  Use for…
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {others.map((workspace) => (
                  <Menu.Item
                    key={workspace.id}
                    onClick={() => use.mutate({ workspaceId: workspace.id, keyId: sshKey.id })}
                  >
                    {workspace.name}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
          <Button
            size="compact-sm"
            variant="default"
            disabled={users.length > 0}
            loading={remove.isPending}
            onClick={askRemove}
          >
            Remove
          </Button>
        </Group>
      </Group>
      <Text size="sm">
        {users.length === 0
          ? 'Signs for no workspace.'
          : `Signs for ${users.map((workspace) => workspace.name).join(', ')}.`}
      </Text>
      {error !== null && <ErrorNotice error={error} />}
      <PublicKey sshKey={sshKey} />
    </Stack>
  );
}
