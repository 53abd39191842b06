import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PassphrasePair } from '../../components/passphrase-pair.tsx';
import { agreedPassphrase, minLengthOf } from '../../lib/agreed-passphrase.ts';
import { useSecretCall } from '../../lib/use-secret-call.ts';

/** Sets the unlock passphrase, or changes it. `onSet` hears the recovery code; null where the old one stays good. */
export function SetPassphrase(props: {
  hasPassphrase: boolean;
  onSet: (recoveryCode: string | null) => void;
  /** It is about to be set. */
  onSubmit?: () => void;
  /** What else can be done here. */
  beside?: ReactNode;
}) {
  const set = useSecretCall('unlock:setPassphrase');
  const [current, setCurrent] = useState('');
  const [typed, setTyped] = useState({ first: '', second: '' });
  const passphrase = agreedPassphrase(typed, minLengthOf.unlock);
  const isReady = passphrase !== null && (!props.hasPassphrase || current !== '');
  const submit = async () => {
    if (passphrase === null || !isReady) return;
    props.onSubmit?.();
    const done = await set.call({ passphrase, ...(props.hasPassphrase ? { current } : {}) });
    if (done === null) return;
    setTyped({ first: '', second: '' });
    setCurrent('');
    props.onSet(done.recoveryCode);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="sm">
        {props.hasPassphrase && (
          <PasswordInput
            label="Current passphrase"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show current passphrase' }}
          />
        )}
        <PassphrasePair
          label={props.hasPassphrase ? 'New passphrase' : 'Unlock passphrase'}
          value={typed}
          onChange={setTyped}
          minLength={minLengthOf.unlock}
        />
        <ErrorNotice error={set.error} />
        <Group justify="flex-end">
          {props.beside}
          <Button type="submit" disabled={!isReady} loading={set.isPending}>
            {props.hasPassphrase ? 'Change passphrase' : 'Set passphrase'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
