import { Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CarrierConnection, PatientAccess } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { EmptyState } from '../../components/states.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { deskQuery, useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { CarrierSignIn } from './carrier-sign-in.tsx';
import { runningKey } from './connect-labels.ts';
import { describeConnections, findConnections } from './connection-facts.ts';
import { ConnectionList } from './connection-list.tsx';
import { RunningValidations } from './running-validations.tsx';
import { SetUpGate } from './setup-gate.tsx';
import { useWatchRunning } from './use-watch-running.ts';

/** How many recently added members are checked for a running sign-in. */
const lookedAt = 20;

/** Sign-ins at carriers' pages, found again after a navigation or a reload, since the engine watches them. */
function OpenSignIns() {
  const { id: workspaceId } = useWorkspace();
  const bridge = useBridge();
  const members = useWorkspaceQuery('connect:listMembers');
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
          <OneSignIn key={member.email} signIn={signIn} member={member} />
        ))}
      </Stack>
    </Section>
  );
}

function OneSignIn(props: { signIn: PatientAccess; member: ConnectMember }) {
  const navigate = useNavigate();
  const { member, signIn } = props;
  const payers = useWorkspaceQuery('connect:listPayers', {
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
        signIn={signIn}
        carrierName={carrier}
        onAgain={() =>
          void navigate({
            to: '/connections/new',
            search: { addedAt: member.bootstrappedAt, payerId: signIn.payerId },
          })
        }
      />
    </section>
  );
}

/** The number of connections shown at once: a workspace can have thousands. */
const pageSize = 50;

/** All carrier connections of the workspace, those that need attention first, and what is in progress. */
export function ConnectionsPage() {
  return (
    <Page
      title="Connections"
      documentTitle="Connections"
      actions={
        <ButtonLink to="/connections/new" size="compact-sm">
          Add member
        </ButtonLink>
      }
    >
      <SetUpGate>
        {() => (
          <Stack gap={10} maw={1100}>
            <RunningValidations title="Sign-in checks" />
            <OpenSignIns />
            <AllConnections />
          </Stack>
        )}
      </SetUpGate>
    </Page>
  );
}

function AllConnections() {
  const list = useWorkspaceQuery('connect:listConnections');
  const refresh = useWorkspaceMutation('connect:listConnections');
  const today = localDayOf(useNow());
  useWatchRunning(true, null, runningKey(list.data?.connections));
  if (list.error !== null || list.data === undefined)
    return <NotLoaded query={list} what="the connections" />;
  const { connections } = list.data;
  const failures = refresh.data?.failures ?? [];
  return (
    <Section
      title="All connections"
      beside={<SmallPrint>{describeConnections(connections, today)}</SmallPrint>}
      actions={
        <SmallButton loading={refresh.isPending} onClick={() => refresh.mutate({ isFresh: true })}>
          Refresh all
        </SmallButton>
      }
    >
      <Stack gap="sm">
        <ErrorNotice error={refresh.error} title="Couldn’t refresh connections" />
        {failures.length > 0 && (
          <Status>
            {formatCountOf(failures.length, 'member')} couldn’t be refreshed and may be out of date.
          </Status>
        )}
        <Found connections={connections} />
      </Stack>
    </Section>
  );
}

function Found({ connections }: { connections: readonly CarrierConnection[] }) {
  const [typed, setTyped] = useState('');
  const [offset, setOffset] = useState(0);
  if (connections.length === 0) {
    return (
      <EmptyState
        title="No connections yet"
        text="Add a member, choose their carrier, and connect it with them."
      />
    );
  }
  const matching = findConnections(connections, typed);
  return (
    <>
      <TextField
        label="Find a connection"
        placeholder="Member, email, carrier, or employer"
        value={typed}
        onChange={(typed) => {
          setTyped(typed);
          setOffset(0);
        }}
        maw={340}
      />
      {matching.length === 0 ? (
        <Text size="sm">No connections match.</Text>
      ) : (
        <ConnectionList connections={matching.slice(offset, offset + pageSize)} showsMember={() => true} />
      )}
      {matching.length > pageSize && (
        <Pager
          offset={offset}
          pageSize={pageSize}
          total={matching.length}
          names={['connection', 'connections']}
          back="Previous"
          onward="Next"
          onMove={setOffset}
        />
      )}
    </>
  );
}
