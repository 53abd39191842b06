import { Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { KeptSecret } from '../../components/kept-secret.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceSecret } from '../../lib/use-secret-call.ts';
import { InvitationForm } from './invitation.tsx';

export interface TeamDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes a team in three steps: the server, the recovery key, the first invitation. */
export function MakeTeam({ isOpen, onClose }: TeamDialogProps) {
  const { call, isPending, error, reset } = useWorkspaceSecret('team:create');
  const [made, setMade] = useState<{ recoveryKey: string; usedWith: string; isKept: boolean } | null>(null);
  const step = made === null ? 1 : made.isKept ? 3 : 2;
  const close = () => {
    reset();
    setMade(null);
    onClose();
  };
  // The recovery key exists only here: nothing but its confirmation closes this.
  const canClose = !isPending && step !== 2;
  return (
    <Dialog
      title={`Make team, step ${step} of 3`}
      isOpen={isOpen}
      onClose={close}
      closeOnClickOutside={false}
      closeOnEscape={canClose}
      withCloseButton={canClose}
    >
      {made === null && (
        <ServerForm
          isPending={isPending}
          error={error}
          onSubmit={async (setup) => {
            const created = await call(setup);
            if (created === null) return;
            const { recoveryKey, team } = created;
            setMade({ recoveryKey, usedWith: `Server ${setup.server}, team ${team}`, isKept: false });
          }}
          onCancel={close}
        />
      )}
      {made !== null && !made.isKept && (
        <KeptSecret
          secret={made.recoveryKey}
          kind="key"
          usedWith={made.usedWith}
          about="With this key a computer is admitted if the admins of the team have lost theirs. It isn’t shown again. Whoever has it can read the team’s reviews: store it where only team admins can get it, away from the computers."
          printed="Claimdesk team recovery key. Store it where only team admins can get it."
          onKept={() => setMade({ recoveryKey: '', usedWith: '', isKept: true })}
        />
      )}
      {step === 3 && <InvitationForm onClose={close} />}
    </Dialog>
  );
}

function ServerForm(props: {
  isPending: boolean;
  error: unknown;
  onSubmit: (setup: { server: string; setupCode: string }) => unknown;
  onCancel: () => void;
}) {
  const [server, setServer] = useState('');
  const [setupCode, setSetupCode] = useState('');
  return (
    <DialogForm
      action="Make team"
      isReady={server.trim() !== '' && setupCode.trim() !== ''}
      isPending={props.isPending}
      error={props.error}
      errorTitle="Couldn’t make the team"
      onSubmit={() => props.onSubmit({ server: server.trim(), setupCode: setupCode.trim() })}
      onCancel={props.onCancel}
    >
      <Text size="sm">
        Your IT runs the team server, and gives you its address and a set-up code. Your reviews up to now
        become the team’s.
      </Text>
      <TextField
        label="Server address"
        placeholder="https://team.example.com"
        value={server}
        onChange={setServer}
        maxLength={300}
        data-autofocus
      />
      <TextField label="Set-up code" value={setupCode} onChange={setSetupCode} maxLength={60} />
    </DialogForm>
  );
}
