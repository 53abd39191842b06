import { Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { InvitationField } from '../../domain/team/invitation-field.tsx';
import { useWorkspaceSecret } from '../../lib/use-secret-call.ts';
import type { TeamDialogProps } from './make-team.tsx';

/** Asks to join a team with an invitation; the page then shows the code for the admin. */
export const JoinTeam = ({ isOpen, ...props }: TeamDialogProps) => (
  <Dialog title="Join team" isOpen={isOpen} onClose={props.onClose} closeOnClickOutside={false}>
    <JoinForm {...props} />
  </Dialog>
);

function JoinForm({ onClose }: Omit<TeamDialogProps, 'isOpen'>) {
  const { call, isPending, error } = useWorkspaceSecret('team:join');
  const [invitation, setInvitation] = useState('');
  return (
    <DialogForm
      action="Ask to join"
      isReady={invitation.trim() !== ''}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t ask to join"
      onSubmit={async () => {
        if ((await call({ invitation: invitation.trim() })) !== null) onClose();
      }}
      onCancel={onClose}
    >
      <Text size="sm">
        An admin of the team makes an invitation for this computer and sends it to you. Your reviews up to now
        become part of the team’s when the admin approves.
      </Text>
      <InvitationField value={invitation} onChange={setInvitation} />
    </DialogForm>
  );
}
