import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ConnectionView, ValidationView } from '../../../contract/connect-views.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { FieldList, Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { EmptyState, LoadingState } from '../../components/states.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatDateTime, formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { mayCorrect, severityTones, severityWords } from './connect-words.ts';
import { SetUpGate } from './setup-gate.tsx';
import { StateMark } from './state-mark.tsx';
import { UnderWay } from './under-way.tsx';
import { ValidationPanel } from './validation-panel.tsx';

/** One carrier connection: its validation while one runs, how it stands, and what to do next. */
export function ConnectionPage(props: { workspace: Workspace; policyHolderId: number }) {
  const navigate = useNavigate();
  const { workspace, policyHolderId } = props;
  return (
    <Page
      title="Carrier connection"
      documentTitle="Carrier connection"
      isNarrow
      actions={<BackButton label="Connections" onBack={() => void navigate({ to: '/connections' })} />}
    >
      <SetUpGate workspace={workspace}>
        {() => <Connection workspace={workspace} policyHolderId={policyHolderId} />}
      </SetUpGate>
    </Page>
  );
}

function Connection({ workspace, policyHolderId }: { workspace: Workspace; policyHolderId: number }) {
  const workspaceId = workspace.id;
  const list = useDeskQuery('connect:listConnections', { workspaceId });
  const running = useDeskQuery('connect:getValidation', { workspaceId, policyHolderId });
  const error = list.error ?? running.error;
  if (error !== null) {
    return (
      <ErrorNotice
        error={error}
        title="The connection cannot be shown"
        action={
          <RetryButton
            onRetry={() => {
              void list.refetch();
              void running.refetch();
            }}
          />
        }
      />
    );
  }
  if (list.data === undefined || running.data === undefined) return <LoadingState what="the connection" />;
  const validation = running.data;
  const connection = list.data.connections.find((one) => one.policyHolderId === policyHolderId);
  if (connection === undefined && validation === null) {
    return (
      <EmptyState
        title="There is no such connection"
        text="It may have been forgotten on this computer, or it belongs to other integration settings."
        action={<ButtonLink to="/connections">Go to the connections</ButtonLink>}
      />
    );
  }
  return (
    <Stack gap={10}>
      <Headline connection={connection} validation={validation} />
      {validation !== null && (
        <ValidationPanel key={validation.startedAt} workspaceId={workspaceId} validation={validation} />
      )}
      <NextSteps policyHolderId={policyHolderId} connection={connection} validation={validation} />
      {connection !== undefined && <Standing workspaceId={workspaceId} connection={connection} />}
      <UnderWay workspaceId={workspaceId} title="Other validations" except={policyHolderId} />
    </Stack>
  );
}

function Headline(props: { connection: ConnectionView | undefined; validation: ValidationView | null }) {
  const { connection, validation } = props;
  const carrier = connection?.payerName ?? validation?.payerName ?? 'Carrier';
  return (
    <Text size="lg" fw={600}>
      {carrier} · {connection?.memberName ?? validation?.email}
    </Text>
  );
}

function NextSteps(props: {
  policyHolderId: number;
  connection: ConnectionView | undefined;
  validation: ValidationView | null;
}) {
  const { policyHolderId, connection, validation } = props;
  const isUrgent = mayCorrect(connection, validation);
  if (validation !== null && validation.phase !== 'ended') return null;
  return (
    <Group gap="xs">
      <ButtonLink
        to="/connections/$policyHolderId/correct"
        params={{ policyHolderId }}
        variant={isUrgent ? 'filled' : 'default'}
      >
        Correct the login
      </ButtonLink>
      <ButtonLink to="/connections/new" variant="default">
        Bring another member in
      </ButtonLink>
    </Group>
  );
}

function Standing({ workspaceId, connection }: { workspaceId: string; connection: ConnectionView }) {
  const now = useNow();
  const readAnew = useDeskMutation('connect:fix');
  return (
    <Section
      title="How the connection stands"
      actions={
        <Button
          size="compact-sm"
          variant="default"
          loading={readAnew.isPending}
          onClick={() => readAnew.mutate({ workspaceId, email: connection.email })}
        >
          Read anew
        </Button>
      }
    >
      <Stack gap="xs">
        <StateMark words={severityWords[connection.severity]} tone={severityTones[connection.severity]} />
        <Text size="sm">{connection.sentence}</Text>
        {connection.nextStep !== null && (
          <Text size="sm">
            <b>Next: </b>
            {connection.nextStep}
          </Text>
        )}
        <FieldList
          fields={[
            ['Member', connection.memberName],
            ['Email', connection.email],
            ['Employer', connection.employerName],
            ['Carrier', connection.payerName],
            ['Username', connection.usernameHint],
            [
              'Last success',
              connection.lastSuccessAt === null ? 'none yet' : formatDateTime(connection.lastSuccessAt),
            ],
            ['Connection', String(connection.policyHolderId)],
            ['Read', formatWhen(connection.readAt, now)],
          ]}
        />
        {readAnew.error !== null && (
          <ErrorNotice error={readAnew.error} title="The connection could not be read anew" />
        )}
      </Stack>
    </Section>
  );
}
