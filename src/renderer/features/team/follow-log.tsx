import { Text } from '@mantine/core';
import { useState } from 'react';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceSecret } from '../../lib/use-secret-call.ts';

/** Confirms the log of a server that went back to an earlier state, which differs from what this computer has read. */
export function FollowLog() {
  const { call, isPending, error } = useWorkspaceSecret('team:followLog');
  const [recoveryKey, setRecoveryKey] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  const confirm = async (close: () => void): Promise<void> => {
    const typed = recoveryKey.trim();
    const answered = await call(typed === '' ? {} : { recoveryKey: typed });
    if (answered === null) return;
    if (answered.isFollowed) close();
    else setIsWaiting(true);
  };
  return (
    <DialogButton label="Use the server’s log…" title="Use the server’s log?">
      {(close) => (
        <DialogForm
          action="Use this log"
          isPending={isPending}
          error={error}
          errorTitle="Couldn’t confirm the log"
          onSubmit={() => confirm(close)}
          onCancel={close}
        >
          <Text size="sm">
            Ask whoever runs the server why it went back, and compare with another admin what happened since.
            The log is used once admins on two computers have confirmed it. If you are the only admin, type
            the team’s recovery key.
          </Text>
          <TextField
            label="Recovery key (only if you are the only admin)"
            value={recoveryKey}
            onChange={setRecoveryKey}
            maxLength={100}
          />
          {isWaiting && (
            <Text size="sm" role="status">
              Confirmed on this computer. An admin on another computer has to confirm it too.
            </Text>
          )}
        </DialogForm>
      )}
    </DialogButton>
  );
}
