import { Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';

/** The name of a key, which is also the comment of its public half. */
export function RenameKey({ sshKey }: { sshKey: SshKey }) {
  const rename = useDeskMutation('keys:rename');
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState(sshKey.name);
  const close = () => {
    setIsOpen(false);
    rename.reset();
  };
  const open = () => {
    setName(sshKey.name);
    setIsOpen(true);
  };
  return (
    <>
      <SmallButton onClick={open}>Rename…</SmallButton>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Rename key"
        size="sm"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate({ keyId: sshKey.id, name: name.trim() }, { onSuccess: close });
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="Name"
              description="Changes the name on this computer only"
              maxLength={80}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <ErrorNotice error={rename.error} />
            <FormEnd
              action="Rename"
              isReady={name.trim() !== ''}
              isPending={rename.isPending}
              onCancel={close}
            />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
