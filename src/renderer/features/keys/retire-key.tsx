import { Code, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';

/** Removes a key for good. For one that is in use, or the last that works, its name must be typed. */
export function RetireKey(props: {
  keyId: string;
  name: string;
  isDamaged?: boolean;
  wantsName: boolean;
  onRetired: () => void;
}) {
  const { keyId, name } = props;
  const retire = useDeskMutation('keys:retire');
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const report = retire.error === null ? null : reportOf(retire.error);
  // Main decides, since the window's data may be outdated.
  const wantsName = props.wantsName || report?.code === 'key.nameNeeded';
  const close = () => {
    setIsOpen(false);
    setTyped('');
    retire.reset();
  };
  // Awaited, not a callback: the key's page is unmounted when the key is removed.
  const submit = () =>
    retire.mutateAsync({ keyId, ...(wantsName ? { typedName: typed } : {}) }).then(
      () => {
        close();
        props.onRetired();
      },
      () => undefined,
    );
  return (
    <>
      <SmallButton
        onClick={() => setIsOpen(true)}
        {...(props.isDamaged ? { 'aria-label': `Remove the damaged key ${keyId}` } : {})}
      >
        {props.isDamaged ? 'Remove…' : 'Retire key…'}
      </SmallButton>
      <Modal
        opened={isOpen}
        onClose={close}
        title={props.isDamaged ? 'Remove damaged key?' : `Retire “${name}”?`}
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
              Permanently deletes the private key from this computer. Also delete the public key on the
              service’s SSH keys page.
            </Text>
            {wantsName && (
              <>
                <Text size="sm">
                  A workspace uses this key, or it is your last working key. Without it, Claimdesk can’t
                  connect. Type <Code>{name}</Code> to continue.
                </Text>
                <TextInput
                  label={props.isDamaged ? 'Key ID' : 'Key name'}
                  autoComplete="off"
                  spellCheck={false}
                  value={typed}
                  onChange={(event) => setTyped(event.currentTarget.value)}
                  data-autofocus
                />
              </>
            )}
            <ErrorNotice error={retire.error} title="Couldn’t remove the key" />
            <FormEnd
              action={props.isDamaged ? 'Remove key' : 'Retire key'}
              isDestructive
              isReady={!wantsName || typed.trim() === name.trim()}
              isPending={retire.isPending}
              onCancel={close}
            />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
