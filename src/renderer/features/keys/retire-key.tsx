import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';

interface RetireProps {
  readonly keyId: string;
  readonly name: string;
  readonly isDamaged?: boolean;
  readonly wantsName: boolean;
  readonly onRetired: () => void;
}

/** Removes a key permanently. For one that is in use, or the last working one, its name must be typed. */
export function RetireKey(props: RetireProps) {
  const { keyId, name, isDamaged } = props;
  return (
    <DialogButton
      label={isDamaged ? 'Remove…' : 'Retire key…'}
      button={{
        size: 'compact-sm',
        ...(isDamaged ? { 'aria-label': `Remove the damaged key ${keyId}` } : {}),
      }}
      title={isDamaged ? 'Remove damaged key?' : `Retire “${name}”?`}
    >
      {(close) => <Retire {...props} onClose={close} />}
    </DialogButton>
  );
}

function Retire(props: RetireProps & { onClose: () => void }) {
  const { keyId, name, isDamaged, onClose } = props;
  const retire = useDeskMutation('keys:retire');
  const [typed, setTyped] = useState('');
  // Main decides, since the window's data may be outdated.
  const wantsName = props.wantsName || (retire.isError && reportOf(retire.error).code === 'key.nameNeeded');
  // Awaited, not a callback: the key's page is unmounted when the key is removed.
  const submit = () =>
    retire.mutateAsync({ keyId, ...(wantsName ? { typedName: typed } : {}) }).then(
      () => {
        onClose();
        props.onRetired();
      },
      () => undefined,
    );
  return (
    <DialogForm
      action={isDamaged ? 'Remove key' : 'Retire key'}
      isDestructive
      isReady={!wantsName || typed.trim() === name.trim()}
      isPending={retire.isPending}
      error={retire.error}
      errorTitle="Couldn’t remove the key"
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm">
        Permanently deletes the private key from this computer. Also delete the public key on the service’s
        SSH keys page.
      </Text>
      {wantsName && (
        <>
          <Text size="sm">
            A workspace uses this key, or it is your last working key. Without it, Claimdesk can’t connect.
            Type <Code>{name}</Code> to continue.
          </Text>
          <TextField
            label={isDamaged ? 'Key ID' : 'Key name'}
            value={typed}
            onChange={setTyped}
            data-autofocus
          />
        </>
      )}
    </DialogForm>
  );
}
