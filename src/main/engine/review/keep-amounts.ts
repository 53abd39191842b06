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

/** Whether a decision has an amount, or amounts of lines, and no rule that may come to all of a claim. */
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

/** The claims that the service no longer returns. */
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

/** The claims of which rules propose something, with that; the record, and a rule that was shown, are those that the act is about. */
async function keepProposals(
  ports: ReviewPorts,
  workspaceId: string,
  claims: readonly ActedClaim[],
  { act: { rule: shown }, leftOut }: { act: Extract<ReviewAct, { kind: 'byRule' }>; leftOut: number[] },
): Promise<readonly ActedClaim[]> {
  await ports.updateFacts?.(workspaceId);
  const today = localDayOf(new Date(ports.clock.now()));
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

/**
 * Adds to these claims the values to store; an act on missing claims keeps only those that are missing. A partly eligible
 * decision is stored with its current amount, so later rules do not change it; accepting an earlier decision
 * for a changed claim computes it again. `isOne`: an impossible amount throws; else the claim is left out.
 *
 * @throws DeskError `review.amountTooLarge`, `review.amountIsWhole`, `usage.invalid` for a line that the claim does not have, and
 *   as `completePayments`
 */
export async function keepAmounts(
  ports: ReviewPorts,
  workspaceId: string,
  claims: readonly ActedClaim[],
  {
    act,
    isOne,
    acceptsEarly,
    left: { leftOut, notKnown },
  }: {
    readonly act: ReviewAct;
    readonly isOne: boolean;
    readonly acceptsEarly: boolean;
    readonly left: LeftOut;
  },
): Promise<readonly ActedClaim[]> {
  if (act.kind === 'payment')
    return completePayments(ports, workspaceId, claims, act, { acceptsEarly, notKnown });
  if (act.kind === 'byRule') return keepProposals(ports, workspaceId, claims, { act, leftOut });
  if (act.kind === 'missing') return keepMissing(ports, workspaceId, claims, leftOut);
  if (act.kind !== 'accept' && (act.kind !== 'decision' || act.partly === undefined)) return claims;
  const settings = await ports.getSettings(workspaceId);
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
