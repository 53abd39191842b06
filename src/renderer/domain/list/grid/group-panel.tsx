import { Button, NativeSelect, Skeleton, Table } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { formatCount } from '../../../../rules/count.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { Condition, Group, ListQuery, SumName } from '../../../../rules/query.ts';
import { isSameJson } from '../../../../rules/review/same-value.ts';
import { Total } from '../../../components/amount.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Scrollable } from '../../../components/scrollable.tsx';
import { SmallPrint } from '../../../components/text.tsx';
import { groupings, groupName } from '../describe-group.ts';
import styles from './group-panel.module.css';
import { type GroupOrder, type ListMoment, useGroups } from './use-groups.ts';

const pageSize = 100;
const amounts = [
  ['billed', 'Billed'],
  ['allowed', 'Allowed'],
  ['paid', 'Plan paid'],
  ['patientResponsibility', 'Patient resp.'],
] as const satisfies readonly (readonly [SumName, string])[];

/**
 * Groups the list beside it by one column, with counts and exact sums. Choosing a value lists its rows instead of
 * those of another value. No `DataTable`: headings say how groups are ordered, and keys go to a row.
 */
export function GroupPanel(props: {
  entity: Entity;
  conditions: readonly Condition[];
  /** The list without the filters on this column. */
  queryWithout: (path: string) => Omit<ListQuery, 'sort'>;
  by: string;
  made: ListMoment | null;
  onBy: (path: string | null) => void;
  /** `name` is that of the group; null: all rows are shown. */
  onChoose: (conditions: readonly Condition[], name: string | null) => void;
}) {
  const { entity, by, conditions } = props;
  const hasAmounts = entity === 'claims' || entity === 'lines';
  const columns = hasAmounts ? amounts : [];
  const [chosenOrder, setOrder] = useState<GroupOrder | null>(null);
  const order = chosenOrder ?? (by === 'date_of_service.month' ? 'value' : hasAmounts ? 'billed' : 'count');
  const [limit, setLimit] = useState(pageSize);
  const query = props.queryWithout(by);
  const { groups: answer, total } = useGroups({ ...props, query, order, limit });
  const label = groupings[entity].find(({ path }) => path === by)?.label ?? by;
  const groups = answer.data?.groups ?? [];
  const groupCount = answer.data?.total ?? 0;
  const chosen = findChosenGroup(groups, conditions, by);
  const body = useRef<HTMLTableElement>(null);

  const choose = (at: number) => {
    const group = groups[at] ?? null;
    const name = group === null ? null : groupName(by, group.value, group.label);
    props.onChoose(chooseGroup(conditions, by, group), name);
  };
  const walk = (step: 1 | -1) => choose(stepGroup(chosen, step, groups.length));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    if (step === null || !(event.target instanceof HTMLElement)) return;
    const buttons = [...(body.current?.querySelectorAll<HTMLElement>('[data-group]') ?? [])];
    const at = buttons.indexOf(event.target);
    const next = buttons[at + step];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    next.focus();
    choose(at + step);
  };
  return (
    <aside className={styles.panel} aria-label="Groups" data-wide={hasAmounts || undefined}>
      <div className={styles.head}>
        <NativeSelect
          size="xs"
          aria-label="Group by"
          className={styles.by ?? ''}
          data={groupings[entity].map(({ path, label: column }) => ({ value: path, label: `By ${column}` }))}
          value={by}
          onChange={(event) => {
            setLimit(pageSize);
            setOrder(null);
            props.onBy(event.currentTarget.value);
          }}
        />
        <IconButton
          label="Previous group"
          icon={<IconChevronUp size={15} aria-hidden />}
          variant="default"
          size={26}
          disabled={chosen < 0}
          onClick={() => walk(-1)}
        />
        <IconButton
          label="Next group"
          icon={<IconChevronDown size={15} aria-hidden />}
          variant="default"
          size={26}
          disabled={chosen >= groups.length - 1}
          onClick={() => walk(1)}
        />
        <IconButton
          label="Close groups"
          icon={<IconX size={15} aria-hidden />}
          size={26}
          onClick={() => props.onBy(null)}
        />
      </div>
      {chosen < 0 && conditions.some(({ field }) => field === by) && (
        <SmallPrint>Groups ignore your filter on {label}. Choosing a group replaces it.</SmallPrint>
      )}
      <ErrorNotice error={answer.error} title="Couldn’t load the groups" onRetry={answer.refetch} />
      {answer.isPending && <Skeleton height={160} />}
      {answer.data !== undefined && (
        <Scrollable label="Groups, scrollable" className={styles.scroll}>
          <Table
            ref={body}
            fz="xs"
            verticalSpacing={2}
            horizontalSpacing={6}
            stickyHeader
            aria-label={label}
            onKeyDown={onKeyDown}
          >
            <Table.Thead>
              <Table.Tr>
                <OrderHeader order={order} setOrder={setOrder} own="value" label={label} />
                <OrderHeader order={order} setOrder={setOrder} own="count" label="Count" />
                {columns.map(([amount, name]) => (
                  <OrderHeader key={amount} order={order} setOrder={setOrder} own={amount} label={name} />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {groups.map((group, at) => (
                <GroupRow
                  key={String(group.value)}
                  name={groupName(by, group.value, group.label)}
                  group={group}
                  columns={columns}
                  isChosen={at === chosen}
                  onChoose={() => choose(at === chosen ? -1 : at)}
                />
              ))}
            </Table.Tbody>
            {total !== null && (
              <Table.Tfoot>
                <Table.Tr>
                  <Table.Th scope="row" className={styles.name ?? ''}>
                    Total
                  </Table.Th>
                  <Table.Td className="amount">{formatCount(total.count)}</Table.Td>
                  {columns.map(([amount]) => (
                    <Table.Td key={amount} className="amount">
                      <Total amount={total[amount]} notCounted={total.notCounted?.[amount]} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              </Table.Tfoot>
            )}
          </Table>
        </Scrollable>
      )}
      <SmallPrint role="status">
        {answer.data !== undefined &&
          (groupCount > groups.length
            ? `${formatCount(groups.length)} of ${formatCount(groupCount)} groups`
            : `${formatCount(groupCount)} ${groupCount === 1 ? 'group' : 'groups'}`)}
        {total !== null &&
          groups.reduce((sum, { totals }) => sum + totals.count, 0) > total.count &&
          '. Claims that belong to two of these are counted for both, so rows may not add up to the total.'}
      </SmallPrint>
      {groupCount > groups.length && (
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

/** The header of a column that can order the groups: amounts from the largest, names from A. */
function OrderHeader(props: {
  own: GroupOrder;
  label: string;
  order: GroupOrder;
  setOrder: (order: GroupOrder) => void;
}) {
  const isOrdered = props.own === props.order;
  return (
    <Table.Th
      className={props.own === 'value' ? (styles.name ?? '') : 'amount'}
      aria-sort={isOrdered ? (props.own === 'value' ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        className={styles.order}
        data-on={isOrdered || undefined}
        onClick={() => props.setOrder(props.own)}
      >
        {props.label}
      </button>
    </Table.Th>
  );
}

function GroupRow(props: {
  name: string;
  group: Group;
  columns: readonly (readonly [SumName, string])[];
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { name, group } = props;
  return (
    <Table.Tr data-chosen={props.isChosen || undefined}>
      <Table.Td className={styles.name ?? ''}>
        <button
          type="button"
          data-group
          className={styles.value}
          title={name}
          aria-pressed={props.isChosen}
          onClick={props.onChoose}
        >
          {name}
        </button>
      </Table.Td>
      <Table.Td className="amount">{formatCount(group.totals.count)}</Table.Td>
      {props.columns.map(([amount]) => (
        <Table.Td key={amount} className="amount">
          <Total amount={group.totals[amount]} notCounted={group.totals.notCounted?.[amount]} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** The group whose rows a list shows: its index, or -1 for all of them. */
export function findChosenGroup(
  groups: readonly Group[],
  conditions: readonly Condition[],
  groupPath: string,
): number {
  const narrowing = conditions.filter(({ field }) => field === groupPath);
  return narrowing.length === 0 ? -1 : groups.findIndex((group) => isSameJson(group.conditions, narrowing));
}

/** The filters of a list that shows this group instead of another of the same column; null: all groups. */
export function chooseGroup(
  conditions: readonly Condition[],
  groupPath: string,
  group: Group | null,
): readonly Condition[] {
  return [...conditions.filter(({ field }) => field !== groupPath), ...(group?.conditions ?? [])];
}

/** The group after or before this one; -1, before the first, is "all". At the ends it does not change. */
export const stepGroup = (at: number, step: 1 | -1, count: number): number =>
  Math.min(count - 1, Math.max(-1, at + step));
