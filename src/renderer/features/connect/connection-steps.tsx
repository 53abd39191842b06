import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { CarrierConnection, Validation } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { mayCorrect } from './connect-labels.ts';

/** The actions for a connection without a running validation. */
export function ConnectionSteps(props: {
  workspaceId: string;
  policyHolderId: number;
  connection: CarrierConnection | undefined;
  validation: Validation | null;
  owner: ConnectMember | undefined;
}) {
  const { policyHolderId, connection, validation, owner } = props;
  if (validation !== null && validation.phase !== 'ended') return null;
  const payerId = connection?.payerId ?? validation?.payerId ?? null;
  const isMigrating = connection?.loginProblem === 'migrating';
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {isMigrating && owner !== undefined && (
          <NewCarrier workspaceId={props.workspaceId} policyHolderId={policyHolderId} owner={owner} />
        )}
        <ButtonLink
          to="/connections/$policyHolderId/correct"
          params={{ policyHolderId }}
          variant={mayCorrect(connection, validation) ? 'filled' : 'default'}
        >
          Update login
        </ButtonLink>
        {owner !== undefined && payerId !== null && (
          <ButtonLink
            to="/connections/new"
            search={{ broughtIn: owner.bootstrappedAt, payerId }}
            variant="default"
          >
            Add dependent’s login
          </ButtonLink>
        )}
        <ButtonLink to="/connections/new" variant="default">
          Add another member
        </ButtonLink>
      </Group>
      <SmallPrint>Some carriers share a dependent’s claims only with that dependent’s own login.</SmallPrint>
    </Stack>
  );
}

/** A link to the member's connection at the carrier that the migrating one moves to. */
function NewCarrier(props: { workspaceId: string; policyHolderId: number; owner: ConnectMember }) {
  const { workspaceId, policyHolderId, owner } = props;
  const navigate = useNavigate();
  const search = useDeskMutation('connect:findNewCarrier');
  const go = () =>
    search.mutate(
      { workspaceId, policyHolderId },
      {
        onSuccess: ({ id }) =>
          void navigate({
            to: '/connections/new',
            search: { broughtIn: owner.bootstrappedAt, payerId: id },
          }),
      },
    );
  return (
    <>
      <Button loading={search.isPending} onClick={go}>
        Connect new carrier
      </Button>
      <ErrorNotice error={search.error} title="Couldn’t find the new carrier" />
    </>
  );
}
