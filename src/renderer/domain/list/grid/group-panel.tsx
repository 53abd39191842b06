import { ActionIcon, Button, NativeSelect, Skeleton, Table, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Entity } from '../../../../contract/fields.ts';
import type { Totals } from '../../../../contract/procedures.ts';
import type { Condition, Group, ListQuery } from '../../../../contract/query.ts';
import { Total } from '../../../components/amount.tsx';
import { ErrorNotice, RetryButton } from '../../../components/error-notice.tsx';
import { useListQuery } from '../../../lib/desk-query.ts';
import { formatCount } from '../../../lib/format-value.ts';
import { groupings, groupName } from '../describe-group.ts';
import styles from './group-panel.module.css';

const pageSize = 100;
type Amount = Exclude<keyof Totals, 'count'>;
const amounts: readonly { value: Amount; label: string }[] = [
  { value: 'billed', label: 'Billed' },
  { value: 'allowed', label: 'Allowed' },
  { value: 'paid', label: 'Plan paid' },
  { value: 'patientResponsibility', label: 'Patient resp.' },
];

/**
 * Groups the list beside it by one column, with a count and one exact sum each. A value adds the filter that finds
 * exactly its rows.
 */
export function GroupPanel(props: {
  workspaceId: string;
  entity: Entity;
  query: ListQuery;
  by: string;
  /** Of the list beside it; null: it is still being made. */
  snapshotId: string | null;
  onBy: (path: string | null) => void;
  onFilter: (conditions: readonly Condition[], name: string) => void;
}) {
  const { entity, by } = props;
  const hasAmounts = entity === 'claims' || entity === 'lines';
  const [amount, setAmount] = useState<Amount>('billed');
  const [limit, setLimit] = useState(pageSize);
  const isByTime = by === 'date_of_service.month';
  const { sort: _sort, ...filter } = props.query;
  const answer = useListQuery(
    'records:group',
    {
      workspaceId: props.workspaceId,
      query: filter,
      by,
      order: isByTime ? 'value' : hasAmounts ? amount : 'count',
      direction: 'desc',
      limit,
    },
    props.snapshotId,
  );
  const label = groupings[entity].find(({ path }) => path === by)?.label ?? by;
  const groups = answer.data?.groups ?? [];
  const total = answer.data?.total ?? 0;
  return (
    <aside className={styles.panel} aria-label="Groups">
      <div className={styles.head}>
        <NativeSelect
          size="xs"
          aria-label="Group by"
          className={styles.by ?? ''}
          data={groupings[entity].map(({ path, label: column }) => ({ value: path, label: `By ${column}` }))}
          value={by}
          onChange={(event) => {
            setLimit(pageSize);
            props.onBy(event.currentTarget.value);
          }}
        />
        {hasAmounts && (
          <NativeSelect
            size="xs"
            aria-label="Sum of"
            data={[...amounts]}
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value as Amount)}
          />
        )}
        <ActionIcon
          size={26}
          variant="subtle"
          color="gray"
          aria-label="Close groups"
          onClick={() => props.onBy(null)}
        >
          <IconX size={15} aria-hidden />
        </ActionIcon>
      </div>
      {answer.error !== null && (
        <ErrorNotice
          error={answer.error}
          title="Couldn’t load the groups"
          action={<RetryButton onRetry={() => void answer.refetch()} />}
        />
      )}
      {answer.isPending && <Skeleton height={160} />}
      {answer.data !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label="Groups, scrollable">
          <Table className={styles.table ?? ''} verticalSpacing={2} horizontalSpacing={6} aria-label={label}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{label}</Table.Th>
                <Table.Th className={styles.number ?? ''}>Count</Table.Th>
                {hasAmounts && (
                  <Table.Th className={styles.number ?? ''}>
                    {amounts.find(({ value }) => value === amount)?.label}
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {groups.map((group) => (
                <GroupRow
                  key={String(group.value)}
                  by={by}
                  group={group}
                  amount={hasAmounts ? amount : null}
                  onFilter={props.onFilter}
                />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      <Text size="xs" c="dimmed" role="status">
        {answer.data !== undefined &&
          (total > groups.length
            ? `${formatCount(groups.length)} of ${formatCount(total)} groups`
            : `${formatCount(total)} ${total === 1 ? 'group' : 'groups'}`)}
      </Text>
      {total > groups.length && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={limit >= 1000}
          onClick={() => setLimit(Math.min(1000, limit + pageSize * 3))}
        >
          Show more
        </Button>
      )}
    </aside>
  );
}

function GroupRow(props: {
  by: string;
  group: Group;
  amount: Amount | null;
  onFilter: (conditions: readonly Condition[], name: string) => void;
}) {
  const { group, amount } = props;
  const name = groupName(props.by, group.value, group.label);
  return (
    <Table.Tr>
      <Table.Td className={styles.name ?? ''}>
        <button
          type="button"
          className={styles.value}
          title="Filter to this group"
          onClick={() => props.onFilter(group.conditions, name)}
        >
          {name}
        </button>
      </Table.Td>
      <Table.Td className={styles.number ?? ''}>{formatCount(group.totals.count)}</Table.Td>
      {amount !== null && (
        <Table.Td className={styles.number ?? ''}>
          <Total amount={group.totals[amount]} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}
