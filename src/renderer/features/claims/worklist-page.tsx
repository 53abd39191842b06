import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import { formatCountOf } from '../../../rules/count.ts';
import {
  findWorklist,
  fullNameOf,
  pageOf,
  partsOf,
  teamPersonOf,
  type Worklist,
  type WorklistId,
} from '../../../rules/worklists/worklist-table.ts';
import { Total } from '../../components/amount.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, Status } from '../../components/text.tsx';
import { usePlan } from '../../domain/list/list-plan.ts';
import { worklistClaimsList } from '../../domain/list/list-ref.ts';
import { RecordList } from '../../domain/list/record-list.tsx';
import { ImportPayments } from '../../domain/review/import-payments.tsx';
import { useReviewList } from '../../domain/review/use-review-list.tsx';
import { FeedWarningNotice } from '../../domain/worklist/feed-warning.tsx';
import { OwnerChoice } from '../../domain/worklist/owner-choice.tsx';
import { areFinal, claimsIn, useWorklistCounts } from '../../domain/worklist/use-worklist-counts.ts';
import { useAsk } from '../../lib/desk-query.ts';
import { formatGrowing } from '../../lib/format-value.ts';
import { useSaveFile } from '../../lib/use-secret-call.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { escalatedLayouts, worklistLayouts } from './claim-columns.ts';
import { ClaimPage, ComparePage } from './claim-pages.ts';
import styles from './list-parts.module.css';
import { RuleChips, useHasProposals } from './rule-chips.tsx';
import { worklistPlan } from './worklist-plan.ts';

/** Saves the deadlines of a workspace's claims as a calendar file: the button, and below the title what was saved. */
function useSaveCalendar() {
  const ask = useAsk();
  const { saved, save, isPending, error } = useSaveFile<Output<'worklists:saveCalendar'>>({
    purpose: 'calendar',
    suggestedName: 'claimdesk-deadlines.ics',
  });
  return {
    button: (
      <SmallButton
        loading={isPending}
        onClick={() => save((targetId) => ask('worklists:saveCalendar', { targetId }))}
      >
        Save calendar…
      </SmallButton>
    ),
    result: (
      <>
        {saved !== null && (
          <Status>
            Deadlines of {formatCountOf(saved.claims, 'claim')} on {formatCountOf(saved.days, 'day')}, without
            names or amounts
            {saved.over > 0 && `; ${formatCountOf(saved.over, 'claim')} over time left out`}, saved as{' '}
            <SavedPath path={saved.displayPath} />
          </Status>
        )}
        <ErrorNotice error={error} title="Couldn’t save the calendar" />
      </>
    ),
  };
}

/** The parts of a list as chips with their numbers of claims: those that have claims, and the one on screen. */
function ListParts(props: { shown: WorklistId; counts: WorklistCounts | undefined }) {
  const { shown, counts } = props;
  const list = pageOf(shown);
  const parts = partsOf(list).filter(({ id }) => id === shown || claimsIn(counts, id) > 0);
  const hasRules = shown === 'toDecide';
  if (parts.length === 0 && !hasRules) return null;
  const chip = (id: WorklistId, name: string) => (
    <Link
      key={id}
      to="/worklists/$worklistId"
      params={{ worklistId: id }}
      className={styles.chip}
      data-open={id === shown || undefined}
    >
      {name}
      <span className={styles.count}>{formatGrowing(claimsIn(counts, id), areFinal(counts))}</span>
    </Link>
  );
  return (
    <nav aria-label="Parts of the list" className={styles.parts} data-screen-only>
      {parts.length > 0 && chip(list, 'All')}
      {parts.map(({ id, name }) => chip(id, name))}
      {hasRules && <RuleChips />}
    </nav>
  );
}

/** The claims of a worklist, in the order in which they are worked through, with the parts of its list. */
export function WorklistPage({ id }: { id: WorklistId }) {
  const workspace = useWorkspace();
  const worklist = findWorklist(id);
  const list = worklistClaimsList(id);
  const counts = useWorklistCounts();
  const person = teamPersonOf(workspace);
  const hasProposals = useHasProposals();
  const plan = usePlan(
    useCallback(
      (windowPx) => worklistPlan(worklist, windowPx, person, hasProposals),
      [worklist, person, hasProposals],
    ),
  );
  const isCompared = id === 'duplicates';
  const calendar = useSaveCalendar();
  const { dialogs, ...review } = useReviewList();
  const worklistCount = counts?.worklists.find((candidate) => candidate.id === id);
  const isFinal = areFinal(counts);
  return (
    <RecordList
      listId={list}
      entity="claims"
      plan={plan}
      layouts={id === 'escalated' ? escalatedLayouts : worklistLayouts}
      isCompared={isCompared}
      renderRecord={(claimId, from) =>
        isCompared ? (
          <ComparePage claimId={claimId} from={from} />
        ) : (
          <ClaimPage claimId={claimId} from={from} isBesideReviews />
        )
      }
      {...review}
      isScreen
      countNow={isFinal ? worklistCount?.claims : undefined}
      isCounting={!isFinal}
      emptyText={isFinal ? 'Nothing to do here.' : 'Claims are still being sorted into worklists.'}
      waitText="Worklists follow when the sync is done."
      frame={(actions, content) => (
        <Page
          title={findWorklist(pageOf(id)).name}
          documentTitle={fullNameOf(id)}
          actions={
            <>
              {id === 'toPay' && <ImportPayments />}
              {id === 'due' && calendar.button}
              {actions}
            </>
          }
        >
          <ListParts shown={id} counts={counts} />
          <Hint className={styles.sentence ?? ''}>
            <span title={worklist.sentence}>{worklist.sentence}</span>{' '}
            {counts !== undefined && <WorklistSum worklist={worklist} of={worklistCount} isFinal={isFinal} />}
          </Hint>
          {calendar.result}
          <OwnerChoice worklist={worklist} claims={isFinal ? worklistCount?.claims : undefined} />
          {isCompared && <FeedWarningNotice warning={counts?.feedWarning ?? null} />}
          {content}
          {dialogs}
        </Page>
      )}
    />
  );
}

/** The sum of the worklist beside its name, regardless of filters, if it is not among the totals below the list. */
function WorklistSum({
  worklist,
  of,
  isFinal,
}: {
  worklist: Worklist;
  of: WorklistCounts['worklists'][number] | undefined;
  isFinal: boolean;
}) {
  if (!isFinal) return <b>{formatGrowing(of?.claims, false)} claims: still counting</b>;
  if (!of?.claims) return null;
  const isBelow = ['facts.open', 'patient_responsibility'].includes(worklist.amount.field);
  const notKnown = of.notKnown ? `${formatCountOf(of.notKnown, 'amount')} not known` : null;
  if (isBelow) return notKnown && <b>{notKnown}</b>;
  return (
    <b>
      <Total amount={of.amount} notCounted={of.notCounted} /> {of.amountLabel.toLowerCase()}
      {notKnown && `, ${notKnown}`}
    </b>
  );
}
