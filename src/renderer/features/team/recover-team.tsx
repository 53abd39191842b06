import { Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceSecret } from '../../lib/use-secret-call.ts';
import type { TeamDialogProps } from './make-team.tsx';

/** Admits this computer with the printed recovery key if the admins of a team have lost theirs. */
export const RecoverTeam = ({ isOpen, ...props }: TeamDialogProps) => (
  <Dialog title="Use recovery key" isOpen={isOpen} onClose={props.onClose} closeOnClickOutside={false}>
    <RecoverForm {...props} />
  </Dialog>
);

const empty = { server: '', team: '', recoveryKey: '' };
const labels = [
  ['server', 'Server address', 300],
  ['team', 'Team ID', 30],
  ['recoveryKey', 'Recovery key', 100],
] as const;

function RecoverForm({ onClose }: Omit<TeamDialogProps, 'isOpen'>) {
  const { call, isPending, error } = useWorkspaceSecret('team:recover');
  const [typed, setTyped] = useState(empty);
  const trimmed = {
    server: typed.server.trim(),
    team: typed.team.trim(),
    recoveryKey: typed.recoveryKey.trim(),
  };
  return (
    <DialogForm
      action="Join team"
      isReady={Object.values(trimmed).every((value) => value !== '')}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t join the team"
      onSubmit={async () => {
        if ((await call(trimmed)) !== null) onClose();
      }}
      onCancel={onClose}
    >
      <Text size="sm">
        For a team whose admins have lost their computers. All three are on the page that the first admin
        printed.
      </Text>
      {labels.map(([name, label, maxLength]) => (
        <TextField
          key={name}
          label={label}
          value={typed[name]}
          onChange={(value) => setTyped({ ...typed, [name]: value })}
          maxLength={maxLength}
        />
      ))}
    </DialogForm>
  );
}
