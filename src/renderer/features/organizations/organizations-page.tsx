import { Loaded } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { OrganizationTable } from './organization-table.tsx';

/** All employers of members and claims. */
export function EmployersPage() {
  const workspace = useWorkspace();
  const answer = useDeskQuery('records:listEmployers', { workspaceId: workspace.id });
  return (
    <Page title="Employers" documentTitle="Employers">
      <Loaded query={answer} what="employers">
        {(data) => (
          <OrganizationTable
            workspace={workspace}
            one="employer"
            many="employers"
            rows={data.employers}
            link={({ id, name }) => (
              <AnchorLink to="/employers/$employerId" params={{ employerId: id }}>
                {name ?? `Employer ${id}`}
              </AnchorLink>
            )}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** All tenants of members. */
export function TenantsPage() {
  const workspace = useWorkspace();
  const answer = useDeskQuery('records:listTenants', { workspaceId: workspace.id });
  return (
    <Page title="Tenants" documentTitle="Tenants">
      <Loaded query={answer} what="tenants">
        {(data) => (
          <OrganizationTable
            workspace={workspace}
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
