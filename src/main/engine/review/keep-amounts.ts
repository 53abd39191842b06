import { localDayOf } from '../../../rules/days.ts';
import { computePartly, isWhole, type KeptAmounts } from '../../../rules/money/decided-amounts.ts';
import { rulesOf } from '../../../rules/money/reimbursement.ts';
import type { PartlyEligible } from '../../../rules/review/decision.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import type { EligibleClaim } from '../store/worklists/read-eligible.ts';
import type { LeftOut } from './append-act.ts';
import { readProposals, toActedClaim } from './decide-by-rules.ts';
import { completePayments } from './pay-open.ts';
import type { ReviewPorts } from './review-ports.ts';

/** Whether a decision has an amount, or amounts of lines, and no rule that may come to the whole claim. */
export const isTyped = (act: ReviewAct): boolean =>
  act.kind === 'decision' && (act.partly?.by === 'amount' || act.partly?.by === 'lines');

const hasLines = (partly: PartlyEligible, { lines }: EligibleClaim): boolean =>
  partly.by !== 'lines' ||
  (partly.lines.every(({ line }) => line < lines) &&
    new Set(partly.lines.map(({ line }) => line)).size === partly.lines.length);

/** The decisions whose amounts have to be computed, by claim. */
async function findPartly(
  ports: Pick<ReviewPorts, 'getUserData'>,
  workspaceId: string,
  act: ReviewAct,
  claimIds: number[],
): Promise<(claimId: number) => PartlyEligible | null> {
  if (act.kind === 'decision') return () => act.partly ?? null;
  const userData = await ports.getUserData(workspaceId);
  const reviews = userData.isThere() ? await userData.call('foldReviews', { workspaceId, claimIds }) : [];
  const partlyById = new Map(reviews.map(({ claimId, partly }) => [claimId, partly]));
  return (claimId) => partlyById.get(claimId) ?? null;
}

/** Keeps only the claims that the service no longer returns. */
async function keepMissing(
  ports: Pick<ReviewPorts, 'getStore'>,
  workspaceId: string,
  claims: readonly ActedClaim[],
  leftOut: number[],
): Promise<readonly ActedClaim[]> {
  const store = await ports.getStore(workspaceId);
  const rows = await store.read('readRunClaims', { claimIds: claims.map(({ claimId }) => claimId) });
  const missing = new Set(rows.flatMap(({ claimId, isMissing }) => (isMissing ? [claimId] : [])));
  leftOut.push(...claims.flatMap(({ claimId }) => (missing.has(claimId) ? [] : [claimId])));
  return claims.filter(({ claimId }) => missing.has(claimId));
}

/**
 * The claims for which rules propose something, with the proposal. The record and a shown rule must be those that the
 * act is about.
 */
async function keepProposals(
  ports: ReviewPorts,
  workspaceId: string,
  claims: readonly ActedClaim[],
  {
    act: { rule: shown },
    today,
    leftOut,
  }: { act: Extract<ReviewAct, { kind: 'byRule' }>; today: string; leftOut: number[] },
): Promise<readonly ActedClaim[]> {
  const digests = new Map(claims.map(({ claimId, digest }) => [claimId, digest]));
  const read = await readProposals(ports, workspaceId, [...digests.keys()]);
  const proposals = read.filter(
    ({ claimId, digest, rule: { id, version } }) =>
      digests.get(claimId) === digest &&
      (shown === undefined || (shown.id === id && shown.version === version)),
  );
  for (const { claimId } of proposals) digests.delete(claimId);
  leftOut.push(...digests.keys());
  return proposals.map((proposal) => toActedClaim(proposal, today));
}

/** An act whose values are stored with its claims. `isOne`: an impossible amount throws instead of being left out. */
interface AmountsAct {
  readonly act: ReviewAct;
  readonly isOne: boolean;
  readonly acceptsEarly: boolean;
  readonly left: LeftOut;
}

/**
 * Returns a function that adds to some claims of an act the values to store; for an act on missing claims, it keeps
 * only claims that are missing. Facts are updated once; for all parts of the act, the rules of amounts and the day are
 * those at its start. A partly eligible decision is stored with its current amount, so later rules do not change it;
 * accepting an earlier decision for a changed claim computes the amount again.
 * @throws DeskError `review.amountTooLarge`, `review.amountIsWhole`, `usage.invalid` for a line that the claim lacks,
 * and as `completePayments`; all of them when it is called
 */
export async function prepareAmounts(
  ports: ReviewPorts,
  workspaceId: string,
  amounts: AmountsAct,
): Promise<(claims: readonly ActedClaim[]) => Promise<readonly ActedClaim[]>> {
  const { act, acceptsEarly, left } = amounts;
  if (act.kind === 'payment')
    return (claims) =>
      completePayments(ports, workspaceId, claims, act, { acceptsEarly, notKnown: left.notKnown });
  if (act.kind === 'missing') return (claims) => keepMissing(ports, workspaceId, claims, left.leftOut);
  if (act.kind === 'byRule') {
    await ports.updateFacts?.(workspaceId);
    const today = localDayOf(new Date(ports.clock.now()));
    return (claims) => keepProposals(ports, workspaceId, claims, { act, today, leftOut: left.leftOut });
  }
  if (act.kind !== 'accept' && (act.kind !== 'decision' || act.partly === undefined))
    return (claims) => Promise.resolve(claims);
  const settings = await ports.getSettings(workspaceId);
  return (claims) => keepAmounts(ports, workspaceId, claims, { ...amounts, settings });
}

async function keepAmounts(
  ports: ReviewPorts,
  workspaceId: string,
  claims: readonly ActedClaim[],
  {
    act,
    isOne,
    settings,
    left: { leftOut, notKnown },
  }: AmountsAct & { readonly settings: Awaited<ReturnType<ReviewPorts['getSettings']>> },
): Promise<readonly ActedClaim[]> {
  const store = await ports.getStore(workspaceId);
  const claimIds = claims.map(({ claimId }) => claimId);
  const partlyOf = await findPartly(ports, workspaceId, act, claimIds);
  const partlyIds = claimIds.filter((claimId) => partlyOf(claimId) !== null);
  const read =
    partlyIds.length === 0
      ? []
      : await store.read('readEligibleClaims', { claimIds: partlyIds, rules: factRulesOf(settings) });
  const claimById = new Map(read.map((claim) => [claim.claimId, claim]));
  const kept: ActedClaim[] = [];
  for (const acted of claims) {
    const partly = partlyOf(acted.claimId);
    const claim = claimById.get(acted.claimId);
    if (partly === null) kept.push(acted);
    else if (claim?.digest !== acted.digest) leftOut.push(acted.claimId);
    else {
      if (act.kind === 'decision' && !hasLines(partly, claim)) throw new DeskError('usage.invalid');
      const rules = rulesOf(settings.reimbursementRules, settings.service, claim.employerId);
      const amounts: KeptAmounts | string = computePartly(partly, claim.source, rules, claim.account);
      if (typeof amounts !== 'string') {
        if (isTyped(act) && isWhole(amounts)) throw new DeskError('review.amountIsWhole');
        kept.push({ ...acted, detail: { amounts } });
      } else if (isOne && amounts === 'tooMuch') throw new DeskError('review.amountTooLarge');
      else notKnown.push(acted.claimId);
    }
  }
  return kept;
}
