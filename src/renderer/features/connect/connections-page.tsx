import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConnectionView } from '../../../contract/connect-views.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { EmptyState, LoadingState } from '../../components/states.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import { ConnectionList } from './connection-list.tsx';
import { describeConnections, findConnections } from './connection-words.ts';
import { OpenSignIns } from './open-sign-ins.tsx';
import { SetUpGate } from './setup-gate.tsx';
import { UnderWay } from './under-way.tsx';

/** All carrier connections of the workspace, those that need attention first, and what is under way. */
export function ConnectionsPage({ workspace }: { workspace: Workspace }) {
  return (
    <Page
      title="Connections"
      documentTitle="Connections"
      actions={
        <>
          <ButtonLink to="/connections/calls" variant="default" size="compact-sm">
            Call log
          </ButtonLink>
          <ButtonLink to="/connections/new" size="compact-sm">
            Bring a member in
          </ButtonLink>
        </>
      }
    >
      <SetUpGate workspace={workspace}>
        {() => (
          <Stack gap={10} maw={1100}>
            <UnderWay workspaceId={workspace.id} title="Validations" />
            <OpenSignIns workspaceId={workspace.id} />
            <AllConnections workspaceId={workspace.id} />
          </Stack>
        )}
      </SetUpGate>
    </Page>
  );
}

function AllConnections({ workspaceId }: { workspaceId: string }) {
  const list = useDeskQuery('connect:listConnections', { workspaceId });
  const readAnew = useDeskMutation('connect:listConnections');
  if (list.error !== null) {
    return (
      <ErrorNotice
        error={list.error}
        title="The connections cannot be listed"
        action={<RetryButton onRetry={() => void list.refetch()} />}
      />
    );
  }
  if (list.data === undefined) return <LoadingState what="the connections" />;
  const { connections } = list.data;
  const failures = readAnew.data?.failures ?? [];
  return (
    <Section
      title="All connections"
      beside={
        <Text size="xs" c="dimmed">
          {describeConnections(connections)}
        </Text>
      }
      actions={
        <Button
          size="compact-sm"
          variant="default"
          loading={readAnew.isPending}
          onClick={() => readAnew.mutate({ workspaceId, isFresh: true })}
        >
          Read all anew
        </Button>
      }
    >
      <Stack gap="sm">
        {readAnew.error !== null && (
          <ErrorNotice error={readAnew.error} title="The connections could not be read anew" />
        )}
        {failures.length > 0 && (
          <Text size="sm" role="status">
            {formatCountOf(failures.length, 'member')} could not be asked for; what is shown of them is as it
            was last read.
          </Text>
        )}
        <Found connections={connections} />
      </Stack>
    </Section>
  );
}

function Found({ connections }: { connections: readonly ConnectionView[] }) {
  const [typed, setTyped] = useState('');
  if (connections.length === 0) {
    return (
      <EmptyState
        title="No connection is known yet"
        text="Bring a member in, choose their carrier, and submit their login with them."
        action={<ButtonLink to="/connections/new">Bring a member in</ButtonLink>}
      />
    );
  }
  const fitting = findConnections(connections, typed);
  return (
    <>
      <TextInput
        label="Find a connection"
        placeholder="Member, carrier or employer"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maw={340}
      />
      {fitting.length === 0 ? (
        <Text size="sm">No connection fits what is typed.</Text>
      ) : (
        <ConnectionList connections={fitting} showsMember />
      )}
    </>
  );
}
