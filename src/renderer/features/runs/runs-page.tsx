import { IconReceipt } from '@tabler/icons-react';
import { formatCount } from '../../../rules/count.ts';
import { Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { NotLoaded } from '../../components/error-notice.tsx';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { stateLabels } from '../../domain/run/describe-run.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { titleWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';

/** The reimbursement runs of the workspace with their totals and states, newest first. */
export function RunsPage() {
  const now = useNow();
  const query = useWorkspaceQuery('runs:list');
  return (
    <Page title="Runs" documentTitle="Runs">
      {query.data === undefined ? (
        <NotLoaded query={query} what="the runs" />
      ) : query.data.runs.length === 0 ? (
        <EmptyState
          icon={<IconReceipt size={34} stroke={1.4} />}
          title="No runs yet"
          text="A run collects claims with an open amount for payroll, or for whoever else pays. Make one from To pay, or from any list of claims."
          action={
            <ButtonLink to="/worklists/$worklistId" params={{ worklistId: 'toPay' }}>
              Go to To pay
            </ButtonLink>
          }
        />
      ) : (
        <>
          <Hint>
            Claims in runs, each with its open amount when the run was made. Claims and amounts are those in
            the run now, without claims that were left out.
          </Hint>
          <Scrollable label="Table of runs">
            <DataTable
              label="Runs"
              rows={query.data.runs}
              keyOf={({ id }) => id}
              columns={[
                [
                  'Run',
                  ({ id, name }) => (
                    <AnchorLink to="/runs/$runId" params={{ runId: id }}>
                      {name}
                    </AnchorLink>
                  ),
                ],
                ['State', ({ state }) => stateLabels[state]],
                ['Claims', ({ claims }) => formatCount(claims), 'amount'],
                ['Amount', ({ amount }) => <Total amount={amount} />, 'amount'],
                ['Made', ({ at }) => titleWhen(at, now)],
                ['By', ({ author }) => author],
                ['Account', ({ account }) => account],
              ]}
            />
          </Scrollable>
        </>
      )}
    </Page>
  );
}
