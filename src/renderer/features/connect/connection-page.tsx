import { Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { CarrierConnection, Validation } from '../../../contract/carrier-connections.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { EmptyState, LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { runningKey } from './connect-labels.ts';
import { ownerOf } from './connection-facts.ts';
import { ConnectionStatus } from './connection-status.tsx';
import { ConnectionSteps } from './connection-steps.tsx';
import { RunningValidations } from './running-validations.tsx';
import { SetUpGate } from './setup-gate.tsx';
import { useWatchRunning } from './use-watch-running.ts';
import { ValidationPanel } from './validation-panel.tsx';

/** One carrier connection: its running validation, if any, its status, and what to do next. */
export function ConnectionPage({ policyHolderId }: { policyHolderId: number }) {
  const navigate = useNavigate();
  const workspace = useWorkspace();
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
  const members = useDeskQuery('connect:listMembers', { workspaceId });
  useWatchRunning(workspaceId, policyHolderId, runningKey(list.data?.connections));
  const error = list.error ?? running.error;
  if (error !== null) {
    return (
      <ErrorNotice
        error={error}
        title="Couldn’t load this connection"
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
      {validation !== null && (
        <ValidationPanel key={validation.startedAt} workspaceId={workspaceId} validation={validation} />
      )}
      <ConnectionSteps
        workspaceId={workspaceId}
        policyHolderId={policyHolderId}
        connection={connection}
        validation={validation}
        owner={owner}
      />
      {connection !== undefined && (
        <ConnectionStatus workspaceId={workspaceId} connection={connection} owner={owner} />
      )}
      <RunningValidations workspaceId={workspaceId} title="Other sign-in checks" except={policyHolderId} />
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
