import { Button, Checkbox, Code, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SshKey, Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** Removes a workspace with everything of it; its key goes along only if that is wanted. */
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
  const onGone = async () => {
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
  // By the promise: this page is gone as soon as its workspace is, and nobody would be called back.
  const submit = () => removeAll().then(onGone, () => undefined);
  const verb = workspace.isSample ? 'Leave the sample' : 'Remove this workspace';
  const error = leave.error ?? (isNameWanted ? null : remove.error);
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {verb}…
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={workspace.isSample ? 'Leave the sample?' : `Remove “${workspace.name}”?`}
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
                ? 'The invented records, the sample’s key and its service go. Real data is not touched.'
                : 'Its records on this computer, the key of their store and a rotation that is under way are destroyed. At the service nothing changes.'}
            </Text>
            {!workspace.isSample && isOwnKey && sshKey !== undefined && (
              <Checkbox
                label={`Also destroy its SSH key “${sshKey.name}”`}
                description="No other workspace uses it. Delete its public half at the service as well."
                checked={alsoRemovesKeys}
                onChange={(event) => setAlsoRemovesKeys(event.currentTarget.checked)}
              />
            )}
            {isNameWanted && sshKey !== undefined && (
              <>
                <Text size="sm" role="alert">
                  It is the last key here that works. Type <Code>{sshKey.name}</Code> to destroy it all the
                  same.
                </Text>
                <TextInput
                  label="Name of the key"
                  autoComplete="off"
                  spellCheck={false}
                  value={typed}
                  onChange={(event) => setTyped(event.currentTarget.value)}
                />
              </>
            )}
            {error !== null && <ErrorNotice error={error} title="The workspace is still here" />}
            <FormEnd
              action={workspace.isSample ? 'Leave sample' : 'Remove workspace'}
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
