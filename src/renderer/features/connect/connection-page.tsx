import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { CarrierConnection, Validation } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import { formatCount } from '../../../rules/count.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { FieldList, Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { EmptyState } from '../../components/states.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatDateField, formatDateTime, titleWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { CarrierSays } from './carrier-says.tsx';
import { mayCorrect, runningKey, severityLabels, severityTones } from './connect-labels.ts';
import { isWrong, ownerOf } from './connection-facts.ts';
import { RunningValidations } from './running-validations.tsx';
import { SetUpGate } from './setup-gate.tsx';
import { NextStep, StateLabel } from './state-label.tsx';
import { useWatchRunning } from './use-watch-running.ts';
import { ValidationPanel } from './validation-panel.tsx';

/** One carrier connection: its running validation, if any, its status, and what to do next. */
export function ConnectionPage({ policyHolderId }: { policyHolderId: number }) {
  const navigate = useNavigate();
  return (
    <Page
      title="Carrier connection"
      documentTitle="Carrier connection"
      isNarrow
      actions={<BackButton label="Connections" onBack={() => void navigate({ to: '/connections' })} />}
    >
      <SetUpGate>{() => <Connection policyHolderId={policyHolderId} />}</SetUpGate>
    </Page>
  );
}

function Connection({ policyHolderId }: { policyHolderId: number }) {
  const list = useWorkspaceQuery('connect:listConnections');
  const running = useWorkspaceQuery('connect:getValidation', { policyHolderId });
  const members = useWorkspaceQuery('connect:listMembers');
  useWatchRunning(true, policyHolderId, runningKey(list.data?.connections));
  const both = {
    error: list.error ?? running.error,
    refetch: () => Promise.all([list.refetch(), running.refetch()]),
  };
  if (both.error !== null || list.data === undefined || running.data === undefined)
    return <NotLoaded query={both} what="the connection" title="Couldn’t load this connection" />;
  const validation = running.data;
  const connection = list.data.connections.find((candidate) => candidate.policyHolderId === policyHolderId);
  const owner = ownerOf(connection, members.data?.members ?? []);
  if (connection === undefined && validation === null) {
    return (
      <EmptyState
        title="Connection not found"
        text="It may have been removed from this computer or set up under different integration settings."
        action={<ButtonLink to="/connections">Back to connections</ButtonLink>}
      />
    );
  }
  return (
    <Stack gap={10}>
      <Headline connection={connection} validation={validation} />
      {validation !== null && <ValidationPanel key={validation.startedAt} validation={validation} />}
      <ConnectionSteps
        policyHolderId={policyHolderId}
        connection={connection}
        validation={validation}
        owner={owner}
      />
      {connection !== undefined && <ConnectionStatus connection={connection} owner={owner} />}
      <RunningValidations title="Other sign-in checks" except={policyHolderId} />
    </Stack>
  );
}

function Headline(props: { connection: CarrierConnection | undefined; validation: Validation | null }) {
  const { connection, validation } = props;
  const carrier = connection?.payerName ?? validation?.payerName ?? 'Carrier';
  return (
    <Text size="lg" fw={600}>
      {carrier} · {connection?.memberName ?? validation?.email}
    </Text>
  );
}

/** The status of a connection, the reason, what to do about it, and its claims. */
function ConnectionStatus(props: { connection: CarrierConnection; owner: ConnectMember | undefined }) {
  const { connection } = props;
  const { policyHolderId, correctionMessage, lastSuccessAt, claimsSynced, newestClaimOn } = connection;
  const now = useNow();
  const refresh = useWorkspaceMutation('connect:readConnection');
  return (
    <Section
      title="Connection status"
      actions={
        <SmallButton loading={refresh.isPending} onClick={() => refresh.mutate({ policyHolderId })}>
          Refresh status
        </SmallButton>
      }
    >
      <Stack gap="xs">
        <StateLabel label={severityLabels[connection.severity]} tone={severityTones[connection.severity]} />
        <Text size="sm">{connection.sentence}</Text>
        {correctionMessage !== null && isWrong(connection) && (
          <CarrierSays carrierName={connection.payerName} message={correctionMessage} />
        )}
        <NextStep step={connection.nextStep} />
        {isWrong(connection) && <SupportContact {...props} />}
        <FieldList
          fields={[
            ['Member', connection.memberName],
            ['Email', connection.email],
            ['Employer', connection.employerName],
            ['Carrier', connection.payerName],
            ['Username', connection.usernameHint],
            ['Last successful update', lastSuccessAt === null ? 'None yet' : formatDateTime(lastSuccessAt)],
            ['Claims synced', claimsSynced === null ? null : formatCount(claimsSynced)],
            ['Newest claim', newestClaimOn === null ? null : formatDateField(newestClaimOn)],
            ['Connection ID', String(policyHolderId)],
            ['Status as of', titleWhen(connection.readAt, now)],
          ]}
        />
        <ErrorNotice error={refresh.error} title="Couldn’t refresh this connection" />
      </Stack>
    </Section>
  );
}

/** The contact for a login that is correct and still fails: the employer's support, if it is known. */
function SupportContact(props: {
  connection: Pick<CarrierConnection, 'supportEmail'>;
  owner: ConnectMember | undefined;
}) {
  const { connection, owner } = props;
  const isUnknown = connection.supportEmail === null && owner !== undefined;
  const record = useWorkspaceQuery(
    'records:getEmployer',
    { id: owner?.employer.id ?? 0 },
    { enabled: isUnknown },
  );
  const address = connection.supportEmail ?? record.data?.employer.support_email_derived ?? null;
  if (address === null || address === '') return null;
  return (
    <Text size="sm">
      If the login is right and still doesn’t work, contact <Code>{address}</Code>
    </Text>
  );
}

/** The actions for a connection without a running validation. */
function ConnectionSteps(props: {
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
        {isMigrating && owner !== undefined && <NewCarrier policyHolderId={policyHolderId} owner={owner} />}
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
            search={{ addedAt: owner.bootstrappedAt, payerId }}
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
function NewCarrier(props: { policyHolderId: number; owner: ConnectMember }) {
  const { policyHolderId, owner } = props;
  const navigate = useNavigate();
  const search = useWorkspaceMutation('connect:findNewCarrier');
  const go = () =>
    search.mutate(
      { policyHolderId },
      {
        onSuccess: ({ id }) =>
          void navigate({
            to: '/connections/new',
            search: { addedAt: owner.bootstrappedAt, payerId: id },
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
