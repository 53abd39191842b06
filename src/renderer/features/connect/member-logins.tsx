import { Text } from '@mantine/core';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ConnectionList } from './connection-list.tsx';

/** A member's carrier logins on the member's page; nothing where Connect is not set up. */
export function MemberLogins(props: { memberId: number; email: string | null }) {
  const workspaceId = useWorkspace().id;
  const settings = useDeskQuery('connect:getSettings', { workspaceId });
  const isSetUp = settings.data !== undefined && settings.data.publicToken !== null;
  const list = useDeskQuery(
    'connect:listConnections',
    { workspaceId, email: props.email ?? '' },
    { enabled: isSetUp && props.email !== null },
  );
  if (!isSetUp) return null;
  const connections = list.data?.connections ?? [];
  return (
    <Section
      title="Carrier connections"
      actions={
        <ButtonLink
          size="compact-sm"
          variant="default"
          to="/connections/new"
          search={{ memberId: props.memberId }}
        >
          {connections.length === 0 ? 'Connect a carrier' : 'Add a carrier'}
        </ButtonLink>
      }
    >
      {list.error !== null && (
        <ErrorNotice error={list.error} title="Couldn’t load the carrier connections" />
      )}
      {connections.length === 0 ? (
        <Text size="sm" c="dimmed">
          No carrier connections loaded for this member yet. Connect a carrier, or refresh to load existing
          connections.
        </Text>
      ) : (
        <ConnectionList connections={connections} showsMember={false} />
      )}
    </Section>
  );
}
