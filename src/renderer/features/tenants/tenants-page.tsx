import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { OrganizationTable } from '../../domain/employer/organization-table.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** All tenants of members. */
export function TenantsPage() {
  const workspace = useWorkspace();
  const answer = useDeskQuery('records:listTenants', { workspaceId: workspace.id });
  return (
    <Page title="Tenants" documentTitle="Tenants">
      <ErrorNotice error={answer.error} title="Couldn’t load tenants" onRetry={answer.refetch} />
      {answer.isPending && <LoadingState what="tenants" />}
      {answer.data !== undefined && (
        <OrganizationTable
          workspace={workspace}
          one="tenant"
          many="tenants"
          rows={answer.data.tenants}
          link={({ id, name }) => (
            <AnchorLink to="/tenants/$tenantId" params={{ tenantId: id }}>
              {name ?? `Tenant ${id}`}
            </AnchorLink>
          )}
        />
      )}
    </Page>
  );
}
