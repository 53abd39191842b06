import type { ParsedInput } from '../../../contract/procedures.ts';
import { toAmount } from '../../../rules/money/amounts.ts';
import { computePartly } from '../../../rules/money/decided-amounts.ts';
import { rulesOf } from '../../../rules/money/reimbursement.ts';
import type { Amount } from '../../../rules/query.ts';
import type { PartlyEligible } from '../../../rules/review/decision.ts';
import type { ReviewFact } from '../../../rules/review/event-kinds.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { createActs } from './act-on-claims.ts';
import { type ActOn, createActOn, nothingLeftOut } from './append-act.ts';
import { createEventWriter } from './append-event.ts';
import { createDecider, estimateProposals } from './decide-by-rules.ts';
import { createFreezer, type Freezer } from './freeze-claims.ts';
import { createHandOver } from './hand-over.ts';
import { estimateOpen } from './pay-open.ts';
import { createClaimReader, idsAtOnce, readAtOnce } from './read-claims.ts';
import { createPaymentRecorder } from './record-payments.ts';
import type { ReviewPorts } from './review-ports.ts';
import { createRunFiles } from './run-files.ts';
import { createRuns } from './runs.ts';
import { chooseGroups } from './selections.ts';
import { createReviewReader } from './show-reviews.ts';
import { createReviewUpdater } from './update-reviews.ts';

/**
 * The total that a rule gives for these claims, in ten-thousandths of a dollar, and the eligible total of the claims
 * for which the rule gives an amount.
 *
 * @throws DeskError `review.amountForMany` for a fixed amount, which is possible for one claim only
 */
async function estimatePartly(
  ports: Pick<ReviewPorts, 'getStore' | 'getSettings'>,
  workspaceId: string,
  claimIds: Float64Array,
  partly: PartlyEligible,
): Promise<{ eligible: Amount; byRules: Amount; notKnown: number }> {
  if (partly.by === 'amount' || partly.by === 'lines') throw new DeskError('review.amountForMany');
  const settings = await ports.getSettings(workspaceId);
  const rules = factRulesOf(settings);
  const store = await ports.getStore(workspaceId);
  let [eligible, byRules, notKnown] = [0n, 0n, 0];
  for (let at = 0; at < claimIds.length; at += readAtOnce) {
    const some = Array.from(claimIds.subarray(at, at + readAtOnce));
    for (const { employerId, source, account } of await store.read('readEligibleClaims', {
      claimIds: some,
      rules,
    })) {
      const employerRules = rulesOf(settings.reimbursementRules, settings.service, employerId);
      const amounts = computePartly(partly, source, employerRules, account);
      if (typeof amounts === 'string') notKnown += 1;
      else {
        eligible += BigInt(amounts.eligible);
        byRules += BigInt(amounts.byRules ?? 0);
      }
    }
  }
  return { eligible: toAmount(eligible), byRules: toAmount(byRules), notKnown };
}

/** The claims of an act with their owners. Assigning an owner needs none of the values that a decision stores. */
async function* withOwners(
  claimIds: Float64Array,
  ownerOf: (claimId: number) => string,
): AsyncGenerator<readonly ActedClaim[]> {
  for (let at = 0; at < claimIds.length; at += idsAtOnce)
    yield Array.from(claimIds.subarray(at, at + idsAtOnce), (claimId) => ({
      claimId,
      reviewed: null,
      digest: null,
      detail: { owner: ownerOf(claimId) },
    }));
}

/**
 * Distributes claims to people in equal parts, as one act. Each gets every nth claim, so that all get as many from the
 * top of the list, and the same selection is always distributed in the same way.
 */
const createDealer =
  (actOn: ActOn, { selections, findSelected }: Freezer) =>
  /** @throws DeskError `review.noSelection`, `usage.invalid` where a name is given twice, `profile.busy`, `store.*` */
  async ({ workspaceId, selectionId, groups, owners }: ParsedInput<'reviews:deal'>) => {
    if (new Set(owners).size < owners.length) throw new DeskError('usage.invalid');
    const selection = chooseGroups(selections.get(workspaceId, selectionId), groups);
    const left = nothingLeftOut();
    const claimIds = await findSelected(selection, left.leftOut);
    const shares = owners.map(() => 0);
    // Claims that are left out don't change the shares of the others.
    let place = 0;
    const parts = withOwners(claimIds, (claimId) => {
      while (selection.claimIds[place] !== claimId) place += 1;
      const share = place % owners.length;
      shares[share] = (shares[share] as number) + 1;
      return owners[share] as string;
    });
    const fact: ReviewFact = { kind: 'deal', owners: [...owners] };
    const { eventId, leftOut } = await actOn(workspaceId, parts, { fact, filter: selection.filter, left });
    selections.remove(selectionId);
    const dealt = owners.map((owner, at) => ({ owner, claims: shares[at] as number }));
    return { eventId, dealt: dealt.filter(({ claims }) => claims > 0), leftOut };
  };

/** Reviews of claims: users' acts and their history, in the user data file. */
export function createReviews(ports: ReviewPorts) {
  const claims = createClaimReader(ports);
  const events = createEventWriter(ports);
  const updater = createReviewUpdater(ports, events);
  const actOn = createActOn(ports, events, updater);
  const freezer = createFreezer(ports, claims, updater);
  const { freezeList, selections } = freezer;
  const claimsOf = ({ workspaceId, selectionId, groups }: ParsedInput<'reviews:estimateOpen'>) =>
    chooseGroups(selections.get(workspaceId, selectionId), groups).claimIds;
  const acts = createActs({ ports, freezer, actOn });
  const runs = createRuns(ports, claims, freezer, updater, { actOn, undo: acts.undo });
  return {
    ...createPaymentRecorder(ports, claims, updater, actOn),
    ...createHandOver(ports, claims, events, updater),
    ...acts,
    ...runs,
    ...createRunFiles(ports, runs),
    ...createReviewReader(ports),
    freezeList,
    appendTeamFact: events.appendTeamFact,
    deal: createDealer(actOn, freezer),
    ...createDecider(ports, events, updater),
    /** Updates the reviews for the day, the settings and new events; called before a list with reviews is made. */
    updateOnce: updater.updateOnce,
    updateSpellings: updater.updateSpellings,
    /** Called after a sync wrote claims. */
    updateAfterSync: (workspaceId: string): Promise<void> => updater.update(workspaceId, { reopens: true }),
    /** @throws DeskError `review.noSelection`, `review.amountForMany` */
    estimate: (request: ParsedInput<'reviews:estimate'>) =>
      estimatePartly(ports, request.workspaceId, claimsOf(request), request.partly),
    /** @throws DeskError `review.noSelection` */
    estimateProposals: (request: ParsedInput<'reviews:estimateProposals'>) =>
      estimateProposals(ports, request.workspaceId, claimsOf(request)),
    /** @throws DeskError `review.noSelection` */
    estimateOpen: (request: ParsedInput<'reviews:estimateOpen'>) =>
      estimateOpen(ports, request.workspaceId, claimsOf(request)),
  };
}

export type Reviews = ReturnType<typeof createReviews>;
