import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { runField, writeIdFilter } from '../../../rules/review/id-filter.ts';
import { runStateLabels } from '../../../rules/review/run-facts.ts';
import { Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { NotLoaded } from '../../components/error-notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, SmallPrint, Status } from '../../components/text.tsx';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { ClaimsOfRun } from '../../domain/run/claims-of-run.tsx';
import { markLabels, stateLabels } from '../../domain/run/describe-run.ts';
import { RejectedClaims } from '../../domain/run/rejected-claims.tsx';
import { EmployerTotals, MemberTotals } from '../../domain/run/run-totals.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatWhen, titleWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { LayoutDialog } from './layout-dialog.tsx';
import type { OpenRun, SavedFile } from './open-run.ts';
import { LeaveOut, OtherSteps, RunSteps } from './run-steps.tsx';

const shownMembers = 100;

/** One reimbursement run: its steps, its totals, and its changed claims. */
export function RunPage({ runId }: { runId: string }) {
  const query = useWorkspaceQuery('runs:get', { runId }, { keepsPrevious: true });
  if (query.data === undefined)
    return (
      <Page title="Run" documentTitle="Run">
        <NotLoaded query={query} what="the run" />
      </Page>
    );
  return <ShownRun run={query.data} />;
}

function ShownRun({ run }: { run: OpenRun }) {
  const now = useNow();
  const open = useOpenList();
  const [isFileOpen, setIsFileOpen] = useState(false);
  const [saved, setSaved] = useState<SavedFile | null>(null);
  const openLayout = () => setIsFileOpen(true);
  const { name, account, author, at, claims, amount, state, totals, byState } = run;
  const left = byState.filter((group) => group.state === 'left' || group.state === 'inOther');
  const removed = run.made.claims - byState.reduce((sum, group) => sum + group.claims, 0);
  return (
    <Page title={name} documentTitle="Run">
      <Stack gap="sm">
        <Status>
          <b>
            {stateLabels[state]}: {formatCountOf(claims, 'claim')} · <Total amount={amount} />
          </b>
        </Status>
        <RunSteps run={run} saved={saved} onSaved={setSaved} onLayout={openLayout} />
        <Hint>
          Made {formatWhen(at, now)} by {author}
          {account !== '' && ` · ${account}`}. Each claim has the amount that{' '}
          {run.corrections ? 'differed from what was sent' : 'was open'} when the run was made.
        </Hint>
        <Group gap="xs">
          <SmallButton
            onClick={() =>
              open(
                'claims',
                [{ field: runField, operator: 'is', values: [writeIdFilter(run.id, name)] }],
                [],
                { includesMissing: true },
              )
            }
          >
            Show claims
          </SmallButton>
          <OtherSteps run={run} saved={saved} onLayout={openLayout} />
        </Group>
        {left.map((group) => (
          <SmallPrint key={group.state} role="note">
            {runStateLabels[group.state]}: {formatCountOf(group.claims, 'claim')} ·{' '}
            <Total amount={group.amount} />
          </SmallPrint>
        ))}
        {removed > 0 && (
          <SmallPrint role="note">
            {formatCountOf(removed, 'claim')} of the run {removed === 1 ? 'was' : 'were'} removed from this
            computer.
          </SmallPrint>
        )}
        {run.marked > 0 && <Marked run={run} />}
        {run.rejected > 0 && (
          <Section title="Rejected by the payer">
            <RejectedClaims rows={run.rejections} count={run.rejected} />
          </Section>
        )}
        <Section title="Totals by employer">
          <EmployerTotals rows={totals.employers} />
        </Section>
        <Section title="Totals by member">
          <MemberTotals rows={totals.members} shown={shownMembers} />
        </Section>
        <Section title="Steps">
          <Steps run={run} />
        </Section>
      </Stack>
      <LayoutDialog run={run} isOpen={isFileOpen} onClose={() => setIsFileOpen(false)} onSaved={setSaved} />
    </Page>
  );
}

/** Claims that changed since the run was made; the run keeps their amounts until you leave them out. */
function Marked({ run }: { run: OpenRun }) {
  const { marked, listed } = run;
  return (
    <Section
      title="Changed since the run was made"
      actions={<LeaveOut run={run} claimIds={listed.map(({ claimId }) => claimId)} />}
    >
      <ClaimsOfRun
        label="Changed claims"
        rows={listed}
        count={marked}
        columns={[
          ['Amount in run', ({ amount }) => <Total amount={amount} />, 'amount'],
          ['Open now', ({ open }) => <Total amount={open} />, 'amount'],
          ['Why', ({ mark }) => markLabels[mark]],
        ]}
      />
    </Section>
  );
}

const stepLabels: Readonly<Record<OpenRun['steps'][number]['kind'], string>> = {
  run: 'Made',
  runChecked: 'Checked',
  runSent: 'Sent',
  payment: 'Recorded as reimbursed',
  runLeft: 'Left out',
};

function Steps({ run }: { run: OpenRun }) {
  const now = useNow();
  return (
    <Scrollable label="Table of steps">
      <DataTable
        label="Steps"
        verticalSpacing={3}
        rows={run.steps}
        keyOf={({ eventId }) => eventId}
        columns={[
          ['Step', ({ kind }) => stepLabels[kind]],
          ['When', ({ at }) => titleWhen(at, now)],
          ['By', ({ author }) => author],
          ['Claims', ({ claims }) => formatCount(claims), 'amount'],
          [
            'Details',
            ({ file, reason }) =>
              file === null ? (reason ?? '') : `${file.name} · SHA-256 ${file.sha256.slice(0, 12)}…`,
          ],
        ]}
      />
    </Scrollable>
  );
}
