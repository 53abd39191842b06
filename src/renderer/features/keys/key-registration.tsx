import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { Registration } from '../../domain/key/registration.tsx';

/** Registration for one of the workspaces: one that uses the key, else the open one. */
export function KeyRegistration(props: {
  sshKey: SshKey;
  workspaces: readonly Workspace[];
  active: Workspace | null;
}) {
  const { sshKey, workspaces, active } = props;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const workspace =
    workspaces.find(({ id }) => id === chosenId) ??
    workspaces.find(({ id }) => sshKey.workspaceIds.includes(id)) ??
    workspaces.find(({ id }) => id === active?.id) ??
    workspaces[0];
  if (workspace === undefined) return null;
  return (
    <Stack gap="sm">
      {workspaces.length > 1 && (
        <Select
          label="Workspace"
          data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          value={workspace.id}
          onChange={setChosenId}
          allowDeselect={false}
          maw={340}
        />
      )}
      <Registration key={workspace.id} workspace={workspace} sshKey={sshKey} hidesKey />
    </Stack>
  );
}
