import type { ParsedInput } from '../../../contract/procedures.ts';
import { createActOn, createActs } from './act-on-claims.ts';
import { createEventWriter } from './append-event.ts';
import { createDealer } from './deal-claims.ts';
import { estimatePartly } from './estimate-partly.ts';
import { createFreezer } from './freeze-claims.ts';
import { createHandOver } from './hand-over.ts';
import { estimateOpen } from './pay-open.ts';
import { createClaimReader } from './read-claims.ts';
import { createPaymentRecorder } from './record-payments.ts';
import type { ReviewPorts } from './review-ports.ts';
import { createRunFiles } from './run-files.ts';
import { createRuns } from './runs.ts';
import { chooseGroups } from './selections.ts';
import { createSettling } from './settle-reviews.ts';
import { createReviewReader } from './show-reviews.ts';

/** Reviews of claims: people's acts and their history, in the user data file. */
export function createReviews(ports: ReviewPorts) {
  const claims = createClaimReader(ports);
  const events = createEventWriter(ports);
  const settling = createSettling(ports, events);
  const actOn = createActOn(ports, events, settling);
  const freezer = createFreezer(ports, claims, settling);
  const { freezeList, freezeAcceptable, selections } = freezer;
  const claimsOf = ({ workspaceId, selectionId, groups }: ParsedInput<'reviews:estimateOpen'>) =>
    chooseGroups(selections.get(workspaceId, selectionId), groups).claimIds;
  const acts = createActs({ ports, claims, freezer, actOn });
  const runs = createRuns(ports, claims, freezer, settling, { actOn, undo: acts.undo });
  return {
    ...createPaymentRecorder(ports, claims, settling, actOn),
    ...createHandOver(ports, claims, events, settling),
    ...acts,
    ...runs,
    ...createRunFiles(ports, runs),
    ...createReviewReader(ports),
    freezeList,
    freezeAcceptable,
    appendTeamFact: events.appendTeamFact,
    deal: createDealer(events, settling, freezer),
    /** Updates the reviews for the day, the settings and new events; called before a list with reviews is made. */
    settleOnce: settling.settleOnce,
    settleSpellings: settling.settleSpellings,
    /** Called after a sync wrote claims. */
    settleAfterSync: (workspaceId: string): Promise<void> => settling.settle(workspaceId, { reopens: true }),
    /** @throws DeskError `review.noSelection`, `review.amountForMany` */
    estimate: (wanted: ParsedInput<'reviews:estimate'>) =>
      estimatePartly(ports, wanted.workspaceId, claimsOf(wanted), wanted.partly),
    /** @throws DeskError `review.noSelection` */
    estimateOpen: (wanted: ParsedInput<'reviews:estimateOpen'>) =>
      estimateOpen(ports, wanted.workspaceId, claimsOf(wanted)),
  };
}

export type Reviews = ReturnType<typeof createReviews>;
