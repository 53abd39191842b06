import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
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
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { type ListRef, worklistOf } from '../../domain/list/list-ref.ts';
import { ListWalk, type Walk } from '../../domain/list/list-walk.tsx';
import { useIsLoading, useNewGate } from '../../domain/list/record-gate.ts';
import { sayEndOfList } from '../../domain/list/say-end-of-list.tsx';
import { type Stop, stopsFound, walkToFree } from '../../domain/list/walk-free.ts';
import { compareKeys } from '../../domain/review/group-commands.ts';
import { type OfferedKey, useOfferReview } from '../../domain/review/review-target.ts';
import { useSendAct } from '../../domain/review/use-review.ts';
import { useUndoEvent } from '../../domain/review/use-undo.ts';
import { useReadOnlyReason } from '../../domain/team/use-is-reader.ts';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { deskQuery, fetchAhead, useAsk, useDeskQuery } from '../../lib/desk-query.ts';
import { useAuditOpened } from '../../lib/use-audit-opened.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ComparedPair } from './compared-pair.tsx';

/**
 * The pairs of a claim, and stepping through the pairs of its list, each once. `page`: in a worklist of a team, this page's
 * name, for which only claims are taken that no one else has open.
 */
function usePairWalk(claimId: number, from: ListRef, page: string | null) {
  const { id: workspaceId } = useWorkspace();
  const bridge = useBridge();
  const ask = useAsk();
  const cache = useQueryClient();
  const memory = useListMemory();
  const { list, at } = from;
  const source = list === undefined ? null : (memory.find(workspaceId, list)?.source ?? null);
  const snapshotId = source?.getState().snapshot?.snapshotId;
  const wantedOf = useCallback(
    (id: number, row: number | undefined) => ({
      workspaceId,
      claimId: id,
      ...(snapshotId === undefined || row === undefined ? {} : { place: { snapshotId, at: row } }),
    }),
    [workspaceId, snapshotId],
  );
  const query = useDeskQuery('duplicates:of', wantedOf(claimId, at));
  const walk = useRef<Walk | null>(null);
  /** The claim on the page: a judgment that is saved after the page was left opens no other page. */
  const shown = useRef(claimId);
  useEffect(() => {
    shown.current = claimId;
  });
  const prefetch = useCallback(
    (id: number, row: number) => [fetchAhead(cache, deskQuery(bridge, 'duplicates:of', wantedOf(id, row)))],
    [cache, bridge, wantedOf],
  );
  const find = async (place: { snapshotId: string; at: number }, step: 1 | -1, isOpen: boolean) => {
    const { stop } = await ask('duplicates:findStop', { place, step, isOpen });
    return stop === null ? null : { id: stop.claimId, at: stop.at };
  };
  return {
    query,
    walk,
    prefetch,
    /** Finds previous and next; also stops at judged pairs, so that you can return to them. */
    findStop: (inSnapshot: string, row: number, step: 1 | -1): Promise<Stop | null> =>
      find({ snapshotId: inSnapshot, at: row }, step, false),
    /**
     * Stays on this claim if it has another pair to judge, else shows the next claim of the list that has one. @throws
     * DeskError
     */
    async goOn(): Promise<void> {
      const { data } = await query.refetch();
      if (data?.pairs.some(({ isOpen, isPassed }) => isOpen && !isPassed)) return;
      if (source === null || at === undefined || shown.current !== claimId) return;
      const findStops = stopsFound(source, (snapshot, row, step) =>
        find({ snapshotId: snapshot, at: row }, step, true),
      );
      const { stop, open } =
        page === null
          ? { stop: (await findStops(at + 1, 1, 1))[0], open: 0 }
          : await walkToFree({ bridge, source, page, findStops }, at, 1);
      if (shown.current !== claimId) return;
      if (stop) walk.current?.goTo(stop);
      else sayEndOfList('pair', from.list, open);
    },
  };
}

const noKeys: readonly OfferedKey[] = [];

/** A claim and the claims that may be the same: what agrees, what differs, and one key for each judgment. */
export function ComparePage({ claimId, from }: { claimId: number; from: ListRef }) {
  const lease = useLease(claimId);
  const page = worklistOf(from.list) === undefined ? null : lease.page;
  const { query, walk, prefetch, findStop, goOn } = usePairWalk(claimId, from, page);
  useAuditOpened('claims', query.data === undefined ? undefined : claimId);
  const { sendAndWait } = useSendAct();
  const { undo, isUndoing } = useUndoEvent();
  const isReadOnly = useReadOnlyReason() !== null;
  const [isJudging, setJudging] = useState(false);
  const gate = useNewGate(claimId, query.isPending ? null : claimId, from);
  const isLoading = useIsLoading(gate);
  const pairs = query.data?.pairs ?? [];
  const judge = async (pair: DuplicatePair, isDuplicate: boolean): Promise<void> => {
    if (isReadOnly || !gate.take(claimId)) return;
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
  const decideFirst = (isDuplicate: boolean) => void (first !== undefined && judge(first, isDuplicate));
  useSingleKeys({ 5: () => decideFirst(true), u: () => decideFirst(false) });
  useOfferReview(first === undefined ? noKeys : compareKeys, (key) => decideFirst(key === '5'));
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
            onEnd={(open) => sayEndOfList('pair', from.list, open)}
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
              {pairs.length > 1 && 'The pair with the most payable twice comes first. '}“Not a duplicate” is
              remembered until one of the two claims changes materially.
              {query.data.nearestOf !== null &&
                ` Of ${formatCount(query.data.nearestOf)} claims on these days, the nearest ones were compared.`}
              {query.data.more > 0 && ` ${formatCount(query.data.more)} more pairs aren’t shown.`}
            </Hint>
            <WriterOnly>
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
