import { Stack } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../rules/count.ts';
import type { DuplicatePair } from '../../../rules/review/duplicates.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, LoadingState } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { OpenElsewhere } from '../../domain/claim/open-elsewhere.tsx';
import { useLease } from '../../domain/claim/use-lease.ts';
import { LeaveRecord } from '../../domain/list/leave-record.tsx';
import { type ListRef, worklistOf } from '../../domain/list/list-ref.ts';
import { ListWalk } from '../../domain/list/list-walk.tsx';
import { useIsLoading, useNewGate } from '../../domain/list/record-gate.ts';
import { sayEndOfList } from '../../domain/list/say-end-of-list.ts';
import { compareKeys } from '../../domain/review/review-commands.ts';
import { type OfferedKey, useOfferReview } from '../../domain/review/review-target.ts';
import { useSendAct } from '../../domain/review/use-review.ts';
import { useUndoEvent } from '../../domain/review/use-undo.ts';
import { useIsReader } from '../../domain/team/use-is-reader.ts';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { useNoteOpened } from '../../lib/use-note-opened.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ComparedPair } from './compared-pair.tsx';
import { usePairWalk } from './use-pair-walk.ts';

const noKeys: readonly OfferedKey[] = [];

/** A claim and the claims that may be the same: what agrees, what differs, and one key for each judgment. */
export function ComparePage({ claimId, from }: { claimId: number; from: ListRef }) {
  const { id: workspaceId } = useWorkspace();
  const lease = useLease(workspaceId, claimId);
  const page = worklistOf(from.list) === undefined ? null : lease.page;
  const { query, walk, prefetch, findStop, goOn } = usePairWalk(workspaceId, claimId, from, page);
  useNoteOpened(workspaceId, 'claims', query.data === undefined ? undefined : claimId);
  const { sendAndWait } = useSendAct(workspaceId);
  const { undo, isUndoing } = useUndoEvent(workspaceId);
  const isReader = useIsReader(workspaceId);
  const [isJudging, setJudging] = useState(false);
  const gate = useNewGate(claimId, query.isPending ? null : claimId, from);
  const isLoading = useIsLoading(gate);
  const pairs = query.data?.pairs ?? [];
  const judge = async (pair: DuplicatePair, isDuplicate: boolean): Promise<void> => {
    if (isReader || !gate.take(claimId)) return;
    gate.leave();
    setJudging(true);
    const otherClaimId = pair.left === claimId ? pair.right : pair.left;
    try {
      await sendAndWait(claimId, { kind: 'judgeDuplicate', otherClaimId, isDuplicate, isDone: isDuplicate });
      await goOn();
    } catch {
      // `sendAndWait` has reported the error; the page stays at the pair.
    } finally {
      setJudging(false);
      gate.stay();
    }
  };
  const first =
    pairs.find(({ isOpen, isPassed }) => isOpen && !isPassed) ?? pairs.find(({ isOpen }) => isOpen);
  const judgeFirst = (isDuplicate: boolean) => void (first !== undefined && judge(first, isDuplicate));
  useSingleKeys({ 5: () => judgeFirst(true), u: () => judgeFirst(false) });
  useOfferReview(first === undefined ? noKeys : compareKeys, (key) => judgeFirst(key === '5'));
  return (
    <Page
      title={`Claim ${claimId}: duplicates`}
      documentTitle="Duplicates"
      beside={<OpenElsewhere others={lease.others} />}
      actions={
        <>
          <ListWalk
            gate={gate}
            id={claimId}
            from={from}
            of="claims"
            walk={walk}
            onNeighbor={prefetch}
            findStop={findStop}
            page={page}
            onEnd={(open) => sayEndOfList('pair', open)}
          />
          <LeaveRecord from={from} usual="claims" />
        </>
      }
    >
      <ErrorNotice error={query.error} title="Couldn’t compare this claim" onRetry={query.refetch} />
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
          <Stack gap="sm" aria-busy={isLoading}>
            <Hint>
              The pair with the most payable twice comes first. “Not a duplicate” is remembered until one of
              the two claims changes materially.
              {query.data.nearestOf !== null &&
                ` Of ${formatCount(query.data.nearestOf)} claims on these days, the nearest ones were compared.`}
              {query.data.more > 0 && ` ${formatCount(query.data.more)} more pairs aren’t shown.`}
            </Hint>
            <WriterOnly workspaceId={workspaceId}>
              {pairs.map((pair) => (
                <ComparedPair
                  key={`${pair.left} ${pair.right}`}
                  pair={pair}
                  claimId={claimId}
                  from={from}
                  isFirst={pair === first}
                  isBusy={isJudging || isUndoing}
                  onJudge={(isDuplicate) => void judge(pair, isDuplicate)}
                  onUndo={undo}
                />
              ))}
            </WriterOnly>
          </Stack>
        ))}
    </Page>
  );
}
