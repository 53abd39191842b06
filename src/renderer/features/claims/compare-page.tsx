import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { DuplicatePair } from '../../../contract/duplicates.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, LoadingState } from '../../components/states.tsx';
import { LeaveRecord } from '../../domain/list/leave-record.tsx';
import type { ListRef } from '../../domain/list/list-ref.ts';
import { ListWalk, type Walk } from '../../domain/list/list-walk.tsx';
import { compareKeys } from '../../domain/review/review-commands.ts';
import { type OfferedKey, useOfferReview } from '../../domain/review/review-target.ts';
import { useSendAct, useUndoKey } from '../../domain/review/use-review.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { usePane } from '../../lib/pane.ts';
import { useNoteOpened } from '../../lib/use-note-opened.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ComparedPair } from './compared-pair.tsx';

const noKeys: readonly OfferedKey[] = [];

/** A claim beside the ones that may be the same: what agrees, what differs, and a judgment by one key. */
export function ComparePage({ claimId, from }: { claimId: number; from: ListRef }) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const query = useDeskQuery('duplicates:of', { workspaceId, claimId });
  useNoteOpened(workspaceId, 'claims', query.data === undefined ? undefined : claimId);
  const { send } = useSendAct(workspaceId);
  const walk = useRef<Walk | null>(null);
  useUndoKey(workspaceId, usePane() === null);
  const pairs = query.data?.pairs ?? [];
  const open = pairs.filter(({ kind, judged }) => kind !== 'adjustment' && judged === null);
  const next = () => {
    if (walk.current?.next() !== false) return;
    notifications.show({
      id: 'end-of-list',
      title: 'End of the list',
      message: 'That was the last claim in this list.',
      closeButtonProps: { 'aria-label': 'Dismiss' },
    });
  };
  const judge = (pair: DuplicatePair, isDuplicate: boolean) => {
    const otherClaimId = pair.left === claimId ? pair.right : pair.left;
    send(claimId, { kind: 'judgeDuplicate', otherClaimId, isDuplicate, isDone: isDuplicate });
    if (isDuplicate || open.length <= 1) next();
  };
  const first = open[0];
  const judgeFirst = (isDuplicate: boolean) => first !== undefined && judge(first, isDuplicate);
  useSingleKeys({ 5: () => judgeFirst(true), u: () => judgeFirst(false) });
  useOfferReview(first === undefined ? noKeys : compareKeys, (key) => judgeFirst(key === '5'));
  return (
    <Page
      title={`Claim ${claimId}: duplicates`}
      documentTitle="Duplicates"
      actions={
        <>
          <ListWalk
            workspaceId={workspaceId}
            listId={from.list}
            at={from.at}
            procedure="records:getClaim"
            walk={walk}
            onGo={(id, at) =>
              void navigate({
                to: '/claims/$claimId/duplicates',
                params: { claimId: id },
                search: { ...from, at },
                replace: true,
              })
            }
          />
          <LeaveRecord from={from} usual="claims" />
        </>
      }
    >
      {query.error !== null && (
        <ErrorNotice
          error={query.error}
          title="Couldn’t compare this claim"
          action={<RetryButton onRetry={() => void query.refetch()} />}
        />
      )}
      {query.isPending && <LoadingState what="the comparison" />}
      {query.data !== undefined &&
        (pairs.length === 0 ? (
          <EmptyState
            title="No duplicates"
            text="No other claim on this computer looks like this one."
            action={
              <AnchorLink to="/claims/$claimId" params={{ claimId }} search={from}>
                Open claim {claimId}
              </AnchorLink>
            }
          />
        ) : (
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              The pair with the most payable twice comes first. “Not a duplicate” is remembered until one of
              the two claims changes materially.
            </Text>
            {pairs.map((pair) => (
              <ComparedPair
                key={`${pair.left} ${pair.right}`}
                pair={pair}
                claimId={claimId}
                from={from}
                isFirst={pair === first}
                onJudge={(isDuplicate) => judge(pair, isDuplicate)}
              />
            ))}
          </Stack>
        ))}
    </Page>
  );
}
