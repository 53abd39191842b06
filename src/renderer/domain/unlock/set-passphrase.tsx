import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { PassphraseField, PassphrasePair } from '../../components/passphrase-fields.tsx';
import { useSecretCall } from '../../lib/use-secret-call.ts';

/** Sets the unlock passphrase, or changes it. `onSet` gets the recovery code; null where the old one stays valid. */
export function SetPassphrase(props: {
  hasPassphrase: boolean;
  onSet: (recoveryCode: string | null) => void;
  /** Called before the passphrase is set. */
  onSubmit?: () => void;
  /** Other controls beside the button. */
  beside?: ReactNode;
}) {
  const { hasPassphrase } = props;
  const set = useSecretCall('unlock:setPassphrase');
  const [current, setCurrent] = useState('');
  const [passphrase, setPassphrase] = useState<string | null>(null);
  const isReady = passphrase !== null && (!hasPassphrase || current !== '');
  const submit = async () => {
    if (passphrase === null || !isReady) return;
    props.onSubmit?.();
    const done = await set.call({ passphrase, ...(hasPassphrase ? { current } : {}) });
    if (done !== null) props.onSet(done.recoveryCode);
  };
  return (
    <Form onSubmit={submit}>
      {hasPassphrase && (
        <PassphraseField
          label="Current passphrase"
          show="Show current passphrase"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
      )}
      <PassphrasePair
        label={hasPassphrase ? 'New passphrase' : 'Unlock passphrase'}
        onChange={setPassphrase}
      />
      <ErrorNotice error={set.error} />
      <Group justify="flex-end">
        {props.beside}
        <Button type="submit" disabled={!isReady} loading={set.isPending}>
          {hasPassphrase ? 'Change passphrase' : 'Set passphrase'}
        </Button>
      </Group>
    </Form>
  );
}
