import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyType, SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { Details } from '../../components/details.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ImportKey } from '../../domain/key/import-key.tsx';
import { KeyTypeSelect } from '../../domain/key/make-key.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** Makes a key for this workspace, or uses an existing one. */
export function KeyStep({ workspace, keys }: { workspace: Workspace; keys: readonly SshKey[] }) {
  const cache = useQueryClient();
  const make = useDeskMutation('keys:generate');
  const use = useDeskMutation('keys:use');
  const [type, setType] = useState<KeyType>('ed25519');
  const [existing, setExisting] = useState<string | null>(null);
  const refresh = {
    onSuccess: () => void cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') }),
  };
  const error = make.error ?? use.error;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Claimdesk signs in with a security key. The private key never leaves this computer; you’ll paste the
        public key into the service’s website next.
      </Text>
      <Group align="flex-end" gap="xs">
        <Button
          loading={make.isPending}
          onClick={() => make.mutate({ type, name: workspace.name, workspaceId: workspace.id }, refresh)}
        >
          Make key
        </Button>
        <ImportKey workspaceId={workspace.id} onImported={refresh.onSuccess} />
      </Group>
      <Details summary="Advanced">
        <KeyTypeSelect value={type} onChange={setType} />
      </Details>
      {keys.some((key) => !key.isSample) && (
        <Group align="flex-end" gap="xs">
          <Select
            label="Or use an existing key"
            placeholder="Choose a key"
            data={keys
              .filter((key) => !key.isSample)
              .map((key) => ({ value: key.id, label: `${key.name} (${key.type})` }))}
            value={existing}
            onChange={setExisting}
            w={320}
          />
          <Button
            variant="default"
            disabled={existing === null}
            loading={use.isPending}
            onClick={() => {
              if (existing !== null) use.mutate({ workspaceId: workspace.id, keyId: existing }, refresh);
            }}
          >
            Use this key
          </Button>
        </Group>
      )}
      <ErrorNotice error={error} title="Couldn’t set the key" />
    </Stack>
  );
}
