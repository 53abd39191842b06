import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KeyType, SshKey } from '../../../contract/ssh-keys.ts';
import { Details } from '../../components/details.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { Hint } from '../../components/text.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyTypeChoices } from './key-labels.ts';

/** Makes a new key; nothing uses it until it is assigned to a workspace. */
export function MakeKey(props: {
  label: string;
  onMade: (key: SshKey) => void;
  /** The workspace without a key that is to use it. */
  workspaceId?: string;
  isQuiet?: boolean;
}) {
  const make = useDeskMutation('keys:generate');
  const [isOpen, setIsOpen] = useState(false);
  const [type, setType] = useState<KeyType>('ed25519');
  const [name, setName] = useState('');
  const close = () => {
    setIsOpen(false);
    make.reset();
  };
  const submit = () => {
    const trimmed = name.trim();
    const wanted = {
      type,
      ...(trimmed === '' ? {} : { name: trimmed }),
      ...(props.workspaceId === undefined ? {} : { workspaceId: props.workspaceId }),
    };
    make.mutate(wanted, {
      onSuccess: (key) => {
        setName('');
        close();
        props.onMade(key);
      },
    });
  };
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        {...(props.isQuiet ? { variant: 'default', size: 'compact-sm' } : {})}
      >
        {props.label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Make SSH key"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="Key name"
              description="Optional. Including the date helps."
              maxLength={80}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <Details summary="Advanced">
              <Select
                label="Type"
                description="Ed25519 suits every service, unless yours asks for another."
                data={keyTypeChoices}
                value={type}
                onChange={(value) => setType((value ?? 'ed25519') as KeyType)}
                allowDeselect={false}
              />
            </Details>
            {type.startsWith('rsa') && <Hint>RSA keys take a few seconds.</Hint>}
            <ErrorNotice error={make.error} title="Couldn’t make the key" />
            <FormEnd action="Make key" isReady isPending={make.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
