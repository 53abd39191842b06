import { tenantClaimsList, tenantMembersList } from '../../domain/list/list-ref.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { OrganizationPage } from './organization-page.tsx';
import { TenantEmployers, TenantIdentity, TenantVendors } from './tenant-sections.tsx';

const kind = {
  one: 'tenant',
  title: 'Tenant',
  allLabel: 'All tenants',
  all: '/tenants',
  membersList: tenantMembersList,
  claimsList: tenantClaimsList,
} as const;

/** One tenant: its vendors, its employers, sums of its members' claims, and its members and claims. */
export function TenantPage({ tenantId }: { tenantId: number }) {
  const workspace = useWorkspace();
  const query = useDeskQuery('records:getTenant', { workspaceId: workspace.id, id: tenantId });
  return (
    <OrganizationPage kind={kind} id={tenantId} query={query} recordOf={({ tenant }) => tenant}>
      {({ tenant, employers }) => (
        <>
          <TenantIdentity tenant={tenant} />
          <TenantVendors tenant={tenant} />
          <TenantEmployers employers={employers} />
        </>
      )}
    </OrganizationPage>
  );
}
