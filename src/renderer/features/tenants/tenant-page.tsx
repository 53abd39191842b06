import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Condition } from '../../../contract/query.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { AllFields } from '../../components/all-fields.tsx';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { Columns, Page } from '../../components/page.tsx';
import { OpenPeopleAndClaims, PeopleAndClaims } from '../../components/people-and-claims.tsx';
import { PlanYears } from '../../components/plan-years.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { tenantClaimsList, tenantMembersList } from '../../lib/list-ref.ts';
import { TenantEmployers, TenantIdentity, TenantVendors } from './tenant-sections.tsx';

/** One tenant: its vendors, its employers, what its members' claims come to, and its members and claims. */
export function TenantPage(props: { workspace: Workspace; tenantId: number }) {
  const { workspace, tenantId } = props;
  const navigate = useNavigate();
  const query = useDeskQuery('records:getTenant', { workspaceId: workspace.id, id: tenantId });
  const list = useDeskQuery('records:listTenants', { workspaceId: workspace.id });
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
      {query.error !== null && (
        <ErrorNotice
          error={query.error}
          title="This tenant cannot be shown"
          action={<RetryButton onRetry={() => void query.refetch()} />}
        />
      )}
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
            totals={list.data?.tenants.find(({ id }) => id === tenantId)?.claims}
            emptyText="No claim on this computer names a member of this tenant."
          />
          <PeopleAndClaims workspace={workspace} what="tenant" members={members} claims={claims} />
          <AllFields record={tenant} unknownFields={query.data.unknownFields} />
        </>
      )}
    </Page>
  );
}
