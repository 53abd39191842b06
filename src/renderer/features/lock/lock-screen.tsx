import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Input, Output } from '../../../contract/procedures.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FirstScreen } from '../../components/first-screen.tsx';
import { Form } from '../../components/form.tsx';
import { PassphraseField, PassphrasePair } from '../../components/passphrase-fields.tsx';
import { Hint, Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useSecretWork } from '../../lib/use-secret-call.ts';
import styles from './lock-screen.module.css';

interface LockScreenProps {
  readonly opensBy: Output<'lock:getState'>['opensBy'];
  readonly hasRecoveryCode: boolean;
  readonly onUnlocked: () => void;
}

const howToUnlock = {
  passphrase: 'Enter your passphrase to unlock.',
  keychain: 'Your keychain unlocks this profile.',
  sample: 'Sample: no passphrase.',
  nothing: 'No passphrase.',
} as const satisfies Record<LockScreenProps['opensBy'], string>;

/** The only page while locked. Neither the page nor its memory holds a record. */
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
    <main>
      <FirstScreen isLocked>
        <h1 className={styles.title}>Claimdesk is locked</h1>
        {isRecovering ? (
          <RecoverForm onUnlocked={onUnlocked} onBack={() => setIsRecovering(false)} />
        ) : (
          <>
            <UnlockForm opensBy={opensBy} onUnlocked={onUnlocked} />
            {hasRecoveryCode && (opensBy === 'passphrase' || opensBy === 'keychain') && (
              <Button variant="subtle" onClick={() => setIsRecovering(true)}>
                Use recovery code
              </Button>
            )}
          </>
        )}
      </FirstScreen>
    </main>
  );
}

function UnlockForm({ opensBy, onUnlocked }: Omit<LockScreenProps, 'hasRecoveryCode'>) {
  const needsPassphrase = opensBy === 'passphrase';
  const unlock = useUnlocking(onUnlocked);
  const [passphrase, setPassphrase] = useState('');
  return (
    <Form gap="md" onSubmit={() => unlock.run('lock:unlock', needsPassphrase ? { passphrase } : {})}>
      <Hint>{howToUnlock[opensBy]} Records are not held in memory while locked.</Hint>
      {needsPassphrase && (
        <PassphraseField
          label="Unlock passphrase"
          autoComplete="current-password"
          value={passphrase}
          onChange={setPassphrase}
          data-autofocus
          autoFocus
        />
      )}
      <ErrorNotice error={unlock.error} />
      <UnlockProgress step={unlock.step} />
      <Button
        type="submit"
        loading={unlock.step !== null}
        disabled={needsPassphrase && passphrase === ''}
        autoFocus={!needsPassphrase}
      >
        Unlock
      </Button>
    </Form>
  );
}

/** Unlocks with the recovery code, together with a new passphrase. */
function RecoverForm({ onUnlocked, onBack }: { onUnlocked: () => void; onBack: () => void }) {
  const unlock = useUnlocking(onUnlocked);
  const [code, setCode] = useState('');
  const [passphrase, setPassphrase] = useState<string | null>(null);
  return (
    <Form gap="md" onSubmit={() => passphrase !== null && unlock.run('unlock:recover', { code, passphrase })}>
      <Hint>Enter the code you printed, and choose a new passphrase. The code stays valid.</Hint>
      <TextField
        label="Recovery code"
        description="Eight groups of four characters"
        value={code}
        onChange={setCode}
        autoFocus
      />
      <PassphrasePair label="New passphrase" onChange={setPassphrase} />
      <ErrorNotice error={unlock.error} />
      <UnlockProgress step={unlock.step} />
      <Button type="submit" loading={unlock.step !== null} disabled={code === '' || passphrase === null}>
        Unlock
      </Button>
      <Button variant="subtle" onClick={onBack}>
        Back
      </Button>
    </Form>
  );
}

const progressAfterMs = 1_000;

/** Shows the reason once an unlock takes longer than a second. */
function UnlockProgress({ step }: { step: keyof typeof stepTexts | null }) {
  const [isLong, setIsLong] = useState(false);
  const isRunning = step !== null;
  useEffect(() => {
    const timer = isRunning ? setTimeout(setIsLong, progressAfterMs, true) : undefined;
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isRunning]);
  return <Status>{isLong && step !== null ? stepTexts[step] : ''}</Status>;
}

const stepTexts = { check: 'Unlocking…', open: 'Opening your records…' } as const;

/**
 * Unlocks. Stays pending after success until a new page is loaded, because the content security policy of this one does
 * not allow calls to the engine.
 */
function useUnlocking(onUnlocked: () => void) {
  const bridge = useBridge();
  const [isDone, setIsDone] = useState(false);
  const { run, isPending, error } = useSecretWork();
  return {
    step: isDone ? ('open' as const) : isPending ? ('check' as const) : null,
    error,
    run: <P extends 'lock:unlock' | 'unlock:recover'>(procedure: P, input: Input<P>) =>
      run(async () => {
        await ask(bridge, procedure, input);
        setIsDone(true);
        onUnlocked();
      }),
  };
}
