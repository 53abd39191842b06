import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { WorkspaceDot } from '../../domain/workspace/workspace-dot.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** The workspaces that use a key, with a choice to add another. */
export function KeyUsers({ sshKey, workspaces }: { sshKey: SshKey; workspaces: readonly Workspace[] }) {
  const cache = useQueryClient();
  const use = useDeskMutation('keys:use');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const users = workspaces.filter(({ id }) => sshKey.workspaceIds.includes(id));
  const others = workspaces.filter(({ id }) => !sshKey.workspaceIds.includes(id));
  const chosen = others.find(({ id }) => id === chosenId);
  const letUse = (workspaceId: string) =>
    use.mutate(
      { workspaceId, keyId: sshKey.id },
      {
        onSuccess: () => {
          setChosenId(null);
          void cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') });
        },
      },
    );
  const askUse = ({ id, name }: Workspace) => {
    if (sshKey.provenAt !== null) return letUse(id);
    modals.openConfirmModal({
      title: 'Use a key that isn’t verified?',
      children: (
        <Text size="sm">
          The service hasn’t accepted this key yet. Until it is registered, {name} can’t sync.
        </Text>
      ),
      labels: { confirm: 'Use anyway', cancel: 'Register first' },
      onConfirm: () => letUse(id),
    });
  };
  return (
    <Stack gap="sm">
      {users.length === 0 && <Text size="sm">No workspace uses this key.</Text>}
      {users.map((workspace) => (
        <Group key={workspace.id} gap="xs">
          <WorkspaceDot color={workspace.color} />
          <Text size="sm">Used by</Text>
          <AnchorLink to="/settings/workspaces/$workspaceId" params={{ workspaceId: workspace.id }}>
            {workspace.name}
          </AnchorLink>
          <AnchorLink to="/settings/workspaces/$workspaceId/rotate" params={{ workspaceId: workspace.id }}>
            Rotate key
          </AnchorLink>
        </Group>
      ))}
      {others.length > 0 && (
        <Group align="flex-end" gap="xs">
          <Select
            label="Use in another workspace"
            placeholder="Choose a workspace"
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen?.id ?? null}
            onChange={setChosenId}
            w={300}
          />
          <Button
            variant="default"
            disabled={chosen === undefined}
            loading={use.isPending}
            onClick={() => {
              if (chosen !== undefined) askUse(chosen);
            }}
          >
            Use this key
          </Button>
        </Group>
      )}
      <ErrorNotice error={use.error} />
    </Stack>
  );
}
