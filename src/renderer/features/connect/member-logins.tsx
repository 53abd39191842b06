import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { readFirstRows } from '../../domain/list/read-first-rows.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ClaimedConnectionList } from './claimed-connection-list.tsx';
import { ConnectionList } from './connection-list.tsx';
import { connectionColumns, connectionsOfClaims } from './connections-of-claims.ts';

/** A family's claims of many years; beyond it the oldest are not looked at. */
const maxClaims = 1000;

/**
 * A member's carrier connections on the member's page: with their state where Connect has told it, else as the claims
 * name them.
 */
export function MemberLogins(props: { memberId: number; email: string | null }) {
  const { memberId, email } = props;
  const bridge = useBridge();
  const workspaceId = useWorkspace().id;
  const settings = useDeskQuery('connect:getSettings', { workspaceId });
  const isSetUp = settings.data !== undefined && settings.data.publicToken !== null;
  const list = useDeskQuery(
    'connect:listConnections',
    { workspaceId, email: email ?? '' },
    { enabled: isSetUp && email !== null },
  );
  const claimed = useQuery({
    queryKey: ['records', workspaceId, 'connectionsOfClaims', memberId],
    gcTime: 10_000,
    queryFn: async () =>
      connectionsOfClaims(
        await readFirstRows(bridge, {
          workspaceId,
          query: {
            entity: 'claims',
            conditions: [{ field: 'members.id', operator: 'is', values: [memberId] }],
            sort: [{ field: 'modifieddate', direction: 'desc' }],
          },
          limit: maxClaims,
          fields: [...connectionColumns],
          isAside: true,
        }),
      ),
  });
  if (settings.data === undefined) return null;
  const connections = list.data?.connections ?? [];
  const others = (claimed.data ?? []).filter(
    ({ policyHolderId }) => !connections.some((one) => one.policyHolderId === policyHolderId),
  );
  return (
    <Section
      title="Carrier connections"
      actions={
        isSetUp ? (
          <ButtonLink size="compact-sm" variant="default" to="/connections/new" search={{ memberId }}>
            {connections.length === 0 ? 'Connect a carrier' : 'Add a carrier'}
          </ButtonLink>
        ) : (
          <ButtonLink
            size="compact-sm"
            variant="default"
            to="/settings/$section"
            params={{ section: 'integration' }}
          >
            Set up Connect
          </ButtonLink>
        )
      }
    >
      {list.error !== null && (
        <ErrorNotice error={list.error} title="Couldn’t load the carrier connections" />
      )}
      {claimed.error !== null && (
        <ErrorNotice
          error={claimed.error}
          title="Couldn’t load the connections in claims"
          action={<RetryButton onRetry={() => void claimed.refetch()} />}
        />
      )}
      {connections.length > 0 && <ConnectionList connections={connections} showsMember={false} />}
      {others.length > 0 && <ClaimedConnectionList connections={others} />}
      {connections.length + others.length === 0 && claimed.isSuccess && (
        <Text size="sm" c="dimmed">
          No carrier connections yet.
        </Text>
      )}
      {others.length > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          {isSetUp
            ? 'Known from claims only. Connect tells carrier and state once the member is added under Connections.'
            : 'Known from claims only. Carrier and state come from Connect, which isn’t set up in this workspace.'}
        </Text>
      )}
    </Section>
  );
}
