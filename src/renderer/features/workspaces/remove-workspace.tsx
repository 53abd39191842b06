import { Button, Checkbox, Code, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** Removes a workspace with all its data; its key is removed only if that is chosen. */
export function RemoveWorkspace(props: { workspace: Workspace; sshKey: SshKey | undefined }) {
  const { workspace, sshKey } = props;
  const navigate = useNavigate();
  const cache = useQueryClient();
  const remove = useDeskMutation('workspaces:remove');
  const leave = useDeskMutation('sample:close');
  const [isOpen, setIsOpen] = useState(false);
  const [alsoRemovesKeys, setAlsoRemovesKeys] = useState(false);
  const [typed, setTyped] = useState('');
  const isOwnKey = sshKey?.workspaceIds.every((id) => id === workspace.id) === true;
  const isNameWanted =
    alsoRemovesKeys && remove.error !== null && reportOf(remove.error).code === 'key.nameNeeded';
  const close = () => {
    setIsOpen(false);
    setTyped('');
    setAlsoRemovesKeys(false);
    remove.reset();
  };
  const finish = async () => {
    close();
    await navigate({ to: '/settings/$section', params: { section: 'workspaces' } });
    for (const domain of ['workspaces', 'keys']) {
      await cache.invalidateQueries({ queryKey: keyPrefixes.domain(domain) });
    }
  };
  const removeAll = () =>
    workspace.isSample
      ? leave.mutateAsync({})
      : remove.mutateAsync({
          workspaceId: workspace.id,
          ...(alsoRemovesKeys && isOwnKey ? { alsoRemovesKeys } : {}),
          ...(typed === '' ? {} : { typedKeyName: typed }),
        });
  // Awaited, not a callback: this page is unmounted when its workspace is removed.
  const submit = () => removeAll().then(finish, () => undefined);
  const verb = workspace.isSample ? 'Exit sample' : 'Remove workspace';
  const error = leave.error ?? (isNameWanted ? null : remove.error);
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {verb}…
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={workspace.isSample ? 'Exit sample?' : `Remove “${workspace.name}”?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <Stack gap="sm">
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
                <TextInput
                  label="Key name"
                  autoComplete="off"
                  spellCheck={false}
                  value={typed}
                  onChange={(event) => setTyped(event.currentTarget.value)}
                />
              </>
            )}
            <ErrorNotice error={error} title="Couldn’t remove the workspace" />
            <FormEnd
              action={workspace.isSample ? 'Exit sample' : 'Remove workspace'}
              isDestructive
              isReady={!isNameWanted || typed.trim() === sshKey?.name.trim()}
              isPending={remove.isPending || leave.isPending}
              onCancel={close}
            />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
