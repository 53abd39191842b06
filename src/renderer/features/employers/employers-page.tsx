import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { OrganizationTable } from '../../components/organization-table.tsx';
import { Page } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';

/** All employers that members and claims name. */
export function EmployersPage({ workspace }: { workspace: Workspace }) {
  const answer = useDeskQuery('records:listEmployers', { workspaceId: workspace.id });
  return (
    <Page title="Employers" documentTitle="Employers">
      {answer.error !== null && (
        <ErrorNotice
          error={answer.error}
          title="The employers cannot be shown"
          action={<RetryButton onRetry={() => void answer.refetch()} />}
        />
      )}
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
