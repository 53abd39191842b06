import { Button, Table, Text } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { Total } from '../../components/amount.tsx';
import { Loaded } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { EmptyState } from '../../components/states.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import {
  arrangeOrganizations,
  type OrganizationOrder,
  type OrganizationRow,
} from '../../domain/employer/organization-rows.ts';
import { figures, notAnAccumulator } from '../../domain/figure/figures.ts';
import { ListToolbar } from '../../domain/list/grid/list-toolbar.tsx';
import { NothingYet } from '../../domain/list/nothing-yet.tsx';
import { useIncompleteNotice } from '../../domain/list/use-incomplete-notice.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useRemembered } from '../../lib/use-remembered.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './organization-table.module.css';

interface Column {
  readonly by: OrganizationOrder;
  readonly label: string;
  readonly cell: (row: OrganizationRow) => ReactNode;
}

const columns: readonly Column[] = [
  { by: 'employers', label: 'Employers', cell: (row) => formatCount(row.employers ?? 0) },
  { by: 'members', label: 'Members', cell: (row) => formatCount(row.members - row.archivedMembers) },
  { by: 'count', label: 'Claims', cell: ({ claims }) => formatCount(claims.count) },
  {
    by: 'billed',
    label: 'Billed',
    cell: ({ claims }) => <Total amount={claims.billed} notCounted={claims.notCounted?.billed} />,
  },
  {
    by: 'paid',
    label: 'Plan paid',
    cell: ({ claims }) => <Total amount={claims.paid} notCounted={claims.notCounted?.paid} />,
  },
];

/**
 * Employers or tenants: few enough for a plain table with a name filter and sortable columns. No `DataTable`: headings say
 * how they are sorted.
 */
function OrganizationTable(props: {
  one: string;
  many: string;
  rows: readonly OrganizationRow[];
  link: (row: OrganizationRow) => ReactNode;
}) {
  const workspace = useWorkspace();
  const remembered = `${props.many} ${workspace.id}`;
  const [search, setSearch] = useRemembered(`${remembered} search`, '');
  const [order, setOrder] = useRemembered<{ by: OrganizationOrder; isDescending: boolean }>(
    `${remembered} order`,
    { by: 'name', isDescending: false },
  );
  const partial = useIncompleteNotice();
  const rows = arrangeOrganizations(props.rows, { search, ...order });
  const shown = columns.filter(({ by }) => by !== 'employers' || props.rows.some((row) => row.employers));
  const head = (column: OrganizationOrder, label: string) => (
    <Table.Th
      key={column}
      className={column === 'name' ? '' : 'amount'}
      aria-sort={order.by !== column ? 'none' : order.isDescending ? 'descending' : 'ascending'}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() =>
          setOrder({
            by: column,
            isDescending: order.by === column ? !order.isDescending : column !== 'name',
          })
        }
      >
        {label}
        <span aria-hidden>{order.by !== column ? '' : order.isDescending ? ' ↓' : ' ↑'}</span>
      </button>
    </Table.Th>
  );
  const body = useRef<HTMLTableSectionElement>(null);
  if (props.rows.length === 0) {
    return (
      <NothingYet
        many={props.many}
        emptyText="None yet. They appear when synced members or claims name one."
      />
    );
  }
  return (
    <>
      <ListToolbar
        label={props.many}
        search={search}
        onSearch={setSearch}
        onRows={() => requestAnimationFrame(() => body.current?.querySelector('a')?.focus())}
      />
      {rows.length === 0 ? (
        <EmptyState
          icon={<IconSearchOff size={34} stroke={1.4} />}
          title={`No ${props.many} match`}
          text="No name or ID contains:"
          items={[search]}
          action={<Button onClick={() => setSearch('')}>Clear search</Button>}
        />
      ) : (
        <Scrollable label={`${props.many}, scrollable`} className={styles.scroll}>
          <Table verticalSpacing={4} stickyHeader aria-label={props.many}>
            <Table.Thead>
              <Table.Tr>
                {head('name', 'Name')}
                {shown.map(({ by, label }) => head(by, label))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody ref={body}>
              {rows.map((row) => (
                <Table.Tr key={row.id}>
                  <Table.Td>{props.link(row)}</Table.Td>
                  {shown.map(({ by, cell }) => (
                    <Table.Td key={by} className="amount">
                      {cell(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Scrollable>
      )}
      <section aria-label="Totals">
        <Text size="sm" component="span" fw={600} role="status">
          {formatCountOf(rows.length, props.one, props.many)}
        </Text>{' '}
        <Text size="xs" c="dimmed" component="span">
          {figures.organizations.holds} {partial ?? notAnAccumulator}
        </Text>
      </section>
    </>
  );
}

/** All employers of members and claims. */
export function EmployersPage() {
  const answer = useWorkspaceQuery('records:listEmployers');
  return (
    <Page title="Employers" documentTitle="Employers">
      <Loaded query={answer} what="employers">
        {(data) => (
          <OrganizationTable
            one="employer"
            many="employers"
            rows={data.employers}
            link={({ id, name }) => <EmployerLink employer={{ id, name }} />}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** All tenants of members. */
export function TenantsPage() {
  const answer = useWorkspaceQuery('records:listTenants');
  return (
    <Page title="Tenants" documentTitle="Tenants">
      <Loaded query={answer} what="tenants">
        {(data) => (
          <OrganizationTable
            one="tenant"
            many="tenants"
            rows={data.tenants}
            link={({ id, name }) => (
              <AnchorLink to="/tenants/$tenantId" params={{ tenantId: id }}>
                {name ?? `Tenant ${id}`}
              </AnchorLink>
            )}
          />
        )}
      </Loaded>
    </Page>
  );
}
