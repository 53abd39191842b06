import { Badge } from '@mantine/core';
import { Wide } from '../../components/page.tsx';
import { employerClaimsList, employerMembersList } from '../../domain/list/list-ref.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { EmployerContact, EmployerIdentity, EmployerPayers } from './employer-sections.tsx';
import { OrganizationPage } from './organization-page.tsx';

const kind = {
  one: 'employer',
  title: 'Employer',
  allLabel: 'All employers',
  all: '/employers',
  membersList: employerMembersList,
  claimsList: employerClaimsList,
} as const;

/** One employer: contact, payers, sums of its members' claims, and its members and claims. */
export function EmployerPage({ employerId }: { employerId: number }) {
  const workspace = useWorkspace();
  const query = useDeskQuery('records:getEmployer', { workspaceId: workspace.id, id: employerId });
  return (
    <OrganizationPage
      kind={kind}
      id={employerId}
      query={query}
      recordOf={({ employer }) => employer}
      beside={
        query.data?.employer.archived && (
          <Badge size="lg" variant="default">
            Archived
          </Badge>
        )
      }
    >
      {({ employer, tenants }) => (
        <>
          <EmployerIdentity employer={employer} />
          <EmployerContact employer={employer} tenants={tenants} />
          <Wide>
            <EmployerPayers employer={employer} />
          </Wide>
        </>
      )}
    </OrganizationPage>
  );
}
