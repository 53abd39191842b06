import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ErrorReport } from '../../../contract/result.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask, reportOf } from '../../lib/desk-error.ts';
import styles from './lock-screen.module.css';

/** All there is while locked. Nothing of any record is on this page or in its memory. */
export function LockScreen(props: { needsPassphrase: boolean; onUnlocked: () => void }) {
  const { needsPassphrase, onUnlocked } = props;
  const bridge = useBridge();
  const [passphrase, setPassphrase] = useState('');
  const [isUnlocking, setIsUnlocking] = useState(false);
  const [error, setError] = useState<ErrorReport | null>(null);

  useEffect(() => {
    document.title = 'Locked · Claimdesk';
    return bridge.subscribe('lock:changed', ({ isLocked }) => {
      if (!isLocked) onUnlocked();
    });
  }, [bridge, onUnlocked]);

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
    <main className={styles.screen}>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault();
          void unlock();
        }}
      >
        <Stack gap="md">
          <IconLock size={32} stroke={1.5} aria-hidden />
          <h1 className={styles.title}>Claimdesk is locked</h1>
          <Text size="sm" c="dimmed">
            {needsPassphrase
              ? 'Enter your passphrase to unlock. Records are not held in memory while locked.'
              : 'Your keychain unlocks it. Records are not held in memory while locked.'}
          </Text>
          {needsPassphrase && (
            <PasswordInput
              label="Vault passphrase"
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
    </main>
  );
}
