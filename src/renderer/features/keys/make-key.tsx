import { Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KeyType } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyTypeChoices } from '../../lib/key-words.ts';

/** Makes a new key; nothing uses it until a workspace is told to. */
export function MakeKey() {
  const make = useDeskMutation('keys:generate');
  const [type, setType] = useState<KeyType>('ed25519');
  const [name, setName] = useState('');
  const submit = () => {
    const trimmed = name.trim();
    make.mutate({ type, ...(trimmed === '' ? {} : { name: trimmed }) }, { onSuccess: () => setName('') });
  };
  return (
    <>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Name of the new key"
          placeholder="Claimdesk key"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Type"
          data={keyTypeChoices}
          value={type}
          onChange={(value) => setType((value ?? 'ed25519') as KeyType)}
          allowDeselect={false}
        />
        <Button variant="default" onClick={submit} loading={make.isPending}>
          Make a new key
        </Button>
      </Group>
      {make.error !== null && <ErrorNotice error={make.error} title="No key was made" />}
    </>
  );
}
