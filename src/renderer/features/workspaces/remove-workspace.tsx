import { Checkbox, Code, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useLeaveFor } from '../../lib/use-leave-for.ts';

interface RemoveProps {
  readonly workspace: Workspace;
  readonly sshKey: SshKey | undefined;
}

/** Removes a workspace with all its data; its key is removed only if that is chosen. */
export function RemoveWorkspace(props: RemoveProps) {
  const { name, isSample } = props.workspace;
  return (
    <DialogButton
      label={isSample ? 'Exit sample…' : 'Remove workspace…'}
      title={isSample ? 'Exit sample?' : `Remove “${name}”?`}
    >
      {(close) => <Remove {...props} onClose={close} />}
    </DialogButton>
  );
}

function Remove({ workspace, sshKey, onClose }: RemoveProps & { onClose: () => void }) {
  const leaveForList = useLeaveFor('workspaces');
  const cache = useQueryClient();
  const remove = useDeskMutation('workspaces:remove');
  const leave = useDeskMutation('sample:close');
  const [alsoRemovesKeys, setAlsoRemovesKeys] = useState(false);
  const [typed, setTyped] = useState('');
  const isOwnKey = sshKey?.workspaceIds.every((id) => id === workspace.id) === true;
  const isNameWanted =
    alsoRemovesKeys && remove.error !== null && reportOf(remove.error).code === 'key.nameNeeded';
  const finish = async () => {
    onClose();
    await leaveForList();
    for (const domain of ['workspaces', 'keys'])
      await cache.invalidateQueries({ queryKey: keyPrefixes.domain(domain) });
  };
  const removeAll = () =>
    workspace.isSample
      ? leave.mutateAsync({})
      : remove.mutateAsync({
          workspaceId: workspace.id,
          ...(alsoRemovesKeys && isOwnKey ? { alsoRemovesKeys } : {}),
          ...(typed === '' ? {} : { typedKeyName: typed }),
        });
  return (
    <DialogForm
      action={workspace.isSample ? 'Exit sample' : 'Remove workspace'}
      isDestructive
      isReady={!isNameWanted || typed.trim() === sshKey?.name.trim()}
      isPending={remove.isPending || leave.isPending}
      error={leave.error ?? (isNameWanted ? null : remove.error)}
      errorTitle="Couldn’t remove the workspace"
      // Awaited, not a callback: this page is unmounted when its workspace is removed.
      onSubmit={() => removeAll().then(finish, () => undefined)}
      onCancel={onClose}
    >
      <Text size="sm">
        {workspace.isSample
          ? 'Deletes the sample’s records, key, and service. Your real data is not affected.'
          : 'Permanently deletes its records, their encryption key, and any key rotation in progress from this computer. The service is not affected.'}
      </Text>
      {!workspace.isSample && isOwnKey && sshKey !== undefined && (
        <Checkbox
          label={`Also delete its SSH key “${sshKey.name}”`}
          description="No other workspace uses it. Also delete the public key at the service."
          checked={alsoRemovesKeys}
          onChange={(event) => setAlsoRemovesKeys(event.currentTarget.checked)}
        />
      )}
      {isNameWanted && sshKey !== undefined && (
        <>
          <Text size="sm" role="alert">
            This is your last working key. Type <Code>{sshKey.name}</Code> to delete it anyway.
          </Text>
          <TextField label="Key name" value={typed} onChange={setTyped} />
        </>
      )}
    </DialogForm>
  );
}
