import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Row } from '../../../contract/query.ts';
import { findWorklist } from '../../../contract/worklist-table.ts';
import type { WorklistId } from '../../../contract/worklists.ts';
import { Page } from '../../components/page.tsx';
import { usePlan } from '../../domain/list/default-columns.ts';
import { worklistClaimsList } from '../../domain/list/list-ref.ts';
import { RecordList } from '../../domain/list/record-list.tsx';
import { useReviewList } from '../../domain/review/use-review-list.tsx';
import { FeedWarningNotice } from '../../domain/worklist/feed-warning.tsx';
import { useWorklistCounts } from '../../domain/worklist/use-worklist-counts.ts';
import { formatCount } from '../../lib/format-value.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { claimLayouts } from './claim-columns.ts';
import { ClaimPage } from './claim-page.tsx';
import { ComparePage } from './compare-page.tsx';
import { worklistPlan } from './worklist-plan.ts';

/** The claims of a worklist, in the order in which they are worked through. */
export function WorklistPage({ id }: { id: WorklistId }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const worklist = findWorklist(id);
  const list = worklistClaimsList(id);
  const counts = useWorklistCounts(workspace.id);
  const plan = usePlan(useCallback((windowPx) => worklistPlan(worklist, windowPx), [worklist]));
  const isCompared = id === 'duplicates';
  const open = useCallback(
    (row: Row, at: number) => {
      if (typeof row.id !== 'number') return;
      void navigate({
        to: isCompared ? '/claims/$claimId/duplicates' : '/claims/$claimId',
        params: { claimId: row.id },
        search: { list, at },
      });
    },
    [navigate, list, isCompared],
  );
  const renderRecord = useCallback(
    (row: Row, at: number) => {
      if (typeof row.id !== 'number') return null;
      const from = { list, at };
      return isCompared ? (
        <ComparePage claimId={row.id} from={from} />
      ) : (
        <ClaimPage claimId={row.id} from={from} />
      );
    },
    [list, isCompared],
  );
  const { dialogs, ...review } = useReviewList(workspace.id);
  return (
    <RecordList
      workspace={workspace}
      listId={list}
      entity="claims"
      one="claim"
      many="claims"
      plan={plan}
      layouts={claimLayouts}
      onOpen={open}
      renderRecord={renderRecord}
      {...review}
      isScreen
      emptyText="No claims in this worklist."
      frame={(actions, content) => (
        <Page title={worklist.name} documentTitle={worklist.name} actions={actions}>
          <Text size="sm" c="dimmed">
            {worklist.sentence}
            {id === 'pending' && counts !== undefined && ` ${describeAges(counts.pending)}`}
          </Text>
          {isCompared && <FeedWarningNotice warning={counts?.feedWarning ?? null} />}
          {content}
          {dialogs}
        </Page>
      )}
    />
  );
}

const describeAges = ({ days30, days60, days90 }: { days30: number; days60: number; days90: number }) =>
  `30 days or more: ${formatCount(days30)}; 60 or more: ${formatCount(days60)}; 90 or more: ${formatCount(days90)}.`;
