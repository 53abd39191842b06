import { Badge } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Condition } from '../../../contract/query.ts';
import { AllFields } from '../../components/all-fields.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Columns, Page, Wide } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { LoadingState } from '../../components/states.tsx';
import { PlanYears } from '../../domain/claim/plan-years.tsx';
import { OpenPeopleAndClaims, PeopleAndClaims } from '../../domain/employer/people-and-claims.tsx';
import { employerClaimsList, employerMembersList } from '../../domain/list/list-ref.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { EmployerContact, EmployerIdentity, EmployerPayers } from './employer-sections.tsx';

/** One employer: contact, payers, sums of its members' claims, and its members and claims. */
export function EmployerPage({ employerId }: { employerId: number }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const query = useDeskQuery('records:getEmployer', { workspaceId: workspace.id, id: employerId });
  const employer = query.data?.employer;
  const name = employer?.name ?? `Employer ${employerId}`;
  const ofMembers = useMemo<Condition[]>(
    () => [{ field: 'employer.id', operator: 'is', values: [employerId] }],
    [employerId],
  );
  const ofClaims = useMemo<Condition[]>(
    () => [{ field: 'members.employer.id', operator: 'is', values: [employerId] }],
    [employerId],
  );
  const members = {
    listId: employerMembersList(employerId),
    conditions: ofMembers,
    labels: [['employer.id', employerId, name]] as const,
  };
  const claims = {
    listId: employerClaimsList(employerId),
    conditions: ofClaims,
    labels: [['members.employer.id', employerId, name]] as const,
  };
  return (
    <Page
      title={name}
      documentTitle="Employer"
      beside={
        employer?.archived && (
          <Badge size="lg" variant="default">
            Archived
          </Badge>
        )
      }
      actions={
        <>
          <OpenPeopleAndClaims workspaceId={workspace.id} members={members} claims={claims} />
          <BackButton label="All employers" onBack={() => void navigate({ to: '/employers' })} />
        </>
      }
    >
      <ErrorNotice error={query.error} title="Couldn’t load this employer" onRetry={query.refetch} />
      {query.isPending && <LoadingState what="the employer" />}
      {employer !== undefined && query.data !== undefined && (
        <>
          <Columns>
            <EmployerIdentity employer={employer} />
            <EmployerContact employer={employer} tenants={query.data.tenants} />
            <Wide>
              <EmployerPayers employer={employer} />
            </Wide>
          </Columns>
          <PlanYears
            workspace={workspace}
            conditions={ofClaims}
            labels={claims.labels}
            emptyText="No claims for this employer."
            employerId={employerId}
            employerName={employer.name}
          />
          <PeopleAndClaims workspace={workspace} what="employer" members={members} claims={claims} />
          <AllFields record={employer} unknownFields={query.data.unknownFields} />
        </>
      )}
    </Page>
  );
}
