import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { RecoveryCode } from '../../domain/unlock/recovery-code.tsx';
import { SetPassphrase } from '../../domain/unlock/set-passphrase.tsx';

/** Offers an unlock passphrase with the first workspace, and says what it means to go without. */
export function UnlockStep({ onSet, onDone }: { onSet: () => void; onDone: () => void }) {
  const [code, setCode] = useState<string | null>(null);
  if (code !== null) return <RecoveryCode code={code} onKept={onDone} />;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Recommended: set a passphrase that Claimdesk asks for when it starts and when it unlocks. You also get
        a recovery code to print.
      </Text>
      <Text size="sm">
        Without one, anyone who is signed in to your computer account can unlock Claimdesk. If your keychain
        is ever lost, notes and SSH keys are lost with it; records sync again. You can set a passphrase later
        under Settings, Privacy.
      </Text>
      <SetPassphrase
        hasPassphrase={false}
        onSubmit={onSet}
        onSet={(made) => (made === null ? onDone() : setCode(made))}
        beside={
          <Button variant="subtle" onClick={onDone}>
            Continue without a passphrase
          </Button>
        }
      />
    </Stack>
  );
}
