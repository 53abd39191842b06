import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { OrganizationTable } from '../../domain/employer/organization-table.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** All employers of members and claims. */
export function EmployersPage() {
  const workspace = useWorkspace();
  const answer = useDeskQuery('records:listEmployers', { workspaceId: workspace.id });
  return (
    <Page title="Employers" documentTitle="Employers">
      <ErrorNotice error={answer.error} title="Couldn’t load employers" onRetry={answer.refetch} />
      {answer.isPending && <LoadingState what="employers" />}
      {answer.data !== undefined && (
        <OrganizationTable
          workspace={workspace}
          one="employer"
          many="employers"
          rows={answer.data.employers}
          link={({ id, name }) => (
            <AnchorLink to="/employers/$employerId" params={{ employerId: id }}>
              {name ?? `Employer ${id}`}
            </AnchorLink>
          )}
        />
      )}
    </Page>
  );
}
