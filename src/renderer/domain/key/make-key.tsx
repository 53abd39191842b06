import { Select } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import type { KeyType, SshKey } from '../../../contract/ssh-keys.ts';
import { Details } from '../../components/details.tsx';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { Hint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyTypeChoices } from './key-labels.ts';

interface MakeProps {
  readonly onMade: (key: SshKey) => void;
  /** The workspace without a key that will use the new one. */
  readonly workspaceId?: string;
}

/** Makes a new key; nothing uses it until it is assigned to a workspace. */
export const MakeKey = ({
  label,
  button = {},
  ...made
}: MakeProps & Pick<ComponentProps<typeof DialogButton>, 'label' | 'button'>) => (
  <DialogButton label={label} button={button} title="Make SSH key">
    {(close) => <Make {...made} onClose={close} />}
  </DialogButton>
);

function Make({ workspaceId, onMade, onClose }: MakeProps & { onClose: () => void }) {
  const make = useDeskMutation('keys:generate');
  const [type, setType] = useState<KeyType>('ed25519');
  const [name, setName] = useState('');
  const submit = () => {
    const request = {
      type,
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(workspaceId === undefined ? {} : { workspaceId }),
    };
    make.mutate(request, {
      onSuccess: (key) => {
        onClose();
        onMade(key);
      },
    });
  };
  return (
    <DialogForm
      action="Make key"
      isPending={make.isPending}
      error={make.error}
      errorTitle="Couldn’t make the key"
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextField
        label="Key name"
        description="Optional. Including the date helps."
        maxLength={80}
        value={name}
        onChange={setName}
        data-autofocus
      />
      <Details summary="Advanced">
        <KeyTypeSelect value={type} onChange={setType} />
      </Details>
      {type.startsWith('rsa') && <Hint>RSA keys take a few seconds.</Hint>}
    </DialogForm>
  );
}

/** The choice of a new key's type. */
export function KeyTypeSelect({ value, onChange }: { value: KeyType; onChange: (type: KeyType) => void }) {
  return (
    <Select
      label="Key type"
      description="Ed25519 suits every service, unless yours asks for another."
      data={keyTypeChoices}
      value={value}
      onChange={(chosen) => onChange((chosen ?? 'ed25519') as KeyType)}
      allowDeselect={false}
      maw={320}
    />
  );
}
