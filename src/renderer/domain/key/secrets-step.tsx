import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppInfo } from '../../../contract/app-info.ts';
import { errorTable } from '../../../contract/error-codes.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { RecoveryCode } from '../unlock/recovery-code.tsx';
import { SetPassphrase } from '../unlock/set-passphrase.tsx';

/** The step that sets a passphrase to protect the secrets, where there is no keychain. */
export function SecretsStep({ secrets }: { secrets: AppInfo['secrets'] }) {
  const cache = useQueryClient();
  const [code, setCode] = useState<string | null>(null);
  const recheck = () => void cache.invalidateQueries({ queryKey: keyPrefixes.domain('app') });
  if (code !== null) return <RecoveryCode code={code} onKept={recheck} />;
  if (secrets.state === 'locked') {
    return (
      <ReportNotice
        report={errorTable['keychain.locked']}
        action={
          <Button size="compact-sm" onClick={recheck}>
            I’ve unlocked it
          </Button>
        }
      />
    );
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        This computer has no keychain that Claimdesk can use. Choose a passphrase to protect your keys and
        records instead. You also get a recovery code to print.
      </Text>
      <SetPassphrase hasPassphrase={false} onSet={setCode} />
    </Stack>
  );
}
