import { Textarea } from '@mantine/core';
import { maxInvitationLength } from '../../../contract/team.ts';

/** Where an invitation to a team is pasted. */
export const InvitationField = (props: { value: string; onChange: (value: string) => void }) => (
  <Textarea
    label="Invitation"
    placeholder="claimdesk-team-1.…"
    rows={4}
    maxLength={maxInvitationLength}
    autoComplete="off"
    spellCheck={false}
    value={props.value}
    onChange={(event) => props.onChange(event.currentTarget.value)}
    data-autofocus
  />
);
