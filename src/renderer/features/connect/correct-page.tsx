import { Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { useAsk, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { CarrierSays } from './carrier-says.tsx';
import { CarrierStep } from './carrier-step.tsx';
import { ownerOf } from './connection-facts.ts';
import { LoginFlow } from './login-flow.tsx';
import { SetUpGate } from './setup-gate.tsx';
import type { Consents } from './terms-step.tsx';

/** Corrects the login of a connection: reason, terms, login, and back to its status. */
export function CorrectPage({ policyHolderId }: { policyHolderId: number }) {
  const navigate = useNavigate();
  const toConnection = () =>
    void navigate({ to: '/connections/$policyHolderId', params: { policyHolderId } });
  return (
    <Page
      title="Update login"
      documentTitle="Update login"
      isNarrow
      actions={<BackButton label="Connection" onBack={toConnection} />}
    >
      <SetUpGate>{() => <Correction policyHolderId={policyHolderId} onCorrected={toConnection} />}</SetUpGate>
    </Page>
  );
}

function Correction(props: { policyHolderId: number; onCorrected: () => void }) {
  const { policyHolderId } = props;
  // undefined: as begun, with the consents that still hold.
  const [chosen, setConsents] = useState<Consents | null>();
  const [chosenId, setChosenId] = useState<number | null>(null);
  const begun = useBeginCorrection(policyHolderId);
  const list = useWorkspaceQuery('connect:listConnections');
  const members = useWorkspaceQuery('connect:listMembers');
  const both = {
    error: list.error ?? members.error,
    refetch: () => Promise.all([list.refetch(), members.refetch()]),
  };
  if (both.error !== null || list.data === undefined || members.data === undefined || begun.isPending)
    return <NotLoaded query={both} what="the connection" title="Couldn’t load this connection" />;
  const connection = list.data.connections.find((candidate) => candidate.policyHolderId === policyHolderId);
  const member = ownerOf(connection, members.data.members);
  if (connection === undefined || member === undefined) {
    return (
      <EmptyState
        title="This connection’s member isn’t known here"
        text="Add the member again; then the login can be updated."
        action={<ButtonLink to="/connections/new">Add member</ButtonLink>}
      />
    );
  }
  const consents = chosen === undefined ? begun.consents : chosen;
  const payerId = connection.payerId ?? chosenId;
  const { correctionMessage, payerName, usernameHint } = connection;
  return (
    <Stack gap={10}>
      <Section title={`${payerName ?? 'Carrier'} · ${connection.memberName}`}>
        <Stack gap="xs">
          <Text size="sm">{connection.sentence}</Text>
          {correctionMessage !== null && <CarrierSays carrierName={payerName} message={correctionMessage} />}
          {connection.nextStep !== null && <Text size="sm">{connection.nextStep}</Text>}
          {begun.username === null && usernameHint !== null && <Hint>Current username: {usernameHint}</Hint>}
          <ErrorNotice error={begun.error} title="Couldn’t refresh this connection" />
          {begun.consents !== null && (
            <Hint>The member accepted the terms of use before, and they haven’t changed since.</Hint>
          )}
        </Stack>
      </Section>
      {payerId === null ? (
        <Section title="Carrier">
          <CarrierStep member={member} onChoose={setChosenId} />
        </Section>
      ) : (
        <LoginFlow
          member={member}
          payerId={payerId}
          policyHolderId={policyHolderId}
          username={begun.username}
          consents={consents}
          onConsent={setConsents}
          onSubmitted={props.onCorrected}
        />
      )}
    </Stack>
  );
}

interface Begun {
  readonly isPending: boolean;
  /** null: unknown here. */
  readonly username: string | null;
  /** null: the member has to agree again. */
  readonly consents: Consents | null;
  readonly error: unknown;
}

const pending: Begun = { isPending: true, username: null, consents: null, error: null };

/**
 * Reads a connection once for its correction, with its current username. The username is kept in this component
 * alone: a query's answer would stay in memory for minutes. Changes of the connection arrive by `connect:changed`.
 */
function useBeginCorrection(policyHolderId: number): Begun {
  const ask = useAsk();
  const [begun, setBegun] = useState<Begun>(pending);
  useEffect(() => {
    let isLeft = false;
    setBegun(pending);
    ask('connect:beginCorrection', { policyHolderId }).then(
      ({ username, consents }) => {
        if (!isLeft) setBegun({ isPending: false, username, consents, error: null });
      },
      (error: unknown) => {
        if (!isLeft) setBegun({ ...pending, isPending: false, error });
      },
    );
    return () => {
      isLeft = true;
    };
  }, [ask, policyHolderId]);
  return begun;
}
