import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ConfirmButton } from '../../components/dialog.tsx';
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
  const letUse = async () => {
    if (chosen === undefined) return;
    await use.mutateAsync({ workspaceId: chosen.id, keyId: sshKey.id });
    setChosenId(null);
    void cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') });
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
          {sshKey.provenAt === null ? (
            <ConfirmButton
              label="Use this key"
              button={{ disabled: chosen === undefined }}
              title="Use a key that isn’t verified?"
              action="Use anyway"
              cancel="Register first"
              onConfirm={letUse}
            >
              <Text size="sm">
                The service hasn’t accepted this key yet. Until it is registered, {chosen?.name} can’t sync.
              </Text>
            </ConfirmButton>
          ) : (
            <Button
              variant="default"
              disabled={chosen === undefined}
              loading={use.isPending}
              onClick={() => letUse().catch(() => undefined)}
            >
              Use this key
            </Button>
          )}
        </Group>
      )}
      {sshKey.provenAt !== null && <ErrorNotice error={use.error} />}
    </Stack>
  );
}
