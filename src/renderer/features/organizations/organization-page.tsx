import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { Condition } from '../../../rules/query.ts';
import { AllFields } from '../../components/all-fields.tsx';
import { Loaded } from '../../components/error-notice.tsx';
import { Columns, Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import styles from '../../domain/claim/claims-of.module.css';
import { ClaimsOf } from '../../domain/claim/claims-of.tsx';
import { PlanYears } from '../../domain/claim/plan-years.tsx';
import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';
import { planOf, usePlan } from '../../domain/list/list-plan.ts';
import { RecordList } from '../../domain/list/record-list.tsx';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useRemembered } from '../../lib/use-remembered.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

const layouts: readonly ColumnLayout[] = [
  { path: 'id', width: 88, isLink: true },
  { path: 'last_name', width: 116, flex: 2 },
  { path: 'first_name', width: 110, flex: 2 },
  { path: 'email', width: 184, flex: 3 },
  { path: 'employer.name', width: 156, flex: 3 },
  { path: 'partner_key', width: 110 },
];

/** The members of an employer or a tenant, as a list that a member page can walk. */
function MembersOf(props: { listId: string; conditions: readonly Condition[]; emptyText: string }) {
  const { conditions, ...list } = props;
  const plan = usePlan(useCallback((px) => planOf('members', layouts, px, conditions), [conditions]));
  return (
    <RecordList
      {...list}
      entity="members"
      plan={plan}
      layouts={layouts}
      frame={(actions, content) => (
        <Section title="Members" actions={actions}>
          <div className={styles.claims}>{content}</div>
        </Section>
      )}
    />
  );
}

/** The differences between the pages of employers and of tenants. */
interface Kind {
  readonly one: 'employer' | 'tenant';
  readonly title: 'Employer' | 'Tenant';
  readonly allLabel: string;
  readonly all: '/employers' | '/tenants';
  readonly membersList: (id: number) => string;
  readonly claimsList: (id: number) => string;
}

/** One employer or tenant: its facts, sums of its members' claims by plan year, and its members and claims. */
export function OrganizationPage<Found extends { readonly unknownFields: readonly string[] }>(props: {
  kind: Kind;
  id: number;
  query: { data: Found | undefined; error: unknown; isPending: boolean; refetch: () => unknown };
  recordOf: (
    loaded: Found,
  ) => Readonly<Record<string, unknown>> & { readonly name?: string | null | undefined };
  beside?: ReactNode;
  children: (loaded: Found) => ReactNode;
}) {
  const { kind, id, query } = props;
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const open = useOpenList();
  const record = query.data === undefined ? undefined : props.recordOf(query.data);
  const name = record?.name ?? `${kind.title} ${id}`;
  const memberField = `${kind.one}.id`;
  const claimField = `members.${kind.one}.id`;
  const ofMembers = useMemo<Condition[]>(
    () => [{ field: memberField, operator: 'is', values: [id] }],
    [memberField, id],
  );
  const ofClaims = useMemo<Condition[]>(
    () => [{ field: claimField, operator: 'is', values: [id] }],
    [claimField, id],
  );
  const claimsList = kind.claimsList(id);
  const [tab, setTab] = useRemembered<string | null>(`tab ${workspace.id} ${claimsList}`, 'members');
  return (
    <Page
      title={name}
      documentTitle={kind.title}
      beside={props.beside}
      actions={
        <>
          <SmallButton onClick={() => open('members', ofMembers, [[memberField, id, name]])}>
            Show members
          </SmallButton>
          <SmallButton onClick={() => open('claims', ofClaims, [[claimField, id, name]])}>
            Show claims
          </SmallButton>
          <BackButton label={kind.allLabel} onBack={() => void navigate({ to: kind.all })} />
        </>
      }
    >
      <Loaded query={query} what={`the ${kind.one}`} title={`Couldn’t load this ${kind.one}`}>
        {(loaded) => (
          <>
            <Columns>{props.children(loaded)}</Columns>
            <PlanYears
              conditions={ofClaims}
              labels={[[claimField, id, name]]}
              emptyText={`No claims for this ${kind.one}.`}
              employerId={kind.one === 'employer' ? id : null}
              {...(kind.one === 'employer' ? { employerName: record?.name } : {})}
            />
            <Tabs value={tab} onChange={setTab} keepMounted={false}>
              <Tabs.List aria-label="Members or claims">
                <Tabs.Tab value="members">Members</Tabs.Tab>
                <Tabs.Tab value="claims">Claims</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="members" pt={8}>
                <MembersOf
                  key={id}
                  listId={kind.membersList(id)}
                  conditions={ofMembers}
                  emptyText={`No members for this ${kind.one}.`}
                />
              </Tabs.Panel>
              <Tabs.Panel value="claims" pt={8}>
                <ClaimsOf
                  key={id}
                  listId={claimsList}
                  conditions={ofClaims}
                  emptyText={`No claims for this ${kind.one}.`}
                />
              </Tabs.Panel>
            </Tabs>
            <AllFields record={props.recordOf(loaded)} unknownFields={loaded.unknownFields} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
