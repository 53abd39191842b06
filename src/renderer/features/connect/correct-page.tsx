import { Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { EmptyState, LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { CarrierStep } from './carrier-step.tsx';
import { LoginFlow } from './login-flow.tsx';
import { SetUpGate } from './setup-gate.tsx';
import type { Consents } from './terms-step.tsx';

/** A connection's login anew: terms, login, and back to watching it. */
export function CorrectPage(props: { workspace: Workspace; policyHolderId: number }) {
  const navigate = useNavigate();
  const { policyHolderId } = props;
  const toConnection = () =>
    void navigate({ to: '/connections/$policyHolderId', params: { policyHolderId } });
  return (
    <Page
      title="Correct a login"
      documentTitle="Correct a login"
      isNarrow
      actions={<BackButton label="Connection" onBack={toConnection} />}
    >
      <SetUpGate workspace={props.workspace}>
        {() => <Correction {...props} onCorrected={toConnection} />}
      </SetUpGate>
    </Page>
  );
}

function Correction(props: { workspace: Workspace; policyHolderId: number; onCorrected: () => void }) {
  const { workspace, policyHolderId } = props;
  const workspaceId = workspace.id;
  const [consents, setConsents] = useState<Consents | null>(null);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const list = useDeskQuery('connect:listConnections', { workspaceId });
  const members = useDeskQuery('connect:listMembers', { workspaceId });
  const error = list.error ?? members.error;
  if (error !== null) return <ErrorNotice error={error} title="The connection cannot be shown" />;
  if (list.data === undefined || members.data === undefined) return <LoadingState what="the connection" />;
  const connection = list.data.connections.find((one) => one.policyHolderId === policyHolderId);
  const ofMember = members.data.members.filter(
    ({ email }) => email.toLowerCase() === connection?.email.toLowerCase(),
  );
  const member = ofMember.find(({ employer }) => employer.name === connection?.employerName) ?? ofMember[0];
  if (connection === undefined || member === undefined) {
    return (
      <EmptyState
        title="This connection’s member is not known here"
        text="Bring the member in again; then the connection can be corrected."
        action={<ButtonLink to="/connections/new">Bring a member in</ButtonLink>}
      />
    );
  }
  const payerId = connection.payerId ?? chosenId;
  return (
    <Stack gap={10}>
      <Section title={`${connection.payerName ?? 'Carrier'} · ${connection.memberName}`}>
        <Text size="sm">{connection.sentence}</Text>
        {connection.usernameHint !== null && (
          <Text size="sm" c="dimmed">
            The username so far: {connection.usernameHint}
          </Text>
        )}
      </Section>
      {payerId === null ? (
        <Section title="Carrier">
          <CarrierStep workspace={workspace} member={member} onChoose={setChosenId} />
        </Section>
      ) : (
        <LoginFlow
          workspace={workspace}
          member={member}
          payerId={payerId}
          policyHolderId={policyHolderId}
          consents={consents}
          onConsent={setConsents}
          onSubmitted={props.onCorrected}
        />
      )}
    </Stack>
  );
}
