import { Stack, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { LoadingState } from '../../components/states.tsx';
import { WorkspaceSection } from '../../domain/workspace/workspace-section.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { IntegrationForm } from './integration-form.tsx';
import { SecretKey } from './secret-key.tsx';

/** The Connect settings of a workspace: tokens, tenant, kind of data, header names. */
export function IntegrationSettings() {
  return (
    <WorkspaceSection about="Connect adds members and manages their carrier logins. Your service issues a public token and a secret key for it; each workspace has its own.">
      {(workspace) => <Integration key={workspace.id} workspace={workspace} />}
    </WorkspaceSection>
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
