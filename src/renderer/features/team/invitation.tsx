import { Button, Code, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspaceSecret } from '../../lib/use-secret-call.ts';
import { type RoleInTeam, roleChoices } from './describe-team.ts';
import styles from './team.module.css';

export const InviteButton = () => (
  <DialogButton label="Invite…" title="Invite" closeOnClickOutside={false}>
    {(close) => <InvitationForm onClose={close} />}
  </DialogButton>
);

/** Makes an invitation for one computer, and shows it to be copied. */
export function InvitationForm({ onClose }: { onClose: () => void }) {
  const { call, isPending, error } = useWorkspaceSecret('team:invite');
  const members = useWorkspaceQuery('team:listMembers');
  // Before a second person joins, the recovery key is tried.
  const isFirst = members.data?.members.length === 1;
  const [recoveryKey, setRecoveryKey] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<RoleInTeam>('reviewer');
  const [made, setMade] = useState<Output<'team:invite'> | null>(null);
  if (made !== null) return <Invitation {...made} onClose={onClose} />;
  return (
    <DialogForm
      action="Make invitation"
      isReady={members.data !== undefined && email.trim() !== '' && (!isFirst || recoveryKey.trim() !== '')}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t make the invitation"
      onSubmit={async () =>
        setMade(
          await call({
            email: email.trim(),
            role,
            ...(isFirst ? { recoveryKey: recoveryKey.trim() } : {}),
          }),
        )
      }
      onCancel={onClose}
    >
      <Text size="sm">
        An invitation is for one computer of one person. When that person has pasted it under Settings, Team,
        their code is shown on this computer: compare it with theirs, and approve.
      </Text>
      <TextField
        label="Email"
        description="Their email at the claims service. Only they can use the invitation."
        value={email}
        onChange={setEmail}
        maxLength={320}
      />
      <Select
        label="Role"
        data={roleChoices}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(value as RoleInTeam)}
      />
      {isFirst && (
        <TextField
          label="Recovery key"
          description="As you printed it. It’s tried once, before anyone else joins the team."
          value={recoveryKey}
          onChange={setRecoveryKey}
          maxLength={100}
        />
      )}
    </DialogForm>
  );
}

function Invitation({ invitation, expiresAt, onClose }: Output<'team:invite'> & { onClose: () => void }) {
  const now = useNow();
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');
  const copy = async () => setCopied((await copyText(invitation)) ? 'yes' : 'refused');
  return (
    <Stack gap="sm">
      <Code className={styles.secret ?? ''} aria-label="Invitation">
        {invitation}
      </Code>
      <Text size="sm">
        Valid once, until {formatWhen(expiresAt, now)}. Send it where only they can read it.
      </Text>
      <Group justify="flex-end">
        <Status>
          {copied === 'yes' && 'Copied.'}
          {copied === 'refused' && 'Couldn’t copy. Select the invitation above and copy it.'}
        </Status>
        <Button variant="default" onClick={copy}>
          Copy invitation
        </Button>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
