import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorTable } from '../../../contract/error-codes.ts';
import type { AppInfo } from '../../../contract/workspace.ts';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { PassphrasePair } from '../../components/passphrase-pair.tsx';
import { agreedPassphrase } from '../../lib/agreed-passphrase.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** Where there is no keychain, a passphrase protects the secrets that it would hold. */
export function SecretsStep({ secrets }: { secrets: AppInfo['secrets'] }) {
  const cache = useQueryClient();
  const create = useDeskMutation('secrets:createVault');
  const [typed, setTyped] = useState({ first: '', second: '' });
  const passphrase = agreedPassphrase(typed);
  const recheck = () => void cache.invalidateQueries({ queryKey: keyPrefixes.domain('app') });
  if (secrets.state === 'locked') {
    return (
      <ReportNotice
        report={{ code: 'keychain.locked', ...errorTable['keychain.locked'] }}
        action={
          <Button size="compact-sm" onClick={recheck}>
            I’ve unlocked it
          </Button>
        }
      />
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (passphrase !== null) create.mutate({ passphrase }, { onSuccess: recheck });
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          This computer has no keychain that Claimdesk can use. Choose a passphrase to protect your keys and
          records instead. A lost passphrase can’t be recovered.
        </Text>
        <PassphrasePair label="Vault passphrase" value={typed} onChange={setTyped} />
        {create.error !== null && <ErrorNotice error={create.error} />}
        <Group justify="flex-end">
          <Button type="submit" disabled={passphrase === null} loading={create.isPending}>
            Set passphrase
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
