import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { InvitationField } from '../../domain/team/invitation-field.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useSecretCall } from '../../lib/use-secret-call.ts';

/** Asks to join the team. `invitation`: as it was pasted before; empty where the window was closed since. */
export function TeamStep(props: { workspaceId: string; invitation: string }) {
  const { workspaceId } = props;
  const cache = useQueryClient();
  const join = useSecretCall('team:join');
  const goOn = useDeskMutation('workspaces:update');
  const [invitation, setInvitation] = useState(props.invitation);
  const submit = async () => {
    await join.call({ workspaceId, invitation: invitation.trim() });
    await cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') });
  };
  return (
    <Form onSubmit={submit}>
      <Text size="sm">
        Your key certifies this computer to the team. An admin of the team approves it after comparing a code
        with you, and you get the settings and reviews of the team.
      </Text>
      {props.invitation === '' && <InvitationField value={invitation} onChange={setInvitation} />}
      <ErrorNotice error={join.error} title="Couldn’t ask to join" />
      <ErrorNotice error={goOn.error} />
      <Group justify="flex-end">
        <Button
          variant="subtle"
          loading={goOn.isPending}
          onClick={() => goOn.mutate({ workspaceId, awaitsTeam: false })}
        >
          Continue without the team
        </Button>
        <Button type="submit" disabled={invitation.trim() === ''} loading={join.isPending}>
          Ask to join
        </Button>
      </Group>
    </Form>
  );
}
