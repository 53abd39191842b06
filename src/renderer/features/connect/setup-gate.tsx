import type { ReactNode } from 'react';
import type { ConnectSettings } from '../../../contract/connect-settings.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';

/** Shows its content once Connect is set up in the workspace; before that, a link to its settings. */
export function SetUpGate(props: { children: (settings: ConnectSettings) => ReactNode }) {
  const settings = useWorkspaceQuery('connect:getSettings');
  if (settings.error !== null || settings.data === undefined)
    return <NotLoaded query={settings} what="the integration settings" />;
  if (settings.data.publicToken === null) {
    return (
      <EmptyState
        title="Connect isn’t set up in this workspace"
        text="Enter the public token, and the secret key, that your service issued for your integration."
        action={
          <ButtonLink to="/settings/$section" params={{ section: 'integration' }}>
            Open the integration settings
          </ButtonLink>
        }
      />
    );
  }
  return props.children(settings.data);
}
