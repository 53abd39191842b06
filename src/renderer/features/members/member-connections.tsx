import { Button, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Condition } from '../../../contract/query.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { ClaimSums, DerivedBadge } from '../../domain/claim/claim-sums.tsx';
import { type ConditionLabels, useOpenList } from '../../domain/list/use-open-list.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatCountOf } from '../../lib/format-value.ts';

/**
 * The carrier connections of the member's claims. The service lists none with a member, so connections without claims
 * are missing. Each can be refreshed by itself.
 */
export function MemberConnections(props: {
  workspace: Workspace;
  conditions: readonly Condition[];
  labels: ConditionLabels;
}) {
  const { workspace, conditions } = props;
  const open = useOpenList(workspace.id);
  const fetch = useDeskMutation('sync:refreshRecord');
  const answer = useDeskQuery('records:group', {
    workspaceId: workspace.id,
    query: { entity: 'claims', conditions: [...conditions] },
    by: 'policy_holder.id',
    order: 'count',
    limit: 50,
  });
  const groups = answer.data?.groups ?? [];
  const refresh = (policyHolderId: number) =>
    fetch.mutate(
      { workspaceId: workspace.id, what: { kind: 'connection', policyHolderId } },
      {
        onSuccess: ({ records, added, changed }) =>
          notifications.show({
            message:
              added + changed === 0
                ? 'Up to date. No changes.'
                : `Refreshed ${formatCountOf(records, 'claim')}: ${added} new, ${changed} changed.`,
          }),
      },
    );
  const rows = groups.map(({ value, label, totals, conditions: own }) => ({
    key: String(value),
    // The number too: a subscriber has a connection with each of several carriers.
    label: value === null ? 'No connection' : [label, `Connection ${value}`].filter(Boolean).join(' · '),
    totals,
    onOpen: () => open('claims', [...conditions, ...own], props.labels),
    action: typeof value === 'number' && (
      <Button
        size="compact-xs"
        variant="default"
        loading={
          fetch.isPending &&
          fetch.variables?.what.kind === 'connection' &&
          fetch.variables.what.policyHolderId === value
        }
        onClick={() => refresh(value)}
      >
        Refresh claims
      </Button>
    ),
  }));
  return (
    <Section title="Claims by carrier connection" beside={<DerivedBadge />}>
      {answer.error !== null && (
        <ErrorNotice
          error={answer.error}
          title="Couldn’t load connections"
          action={<RetryButton onRetry={() => void answer.refetch()} />}
        />
      )}
      {fetch.error !== null && <ErrorNotice error={fetch.error} title="Couldn’t refresh this connection" />}
      {answer.isPending && <Skeleton height={48} />}
      {answer.data !== undefined &&
        (rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            No claims from a carrier connection yet.
          </Text>
        ) : (
          <ClaimSums label="Claims by carrier connection" head="Subscriber" rows={rows} />
        ))}
    </Section>
  );
}
