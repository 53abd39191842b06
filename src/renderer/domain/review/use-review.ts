import { notifications } from '@mantine/notifications';
import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import type { DeskBridge } from '../../../contract/bridge.ts';
import type { Input, ParsedInput } from '../../../contract/procedures.ts';
import { localDayOf } from '../../../rules/days.ts';
import { actOf, type ReviewAct } from '../../../rules/review/event-kinds.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';
import { predictReview } from '../../../rules/review/predict-review.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { colorOfTone } from '../../lib/claim-status.ts';
import { reportOf } from '../../lib/desk-error.ts';
import { type Ask, deskQuery, fetchAhead, useAsk, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';
import { keyOf, keyPrefixes } from '../../lib/query-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { takeShown } from './group-commands.ts';

/** An act on one claim, as it is sent. `proposed`: the words of the proposal that a list shows, which alone is taken. */
interface SentAct extends ParsedInput<'reviews:act'> {
  readonly target: { readonly claimIds: [number] };
  readonly proposed?: string | undefined;
}

/** Whether an act was refused only because a payment is dated before the service, which the user has to confirm. */
export const isEarlyRefused = (error: unknown): boolean =>
  error !== null && reportOf(error).code === 'review.beforeService';

/** How many events of its history are shown with a claim, until all are asked for. */
export const eventsShownAtFirst = 5;

const actsKey = ['review acts'] as const;

/**
 * Acts and undos of a workspace are sent one after the other, so that the newest event is always the last key pressed.
 */
export const orderOf = (workspaceId: string) => ({ id: `review acts ${workspaceId}` });

export function sayFailed(what: string, error: unknown): void {
  const { message, nextStep } = reportOf(error);
  notifications.show({ color: colorOfTone.bad, title: what, message: `${message} ${nextStep}` });
}

/** The review of a claim, including acts that were sent but are not saved yet. */
export function useReview(claimId: number) {
  const { id: workspaceId } = useWorkspace();
  const query = useWorkspaceQuery('reviews:get', { claimId });
  const acts = useQueryClient().getMutationCache();
  const findSent = () => acts.findAll({ mutationKey: actsKey, status: 'pending' });
  // A form that is rendered reports its options to the cache, and no other component may be updated then.
  const subscribe = useCallback(
    (onChange: () => void) => acts.subscribe(({ type }) => type !== 'observerOptionsUpdated' && onChange()),
    [acts],
  );
  // `useMutationState` waits for a timer: the mark of a key is for the next frame.
  useSyncExternalStore(subscribe, () =>
    findSent()
      .map(({ mutationId }) => mutationId)
      .join(),
  );
  const review = findSent().reduce<ClaimReview | undefined>((before, { state }) => {
    const sent = state.variables as SentAct;
    return before === undefined || sent.target.claimIds[0] !== claimId || sent.workspaceId !== workspaceId
      ? before
      : predictReview(before, sent.act, localDayOf(new Date()));
  }, query.data);
  return { review, error: query.error, refetch: query.refetch };
}

/**
 * Fetches a review, and what is shown beside it, ahead of time: the claim is drawn once with all of it. Four parts of the page
 * follow its worklists, and each of them was drawn three times.
 */
export function prefetchReview(
  cache: QueryClient,
  bridge: DeskBridge,
  workspaceId: string,
  claimId: number,
): (() => void)[] {
  const shown = ['reviews:get', 'rules:explain', 'worklists:why', 'reviews:getUndo'] as const;
  const events = { workspaceId, claimId, offset: 0, limit: eventsShownAtFirst };
  return [
    ...shown.map((procedure) => fetchAhead(cache, deskQuery(bridge, procedure, { workspaceId, claimId }))),
    fetchAhead(cache, deskQuery(bridge, 'reviews:listEvents', events)),
  ];
}

/** Shows that a colleague has the claim open that was just decided. */
async function sayOpenElsewhere(ask: Ask, claimId: number): Promise<void> {
  const { leases } = await ask('leases:list', { claimIds: [claimId] });
  if (leases.length === 0) return;
  notifications.show({
    color: colorOfTone.caution,
    title: `Claim ${claimId} is open elsewhere`,
    message: `Your decision is saved. ${[...new Set(leases.map(({ email }) => email))].join(', ')} has this claim open as well.`,
  });
}

/** Reports that an act on one claim was left out. Its effect was on screen until now. */
function sayLeftOut(claimId: number, act: ReviewAct, isUnknown: boolean): void {
  const isProposal = act.kind === 'byRule';
  const why = isUnknown
    ? 'The eligible amount can’t be computed.'
    : `${isProposal ? 'The rule, or the claim,' : 'The claim'} changed after it was shown.`;
  notifications.show({
    color: colorOfTone.caution,
    title: isProposal ? `Proposal of claim ${claimId} not taken` : `Review of claim ${claimId} not saved`,
    message: `${why} Look at the claim again.`,
  });
}

/**
 * Returns how an act on one claim is saved. Its effect is shown at once; if it fails, the effect is removed and the error shown.
 */
function useSaving() {
  const { id: workspaceId } = useWorkspace();
  const ask = useAsk();
  const cache = useQueryClient();
  return mutationOptions({
    mutationKey: actsKey,
    scope: orderOf(workspaceId),
    // A typed text is not kept in memory longer than needed. With 0, an act that waits for others would set timer after timer.
    gcTime: 1_000,
    mutationFn: async ({ proposed, ...sent }: SentAct) => {
      if (proposed === undefined) return ask('reviews:act', sent);
      const { claimIds } = sent.target;
      const { proposal } = await ask('rules:explain', { claimId: claimIds[0] });
      if (proposal?.words !== proposed) return { leftOut: claimIds, notKnown: [], unchanged: 0 };
      return ask('reviews:act', { ...sent, act: takeShown(proposal) });
    },
    onSuccess: async ({ leftOut, notKnown, unchanged }, { target, act }) => {
      const [claimId] = target.claimIds;
      if (leftOut.length + notKnown.length > 0) sayLeftOut(claimId, act, notKnown.length > 0);
      else if (unchanged > 0)
        showNotice('review', {
          title: 'Already saved',
          message: `Claim ${claimId}: ${actOf(act).words(act, {})}`,
        });
      else if (actOf(act).finishes === 'decided') {
        if (cache.getQueryData(keyOf('team:getStatus', { workspaceId })) != null)
          void sayOpenElsewhere(ask, claimId);
      }
      void cache.invalidateQueries({ queryKey: keyPrefixes.ofProcedure(workspaceId, 'reviews:getUndo') });
      void cache.invalidateQueries({ queryKey: keyPrefixes.ofProcedure(workspaceId, 'reviews:listEvents') });
      await cache.invalidateQueries({
        queryKey: keyOf('reviews:get', { workspaceId, claimId }),
        exact: true,
      });
    },
    // The form asks about it.
    onError: (error, { target: { claimIds } }) =>
      isEarlyRefused(error)
        ? undefined
        : sayFailed(
            memberOfSubject(claimIds[0]) === null
              ? `Couldn’t save the review of claim ${claimIds[0]}`
              : 'Couldn’t save the call',
            error,
          ),
  });
}

/** Returns what sends an act on one claim, and does not draw the page again as `useMutation` does while the act is saved. */
export function useSend() {
  const { id: workspaceId } = useWorkspace();
  const cache = useQueryClient();
  const saving = useSaving();
  return (claimId: number, act: ReviewAct, proposed?: string): void => {
    const mutation = cache.getMutationCache().build(cache, saving);
    mutation.execute({ workspaceId, target: { claimIds: [claimId] }, act, proposed }).catch(() => undefined);
  };
}

/** Saves acts of a form, which waits for them. */
export function useSendAct() {
  const { id: workspaceId } = useWorkspace();
  const sending = useMutation(useSaving());
  return {
    /** Resolves when the act is saved. @throws DeskError */
    sendAndWait: (claimId: number, act: ReviewAct, acceptsEarly = false) =>
      sending.mutateAsync({ workspaceId, target: { claimIds: [claimId] }, act, acceptsEarly }),
    isSending: sending.isPending,
  };
}

/** Applies an act to a selection, in order with the other acts. */
export function useBulkAct() {
  const { id: workspaceId } = useWorkspace();
  const ask = useAsk();
  const cache = useQueryClient();
  return useMutation({
    scope: orderOf(workspaceId),
    gcTime: 0,
    mutationFn: (sent: Omit<Input<'reviews:act'>, 'workspaceId'>) => ask('reviews:act', sent),
    onSuccess: () => cache.invalidateQueries({ queryKey: keyPrefixes.ofWorkspace('reviews', workspaceId) }),
  });
}
