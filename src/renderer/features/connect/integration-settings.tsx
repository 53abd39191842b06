import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspaces } from '../../lib/use-workspaces.ts';
import { IntegrationForm } from './integration-form.tsx';
import { SecretKey } from './secret-key.tsx';

/** How a workspace reaches Connect: its tokens, its tenant, its data, its spellings. */
export function IntegrationSettings() {
  const { workspaces, active, isLoading, error } = useWorkspaces();
  const [chosenId, setChosenId] = useState<string | null>(null);
  if (error !== null) return <ErrorNotice error={error} title="The workspaces cannot be listed" />;
  if (isLoading) return null;
  const workspace = workspaces.find(({ id }) => id === chosenId) ?? active ?? workspaces[0] ?? null;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Connect brings members in and looks after their carrier logins. Your service issues a public token and
        a secret key for it; each workspace has its own.
      </Text>
      {workspace === null ? (
        <ButtonLink to="/welcome/connect">Connect to your service</ButtonLink>
      ) : (
        <>
          {workspaces.length > 1 && (
            <Select
              label="Workspace"
              data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
              value={workspace.id}
              onChange={setChosenId}
              allowDeselect={false}
              maw={340}
            />
          )}
          <Integration key={workspace.id} workspace={workspace} />
        </>
      )}
    </Stack>
  );
}

function Integration({ workspace }: { workspace: Workspace }) {
  const settings = useDeskQuery('connect:getSettings', { workspaceId: workspace.id });
  if (settings.error !== null) {
    return (
      <ErrorNotice
        error={settings.error}
        title="The integration settings cannot be read"
        action={<RetryButton onRetry={() => void settings.refetch()} />}
      />
    );
  }
  if (settings.data === undefined) return <LoadingState what="the integration settings" />;
  return (
    <Stack gap="lg">
      {workspace.isSample && (
        <Text size="sm">
          The sample set this up by itself: its service issued a public token and a secret key.
        </Text>
      )}
      <IntegrationForm workspaceId={workspace.id} kept={settings.data} />
      <SecretKey workspaceId={workspace.id} settings={settings.data} isGiven={workspace.isSample} />
    </Stack>
  );
}
