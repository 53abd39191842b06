import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ErrorReport } from '../../../contract/result.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask, reportOf } from '../../lib/desk-error.ts';
import styles from './lock-screen.module.css';
import { RecoverForm } from './recover-form.tsx';

interface LockScreenProps {
  readonly needsPassphrase: boolean;
  readonly hasRecoveryCode: boolean;
  readonly onUnlocked: () => void;
}

/** All there is while locked. Nothing of any record is on this page or in its memory. */
export function LockScreen({ needsPassphrase, hasRecoveryCode, onUnlocked }: LockScreenProps) {
  const bridge = useBridge();
  const [isRecovering, setIsRecovering] = useState(false);
  useEffect(() => {
    document.title = 'Locked · Claimdesk';
    return bridge.subscribe('lock:changed', ({ isLocked }) => {
      if (!isLocked) onUnlocked();
    });
  }, [bridge, onUnlocked]);
  return (
    <main className={styles.screen}>
      <Stack gap="md" className={styles.box}>
        <IconLock size={32} stroke={1.5} aria-hidden />
        <h1 className={styles.title}>Claimdesk is locked</h1>
        {isRecovering ? (
          <RecoverForm onUnlocked={onUnlocked} onBack={() => setIsRecovering(false)} />
        ) : (
          <>
            <UnlockForm needsPassphrase={needsPassphrase} onUnlocked={onUnlocked} />
            {hasRecoveryCode && (
              <Button variant="subtle" onClick={() => setIsRecovering(true)}>
                Use recovery code
              </Button>
            )}
          </>
        )}
      </Stack>
    </main>
  );
}

function UnlockForm({ needsPassphrase, onUnlocked }: Omit<LockScreenProps, 'hasRecoveryCode'>) {
  const bridge = useBridge();
  const [passphrase, setPassphrase] = useState('');
  const [isUnlocking, setIsUnlocking] = useState(false);
  const [error, setError] = useState<ErrorReport | null>(null);
  const unlock = async () => {
    setIsUnlocking(true);
    setError(null);
    try {
      await ask(bridge, 'lock:unlock', needsPassphrase ? { passphrase } : {});
      // A new page: the engine answers at a new address, which this page's policy does not reach.
      onUnlocked();
    } catch (failure) {
      setError(reportOf(failure));
      setIsUnlocking(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void unlock();
      }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {needsPassphrase
            ? 'Enter your passphrase to unlock. Records are not held in memory while locked.'
            : 'Your keychain unlocks it. Records are not held in memory while locked.'}
        </Text>
        {needsPassphrase && (
          <PasswordInput
            label="Unlock passphrase"
            autoComplete="current-password"
            value={passphrase}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show passphrase' }}
            data-autofocus
            autoFocus
          />
        )}
        {error !== null && <ReportNotice report={error} />}
        <Button
          type="submit"
          loading={isUnlocking}
          disabled={needsPassphrase && passphrase === ''}
          autoFocus={!needsPassphrase}
        >
          Unlock
        </Button>
      </Stack>
    </form>
  );
}
