import { Button, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Condition } from '../../../contract/query.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ClaimSums, DerivedBadge } from '../../components/claim-sums.tsx';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import { type ConditionLabels, useOpenList } from '../../lib/use-open-list.ts';

/**
 * The carrier connections that the member's claims name: the service lists none with a member, so these are
 * only those that have claims here. Each can be read anew by itself.
 */
export function MemberConnections(props: {
  workspace: Workspace;
  conditions: readonly Condition[];
  labels: ConditionLabels;
}) {
  const { workspace, conditions } = props;
  const open = useOpenList(workspace.id);
  const fetch = useDeskMutation('sync:readAnew');
  const answer = useDeskQuery('records:group', {
    workspaceId: workspace.id,
    query: { entity: 'claims', conditions: [...conditions] },
    by: 'policy_holder.id',
    order: 'count',
    limit: 50,
  });
  const groups = answer.data?.groups ?? [];
  const readAnew = (policyHolderId: number) =>
    fetch.mutate(
      { workspaceId: workspace.id, what: { kind: 'connection', policyHolderId } },
      {
        onSuccess: ({ records, added, changed }) =>
          notifications.show({
            message: `${formatCountOf(records, 'claim')} read: ${added} new, ${changed} changed.`,
          }),
      },
    );
  const rows = groups.map(({ value, label, totals, conditions: own }) => ({
    key: String(value),
    label: value === null ? 'No connection named' : `${label ?? 'Connection'} (${value})`,
    totals,
    onOpen: () => open('claims', [...conditions, ...own], props.labels),
  }));
  const ids = groups.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  return (
    <Section
      title="Carrier connections"
      beside={<DerivedBadge />}
      actions={ids.slice(0, 3).map((id) => (
        <Button
          key={id}
          size="compact-xs"
          variant="default"
          loading={fetch.isPending}
          onClick={() => readAnew(id)}
        >
          Read {id} anew
        </Button>
      ))}
    >
      {answer.error !== null && (
        <ErrorNotice
          error={answer.error}
          title="The connections cannot be shown"
          action={<RetryButton onRetry={() => void answer.refetch()} />}
        />
      )}
      {fetch.error !== null && (
        <ErrorNotice error={fetch.error} title="The connection could not be read anew" />
      )}
      {answer.isPending && <Skeleton height={48} />}
      {answer.data !== undefined &&
        (rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            No claim on this computer names a connection of this member.
          </Text>
        ) : (
          <ClaimSums label="Carrier connections" head="Policy holder (connection)" rows={rows} />
        ))}
    </Section>
  );
}
