import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Condition } from '../../../contract/query.ts';
import { AllFields } from '../../components/all-fields.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Columns, Page } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { LoadingState } from '../../components/states.tsx';
import { PlanYears } from '../../domain/claim/plan-years.tsx';
import { OpenPeopleAndClaims, PeopleAndClaims } from '../../domain/employer/people-and-claims.tsx';
import { tenantClaimsList, tenantMembersList } from '../../domain/list/list-ref.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { TenantEmployers, TenantIdentity, TenantVendors } from './tenant-sections.tsx';

/** One tenant: its vendors, its employers, sums of its members' claims, and its members and claims. */
export function TenantPage({ tenantId }: { tenantId: number }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const query = useDeskQuery('records:getTenant', { workspaceId: workspace.id, id: tenantId });
  const tenant = query.data?.tenant;
  const name = tenant?.name ?? `Tenant ${tenantId}`;
  const ofMembers = useMemo<Condition[]>(
    () => [{ field: 'tenant.id', operator: 'is', values: [tenantId] }],
    [tenantId],
  );
  const ofClaims = useMemo<Condition[]>(
    () => [{ field: 'members.tenant.id', operator: 'is', values: [tenantId] }],
    [tenantId],
  );
  const members = {
    listId: tenantMembersList(tenantId),
    conditions: ofMembers,
    labels: [['tenant.id', tenantId, name]] as const,
  };
  const claims = {
    listId: tenantClaimsList(tenantId),
    conditions: ofClaims,
    labels: [['members.tenant.id', tenantId, name]] as const,
  };
  return (
    <Page
      title={name}
      documentTitle="Tenant"
      actions={
        <>
          <OpenPeopleAndClaims workspaceId={workspace.id} members={members} claims={claims} />
          <BackButton label="All tenants" onBack={() => void navigate({ to: '/tenants' })} />
        </>
      }
    >
      <ErrorNotice error={query.error} title="Couldn’t load this tenant" onRetry={query.refetch} />
      {query.isPending && <LoadingState what="the tenant" />}
      {tenant !== undefined && query.data !== undefined && (
        <>
          <Columns>
            <TenantIdentity tenant={tenant} />
            <TenantVendors tenant={tenant} />
            <TenantEmployers employers={query.data.employers} />
          </Columns>
          <PlanYears
            workspace={workspace}
            conditions={ofClaims}
            labels={claims.labels}
            emptyText="No claims for this tenant."
            employerId={null}
          />
          <PeopleAndClaims workspace={workspace} what="tenant" members={members} claims={claims} />
          <AllFields record={tenant} unknownFields={query.data.unknownFields} />
        </>
      )}
    </Page>
  );
}
