import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import type { MemberRecord } from '../../../contract/records.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallButtonLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useRefreshRecord } from '../../domain/sync/use-refresh-record.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { ClaimedConnectionList, ConnectionList } from './connection-list.tsx';
import { connectionColumns, connectionsOfClaims } from './connections-of-claims.ts';

/** The most claims of a family that are read for connections, newest first. */
const maxClaims = 1000;

/** The carrier connections of a member: those that Connect has, and those that only claims name. */
function useMemberConnections(memberId: number, email: string | null) {
  const settings = useWorkspaceQuery('connect:getSettings');
  const isSetUp = settings.data !== undefined && settings.data.publicToken !== null;
  const claimed = useWorkspaceQuery('records:readFirst', {
    query: {
      entity: 'claims',
      conditions: [{ field: 'members.id', operator: 'is', values: [memberId] }],
      sort: [{ field: 'modifieddate', direction: 'desc' }],
    },
    limit: maxClaims,
    fields: [...connectionColumns],
    isLookup: true,
  });
  const ofClaims = connectionsOfClaims(claimed.data?.rows ?? []);
  // The list includes connections found in claims: a spouse's is registered under the spouse.
  const list = useWorkspaceQuery(
    'connect:listConnections',
    {
      ...(email === null ? {} : { email }),
      policyHolderIds: ofClaims.map(({ policyHolderId }) => policyHolderId),
    },
    { enabled: isSetUp && !claimed.isPending },
  );
  const connections = list.data?.connections ?? [];
  const others = list.isLoading
    ? []
    : ofClaims.filter(
        ({ policyHolderId }) =>
          !connections.some((connection) => connection.policyHolderId === policyHolderId),
      );
  return { isKnown: settings.data !== undefined, isSetUp, claimed, list, connections, others };
}

/**
 * A member's carrier connections on their page and on those of their dependents: with their state if Connect has
 * reported it, else as named in claims. The claims of each can be shown and refreshed separately.
 */
export function MemberLogins(props: { member: MemberRecord; isOnDependentPage?: boolean }) {
  const { id: memberId } = props.member;
  const email = props.member.email || null;
  const name = fullNameOf(props.member, `Member ${memberId}`);
  const open = useOpenList();
  const { refresh, refreshing, error } = useRefreshRecord('claim');
  const { isKnown, isSetUp, claimed, list, connections, others } = useMemberConnections(memberId, email);
  if (!isKnown) return null;
  const isOwn = (connection: CarrierConnection): boolean =>
    connection.email.toLowerCase() === email?.toLowerCase();
  const actions = (policyHolderId: number, carrier: string) => (
    <>
      <SmallButton
        aria-label={`Show claims: ${carrier}`}
        onClick={() =>
          open(
            'claims',
            [
              { field: 'members.id', operator: 'is', values: [memberId] },
              { field: 'policy_holder.id', operator: 'is', values: [policyHolderId] },
            ],
            [['members.id', memberId, name]],
          )
        }
      >
        Show claims
      </SmallButton>
      <SmallButton
        aria-label={`Refresh claims: ${carrier}`}
        loading={refreshing?.kind === 'connection' && refreshing.policyHolderId === policyHolderId}
        onClick={() => refresh({ kind: 'connection', policyHolderId })}
      >
        Refresh claims
      </SmallButton>
    </>
  );
  return (
    <Section
      title="Carrier connections"
      beside={props.isOnDependentPage && <SmallPrint>Of {name}, the subscriber</SmallPrint>}
      actions={
        isSetUp ? (
          <SmallButtonLink to="/connections/new" search={{ memberId }}>
            {!connections.some(isOwn) ? 'Connect a carrier' : 'Add a carrier'}
          </SmallButtonLink>
        ) : (
          <SmallButtonLink to="/settings/$section" params={{ section: 'integration' }}>
            Set up Connect
          </SmallButtonLink>
        )
      }
    >
      <ErrorNotice error={error} title="Couldn’t refresh this connection" />
      <ErrorNotice error={list.error} title="Couldn’t load the carrier connections" />
      <ErrorNotice
        error={claimed.error}
        title="Couldn’t load the connections in claims"
        onRetry={claimed.refetch}
      />
      {connections.length > 0 && (
        <ConnectionList
          connections={connections}
          showsMember={(connection) => !isOwn(connection)}
          actions={actions}
        />
      )}
      {others.length > 0 && <ClaimedConnectionList connections={others} actions={actions} />}
      {connections.length + others.length === 0 && claimed.isSuccess && !list.isLoading && (
        <Hint>No carrier connections yet.</Hint>
      )}
      {others.length > 0 && (
        <SmallPrint mt={6}>
          {isSetUp
            ? 'Known from claims only. Connect shows the carrier and state once the member is added under Connections.'
            : 'Known from claims only. Carrier and state come from Connect, which isn’t set up in this workspace.'}
        </SmallPrint>
      )}
    </Section>
  );
}
