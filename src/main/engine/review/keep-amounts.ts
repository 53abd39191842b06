import { localDayOf } from '../../../rules/days.ts';
import { computePartly, isWhole, type KeptAmounts } from '../../../rules/money/decided-amounts.ts';
import { rulesOf } from '../../../rules/money/reimbursement.ts';
import type { PartlyEligible } from '../../../rules/review/decision.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import type { EligibleClaim } from '../store/worklists/read-eligible.ts';
import { readProposals, toActedClaim } from './decide-by-rules.ts';
import { checkOwed, isOpenPayment, isTakenBack, keepOpen } from './pay-open.ts';
import type { ReviewPorts } from './review-ports.ts';

/** Claims that an act leaves out: they changed since it was requested, or the rule gives no amount for them. */
export interface LeftOut {
  readonly leftOut: number[];
  readonly notKnown: number[];
}

/** Whether a decision has an amount, or amounts of lines, and no rule that may come to all of a claim. */
const isTyped = (act: ReviewAct): boolean =>
  act.kind === 'decision' && (act.partly?.by === 'amount' || act.partly?.by === 'lines');

/** @throws DeskError `review.amountForMany` for an amount, or amounts of lines, for several claims */
export function checkPartly(act: ReviewAct, isOne: boolean): void {
  if (!isOne && isTyped(act)) throw new DeskError('review.amountForMany');
}

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

/** Finds which of these claims the service no longer returns. */
async function* keepMissing(
  ports: Pick<ReviewPorts, 'getStore'>,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  leftOut: number[],
): AsyncGenerator<readonly ActedClaim[]> {
  const store = await ports.getStore(workspaceId);
  for await (const part of parts) {
    const rows = await store.read('readRunClaims', { claimIds: part.map(({ claimId }) => claimId) });
    const missing = new Set(rows.flatMap(({ claimId, isMissing }) => (isMissing ? [claimId] : [])));
    leftOut.push(...part.flatMap(({ claimId }) => (missing.has(claimId) ? [] : [claimId])));
    yield part.filter(({ claimId }) => missing.has(claimId));
  }
}

/** The claims of which rules propose something, with that; the record, and a rule that was shown, are those that the act is about. */
async function* keepProposals(
  ports: ReviewPorts,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  { act: { rule: shown }, leftOut }: { act: Extract<ReviewAct, { kind: 'byRule' }>; leftOut: number[] },
): AsyncGenerator<readonly ActedClaim[]> {
  await ports.updateFacts?.(workspaceId);
  const today = localDayOf(new Date(ports.clock.now()));
  for await (const part of parts) {
    const digests = new Map(part.map(({ claimId, digest }) => [claimId, digest]));
    const read = await readProposals(ports, workspaceId, [...digests.keys()]);
    const proposals = read.filter(
      ({ claimId, digest, rule: { id, version } }) =>
        digests.get(claimId) === digest &&
        (shown === undefined || (shown.id === id && shown.version === version)),
    );
    for (const { claimId } of proposals) digests.delete(claimId);
    leftOut.push(...digests.keys());
    yield proposals.map((proposal) => toActedClaim(proposal, today));
  }
}

/**
 * Adds the values to store; an act on missing claims keeps only those that are missing. A partly eligible
 * decision is stored with its current amount, so later rules do not change it; accepting an earlier decision
 * for a changed claim computes it again. `isOne`: an impossible amount throws; else the claim is left out.
 *
 * @throws DeskError `review.amountTooLarge`, `review.amountIsWhole`, `review.moreThanOwed`,
 *   `review.moreThanPaid`, `usage.invalid` for a line that the claim does not have
 */
export async function* keepAmounts(
  ports: ReviewPorts,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  { act, isOne, leftOut, notKnown }: LeftOut & { readonly act: ReviewAct; readonly isOne: boolean },
): AsyncGenerator<readonly ActedClaim[]> {
  if (isOpenPayment(act)) {
    yield* keepOpen(ports, workspaceId, parts, { day: act.day ?? '', notKnown });
    return;
  }
  if (act.kind === 'byRule') {
    yield* keepProposals(ports, workspaceId, parts, { act, leftOut });
    return;
  }
  if (act.kind === 'missing') {
    yield* keepMissing(ports, workspaceId, parts, leftOut);
    return;
  }
  if (isTakenBack(act)) {
    yield* checkOwed(ports, workspaceId, parts, act);
    return;
  }
  if (act.kind !== 'accept' && (act.kind !== 'decision' || act.partly === undefined)) {
    yield* parts;
    return;
  }
  const settings = await ports.getSettings(workspaceId);
  const store = await ports.getStore(workspaceId);
  for await (const part of parts) {
    const claimIds = part.map(({ claimId }) => claimId);
    const partlyOf = await findPartly(ports, workspaceId, act, claimIds);
    const partlyIds = claimIds.filter((claimId) => partlyOf(claimId) !== null);
    const read =
      partlyIds.length === 0
        ? []
        : await store.read('readEligibleClaims', { claimIds: partlyIds, rules: factRulesOf(settings) });
    const claimById = new Map(read.map((claim) => [claim.claimId, claim]));
    const kept: ActedClaim[] = [];
    for (const acted of part) {
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
    yield kept;
  }
}
