import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ErrorReport } from '../../../contract/result.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { PassphrasePair } from '../../components/passphrase-pair.tsx';
import { Hint } from '../../components/text.tsx';
import { agreedPassphrase, minLengthOf } from '../../lib/agreed-passphrase.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask, reportOf } from '../../lib/desk-error.ts';

/** Unlocks with the recovery code, together with a new passphrase. */
export function RecoverForm({ onUnlocked, onBack }: { onUnlocked: () => void; onBack: () => void }) {
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
