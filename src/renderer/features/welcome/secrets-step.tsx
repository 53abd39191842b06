import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorTable } from '../../../contract/error-codes.ts';
import type { AppInfo } from '../../../contract/workspace.ts';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

const minLength = 8;

/** Where there is no keychain, a passphrase of one's own protects what would lie there. */
export function SecretsStep({ secrets }: { secrets: AppInfo['secrets'] }) {
  const cache = useQueryClient();
  const create = useDeskMutation('secrets:createVault');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const recheck = () => void cache.invalidateQueries({ queryKey: keyPrefixes.domain('app') });
  if (secrets.state === 'locked') {
    return (
      <ReportNotice
        report={{ code: 'keychain.locked', ...errorTable['keychain.locked'] }}
        action={
          <Button size="compact-sm" onClick={recheck}>
            I have unlocked it
          </Button>
        }
      />
    );
  }
  const isTooShort = first !== '' && first.length < minLength;
  const differs = second !== '' && first !== second;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ passphrase: first }, { onSuccess: recheck });
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          This computer has no keychain that Claimdesk can use. Choose a passphrase instead; it protects your
          keys and your records, and nobody can restore it.
        </Text>
        <PasswordInput
          label="Vault passphrase"
          description={`At least ${minLength} characters`}
          autoComplete="new-password"
          value={first}
          onChange={(event) => setFirst(event.currentTarget.value)}
          error={isTooShort ? `At least ${minLength} characters.` : null}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the passphrase' }}
        />
        <PasswordInput
          label="The same passphrase again"
          autoComplete="new-password"
          value={second}
          onChange={(event) => setSecond(event.currentTarget.value)}
          error={differs ? 'The two are not the same.' : null}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the passphrase again' }}
        />
        {create.error !== null && <ErrorNotice error={create.error} />}
        <Group justify="flex-end">
          <Button
            type="submit"
            disabled={first.length < minLength || first !== second}
            loading={create.isPending}
          >
            Protect with this passphrase
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
