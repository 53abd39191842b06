import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import type { ErrorReport } from '../../../contract/result.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { PassphrasePair } from '../../components/passphrase-pair.tsx';
import { Hint } from '../../components/text.tsx';
import { agreedPassphrase, minLengthOf } from '../../lib/agreed-passphrase.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask, reportOf } from '../../lib/desk-error.ts';
import styles from './lock-screen.module.css';

interface LockScreenProps {
  readonly opensBy: Output<'lock:getState'>['opensBy'];
  readonly hasRecoveryCode: boolean;
  readonly onUnlocked: () => void;
}

const howToUnlock = {
  passphrase: 'Enter your passphrase to unlock.',
  keychain: 'Your keychain unlocks this profile.',
  nothing: 'Nothing has to be entered: no secret of yours is stored here yet.',
} as const satisfies Record<LockScreenProps['opensBy'], string>;

/** All there is while locked. Nothing of any record is on this page or in its memory. */
export function LockScreen({ opensBy, hasRecoveryCode, onUnlocked }: LockScreenProps) {
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
            <UnlockForm opensBy={opensBy} onUnlocked={onUnlocked} />
            {hasRecoveryCode && opensBy !== 'nothing' && (
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

function UnlockForm({ opensBy, onUnlocked }: Omit<LockScreenProps, 'hasRecoveryCode'>) {
  const needsPassphrase = opensBy === 'passphrase';
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
        <Hint>{howToUnlock[opensBy]} Records are not held in memory while locked.</Hint>
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

/** Unlocks with the recovery code, together with a new passphrase. */
function RecoverForm({ onUnlocked, onBack }: { onUnlocked: () => void; onBack: () => void }) {
  const bridge = useBridge();
  const [code, setCode] = useState('');
  const [typed, setTyped] = useState({ first: '', second: '' });
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<ErrorReport | null>(null);
  const passphrase = agreedPassphrase(typed, minLengthOf.unlock);
  const recover = async () => {
    if (passphrase === null) return;
    setIsPending(true);
    setError(null);
    try {
      await ask(bridge, 'unlock:recover', { code, passphrase });
      onUnlocked();
    } catch (failure) {
      setError(reportOf(failure));
      setIsPending(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void recover();
      }}
    >
      <Stack gap="md">
        <Hint>Enter the code you printed, and choose a new passphrase. The code stays valid.</Hint>
        <TextInput
          label="Recovery code"
          description="Eight groups of four characters"
          autoComplete="off"
          spellCheck={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoFocus
        />
        <PassphrasePair
          label="New passphrase"
          value={typed}
          onChange={setTyped}
          minLength={minLengthOf.unlock}
        />
        {error !== null && <ReportNotice report={error} />}
        <Button type="submit" loading={isPending} disabled={code === '' || passphrase === null}>
          Unlock
        </Button>
        <Button variant="subtle" onClick={onBack}>
          Back
        </Button>
      </Stack>
    </form>
  );
}
