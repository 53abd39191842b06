import { Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { PatientAccess } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import { Section } from '../../components/page.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { deskQuery, useDeskQuery } from '../../lib/desk-query.ts';
import { CarrierSignIn } from './carrier-sign-in.tsx';

/** How many recently added members are checked for a running sign-in. */
const lookedAt = 20;

/** Sign-ins at carriers' pages, found again after a navigation or a reload, since the engine watches them. */
export function OpenSignIns({ workspaceId }: { workspaceId: string }) {
  const bridge = useBridge();
  const members = useDeskQuery('connect:listMembers', { workspaceId });
  const recent = (members.data?.members ?? []).slice(0, lookedAt);
  const answers = useQueries({
    queries: recent.map(({ email }) => deskQuery(bridge, 'connect:getPatientAccess', { workspaceId, email })),
  });
  const signIns = answers.flatMap(({ data }, index) => {
    const member = recent[index];
    return data === null || data === undefined || member === undefined ? [] : [{ signIn: data, member }];
  });
  if (signIns.length === 0) return null;
  return (
    <Section title="Sign-ins at carriers’ pages">
      <Stack gap="md">
        {signIns.map(({ signIn, member }) => (
          <OneSignIn key={member.email} workspaceId={workspaceId} signIn={signIn} member={member} />
        ))}
      </Stack>
    </Section>
  );
}

function OneSignIn(props: { workspaceId: string; signIn: PatientAccess; member: ConnectMember }) {
  const navigate = useNavigate();
  const { member, signIn, workspaceId } = props;
  const payers = useDeskQuery('connect:listPayers', {
    workspaceId,
    email: member.email,
    employerId: member.employer.id,
  });
  const carrier = payers.data?.payers.find(({ id }) => id === signIn.payerId)?.name ?? 'The carrier';
  return (
    <section aria-label={`Sign-in of ${member.firstName} ${member.lastName}`}>
      <b>
        {member.firstName} {member.lastName} · {carrier}
      </b>
      <CarrierSignIn
        workspaceId={workspaceId}
        signIn={signIn}
        carrierName={carrier}
        onAgain={() =>
          void navigate({
            to: '/connections/new',
            search: { broughtIn: member.bootstrappedAt, payerId: signIn.payerId },
          })
        }
      />
    </section>
  );
}
