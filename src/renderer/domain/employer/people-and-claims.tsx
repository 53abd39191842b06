import { Button, Tabs } from '@mantine/core';
import type { Condition } from '../../../contract/query.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { useRemembered } from '../../lib/use-remembered.ts';
import { ClaimsOf } from '../claim/claims-of.tsx';
import { type ConditionLabels, useOpenList } from '../list/use-open-list.ts';
import { MembersOf } from '../member/members-of.tsx';

interface Part {
  readonly listId: string;
  readonly conditions: readonly Condition[];
  readonly labels: ConditionLabels;
}

/** Links to the members and to the claims of an employer or a tenant, on their own screens. */
export function OpenPeopleAndClaims(props: { workspaceId: string; members: Part; claims: Part }) {
  const open = useOpenList(props.workspaceId);
  const { members, claims } = props;
  return (
    <>
      <Button size="compact-sm" onClick={() => open('members', members.conditions, members.labels)}>
        Show members
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => open('claims', claims.conditions, claims.labels)}
      >
        Show claims
      </Button>
    </>
  );
}

/** The members and the claims of an employer or a tenant, one list at a time. */
export function PeopleAndClaims(props: { workspace: Workspace; what: string; members: Part; claims: Part }) {
  const { workspace, members, claims } = props;
  const [tab, setTab] = useRemembered<string | null>(`tab ${workspace.id} ${claims.listId}`, 'members');
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List aria-label="Members or claims">
        <Tabs.Tab value="members">Members</Tabs.Tab>
        <Tabs.Tab value="claims">Claims</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="members" pt={8}>
        <MembersOf
          key={members.listId}
          workspace={workspace}
          listId={members.listId}
          conditions={members.conditions}
          emptyText={`No members for this ${props.what}.`}
        />
      </Tabs.Panel>
      <Tabs.Panel value="claims" pt={8}>
        <ClaimsOf
          key={claims.listId}
          workspace={workspace}
          listId={claims.listId}
          conditions={claims.conditions}
          emptyText={`No claims for this ${props.what}.`}
        />
      </Tabs.Panel>
    </Tabs>
  );
}
