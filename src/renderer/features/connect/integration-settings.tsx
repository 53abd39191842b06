import { Stack, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { Details } from '../../components/details.tsx';
import { NotLoaded } from '../../components/error-notice.tsx';
import { WorkspaceSection } from '../../domain/workspace/workspace-section.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { OtherSettingsForm } from './integration-form.tsx';
import { RemoveSecretKey, TokenAndKeyForm } from './token-and-key-form.tsx';

/** The Connect settings of a workspace: what a vendor hands out, the rest folded. */
export function IntegrationSettings() {
  return (
    <WorkspaceSection about="Connect adds members and manages their carrier logins. Your service issues a public token and a secret key for it; each workspace has its own.">
      {(workspace) => <Integration key={workspace.id} workspace={workspace} />}
    </WorkspaceSection>
  );
}

function Integration({ workspace }: { workspace: Workspace }) {
  const settings = useDeskQuery('connect:getSettings', { workspaceId: workspace.id });
  if (settings.error !== null || settings.data === undefined)
    return <NotLoaded query={settings} what="the integration settings" />;
  return (
    <Stack gap="lg">
      {workspace.isSample && (
        <Text size="sm">Already set up: the sample service issued a public token and a secret key.</Text>
      )}
      <TokenAndKeyForm workspaceId={workspace.id} kept={settings.data} isGiven={workspace.isSample} />
      <Details summary="Other settings">
        <Stack gap="md">
          <OtherSettingsForm workspaceId={workspace.id} kept={settings.data} />
          {settings.data.hasSecret && !workspace.isSample && <RemoveSecretKey workspaceId={workspace.id} />}
        </Stack>
      </Details>
    </Stack>
  );
}
