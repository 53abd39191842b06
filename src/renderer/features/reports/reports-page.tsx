import { Stack } from '@mantine/core';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { DoneReport } from './done-report.tsx';
import { OpenReport } from './open-report.tsx';
import { ReimbursedReport } from './reimbursed-report.tsx';

/** How reviews stand: what is open, what was done, and what was reimbursed. Each exports its figures and its claims. */
export function ReportsPage() {
  const { id: workspaceId } = useWorkspace();
  const report = useDeskQuery('worklists:report', { workspaceId }, { keepsPrevious: true });
  return (
    <Page title="Reports" documentTitle="Reports">
      <Stack gap="sm">
        <OpenReport workspaceId={workspaceId} />
        <ErrorNotice error={report.error} title="Couldn’t load the reports" onRetry={report.refetch} />
        {report.isPending && <LoadingState what="the reports" />}
        {report.data !== undefined && (
          <>
            <DoneReport workspaceId={workspaceId} done={report.data.done} />
            <ReimbursedReport workspaceId={workspaceId} rows={report.data.reimbursed} />
          </>
        )}
      </Stack>
    </Page>
  );
}
