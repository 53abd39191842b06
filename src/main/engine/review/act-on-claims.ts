import { addDays, localDayOf } from '../../../rules/days.ts';
import { rulesOf } from '../../../rules/money/reimbursement.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import { actOf } from '../../../rules/review/event-kinds.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';
import type { ReviewDone, ReviewTarget } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { type ActOn, nothingLeftOut } from './append-act.ts';
import { inParts } from './append-event.ts';
import type { Freezer } from './freeze-claims.ts';
import { isTyped, prepareAmounts } from './keep-amounts.ts';
import { listOpenClaims, readMemberSubject } from './phone-calls.ts';
import type { ReviewPorts } from './review-ports.ts';
import { chooseGroups } from './selections.ts';
import { checkRunUndo, findSameAct } from './undo-run.ts';

/**
 * Reads the claims that an act names by ID, at most a thousand; `leftOut` receives the IDs of those that are not here.
 * @throws DeskError `record.unknown` where none of them is here
 */
async function readNamed(
  ports: ReviewPorts,
  workspaceId: string,
  claimIds: readonly number[],
  leftOut: number[] = [],
): Promise<readonly ActedClaim[]> {
  const store = await ports.getStore(workspaceId);
  const claims = await store.read('readReviewedClaims', { claimIds: [...new Set(claimIds)] });
  if (claims.length === 0) throw new DeskError('record.unknown');
  const readIds = new Set(claims.map(({ claimId }) => claimId));
  leftOut.push(...claimIds.filter((id) => !readIds.has(id)));
  return claims;
}

/**
 * Pairs two claims that were compared, each with the other one. @throws DeskError `usage.invalid` where there are not
 * two
 */
async function pairUp(
  ports: ReviewPorts,
  workspaceId: string,
  claims: readonly ActedClaim[],
  otherClaimId: number,
): Promise<ActedClaim[]> {
  const [other] = await readNamed(ports, workspaceId, [otherClaimId]);
  const [claim] = claims;
  if (claims.length !== 1 || claim === undefined || other === undefined || claim.claimId === other.claimId)
    throw new DeskError('usage.invalid');
  const pair = { claimId: claim.claimId, otherClaimId: other.claimId };
  const fingerprint = await (await ports.getStore(workspaceId)).read('findFingerprint', pair);
  const detail = fingerprint === null ? {} : { fingerprint };
  return [
    { ...claim, detail: { otherClaimId: other.claimId, ...detail } },
    { ...other, detail: { otherClaimId: claim.claimId, ...detail } },
  ];
}

interface ActContext {
  readonly ports: ReviewPorts;
  readonly freezer: Freezer;
  readonly actOn: ActOn;
}

/**
 * Refuses an act on a note, a decision or an appeal of one claim that its review does not allow.
 *
 * @throws DeskError `note.unknown`, `review.notYours`, `review.notToCheck`, `appeal.unknown`, `appeal.decidedByYou`,
 *   `usage.invalid`
 */
async function checkReview(
  ports: ReviewPorts,
  workspaceId: string,
  act: ReviewAct,
  claimIds: readonly number[],
): Promise<void> {
  const { refuseOn } = actOf(act);
  if (refuseOn === undefined) return;
  const userData = await ports.getUserData(workspaceId);
  const [review] =
    claimIds.length === 1 ? await userData.call('foldReviews', { workspaceId, claimIds: [...claimIds] }) : [];
  const author = await ports.findAuthor(workspaceId);
  const isInTeam = (await userData.call('readTeamLog', { workspaceId })).position !== null;
  const refusal = refuseOn(act, review, { author, isInTeam });
  if (refusal !== null) throw new DeskError(refusal);
}

/** Computes by when an appeal made on a day must be answered, from the rules of the claim's employer. */
async function findAnswerDue(
  ports: ReviewPorts,
  workspaceId: string,
  day: string,
  claimIds: readonly number[],
): Promise<string> {
  const settings = await ports.getSettings(workspaceId);
  const store = await ports.getStore(workspaceId);
  const asked = { claimIds: claimIds.slice(0, 1), rules: factRulesOf(settings) };
  const [claim] = await store.read('readEligibleClaims', asked);
  const rules = rulesOf(settings.reimbursementRules, settings.service, claim?.employerId ?? null);
  return addDays(day, rules.answerDays) ?? day;
}

/** Appends a note on a member, or a change to one. A new note is linked to the family's open claims. */
async function actOnMember(
  { ports, actOn }: ActContext,
  workspaceId: string,
  memberId: number,
  act: ReviewAct,
): Promise<ReviewDone> {
  if (actOf(act).isOfMember !== true) throw new DeskError('usage.invalid');
  const subject = await readMemberSubject(ports, workspaceId, memberId, act.kind === 'note');
  await checkReview(ports, workspaceId, act, [subject.claimId]);
  const claimIds = act.kind === 'note' ? await listOpenClaims(ports, workspaceId, memberId) : [];
  const fact = act.kind === 'note' ? { ...act, claimIds } : act;
  return actOn(workspaceId, [[subject]], { fact });
}

/** Whether an event was made on this computer, or under this person's email on another one. */
const isOwn = async (
  ports: ReviewPorts,
  workspaceId: string,
  { isImported, author }: { readonly isImported: boolean; readonly author: string },
): Promise<boolean> => !isImported || author === (await ports.findAuthor(workspaceId));

/**
 * Appends one act on some claims, given by IDs or by a selection.
 *
 * @throws DeskError `review.incomplete`, `review.amountForMany`, `review.amountTooLarge`, `review.amountIsWhole`,
 *   `review.moreThanOwed`, `review.moreThanPaid`, `review.badPayment`, `review.beforeService` without `acceptsEarly`, `review.newer`, `review.noSelection`, `review.notToCheck`, `review.notYours`, `note.unknown`, `appeal.unknown`, `appeal.decidedByYou`, `record.unknown`, `team.stillReading`, `profile.busy`,
 *   `store.*`
 */
async function actOnTarget(
  context: ActContext,
  workspaceId: string,
  target: ReviewTarget,
  act: ReviewAct,
  acceptsEarly = false,
): Promise<ReviewDone> {
  const { ports, freezer, actOn } = context;
  await ports.requireRead?.(workspaceId);
  const { refuse, isOfOneClaim } = actOf(act);
  const refusal = refuse?.(act, localDayOf(new Date(ports.clock.now()))) ?? null;
  if (refusal !== null) throw new DeskError(refusal);
  const selection =
    'selectionId' in target
      ? chooseGroups(freezer.selections.get(workspaceId, target.selectionId), target.groups)
      : null;
  if (selection !== null && isOfOneClaim === true) throw new DeskError('usage.invalid');
  const claimIds = 'claimIds' in target ? target.claimIds : [];
  const isOne = (selection?.claimIds ?? claimIds).length === 1;
  const memberId = claimIds.length === 1 ? memberOfSubject(claimIds[0] as number) : null;
  if (memberId !== null) return actOnMember(context, workspaceId, memberId, act);
  if (!isOne && isTyped(act)) throw new DeskError('review.amountForMany');
  const left = nothingLeftOut();
  let named: readonly ActedClaim[] = [];
  if (selection === null) {
    await checkReview(ports, workspaceId, act, claimIds);
    named = await readNamed(ports, workspaceId, claimIds, left.leftOut);
  }
  // A decision about a duplicate is stored with both claims.
  if (act.kind === 'judgeDuplicate') named = await pairUp(ports, workspaceId, named, act.otherClaimId);
  let fact = act;
  // For a payment of the open amount, each claim has its amount and day.
  if (act.kind === 'payment' && act.amount === null) fact = { ...act, day: null };
  if (act.kind === 'appeal' && act.due === null)
    fact = { ...act, due: await findAnswerDue(ports, workspaceId, act.day, claimIds) };
  if (ports.isReadOnly) throw new DeskError('profile.busy');
  const parts = selection === null ? [named] : freezer.readSelected(selection, left.leftOut);
  const done = await actOn(workspaceId, parts, {
    fact,
    filter: selection?.filter ?? null,
    left,
    complete: await prepareAmounts(ports, workspaceId, { act, isOne, acceptsEarly, left }),
  });
  if ('selectionId' in target) freezer.selections.remove(target.selectionId);
  return done;
}

/** @throws DeskError `profile.busy`, `team.readOnly` */
async function requireWriting({ ports }: ActContext, workspaceId: string): Promise<void> {
  if (ports.isReadOnly) throw new DeskError('profile.busy');
  await ports.requireWriter?.(workspaceId);
}

/**
 * Refuses a document before its bytes are written.
 *
 * @throws DeskError as `requireWriting`, and `record.unknown` where the claim or the member is not in this workspace
 */
async function checkAttach(context: ActContext, workspaceId: string, claimId: number): Promise<void> {
  await requireWriting(context, workspaceId);
  const { ports } = context;
  const memberId = memberOfSubject(claimId);
  if (memberId === null) await readNamed(ports, workspaceId, [claimId]);
  else await readMemberSubject(ports, workspaceId, memberId, true);
}

/** Whether there is such an event, and this user may undo it. */
async function canUndo({ ports }: ActContext, workspaceId: string, eventId: string): Promise<boolean> {
  const userData = await ports.getUserData(workspaceId);
  const target = await userData.call('findReviewEvent', { workspaceId, id: eventId });
  return target !== null && isOwn(ports, workspaceId, target.event);
}

/**
 * Undoes an event, together with those that were recorded in the same act.
 *
 * @throws DeskError `review.unknown` where there is no such event, or it is already undone, `review.notYours`
 *   where someone else made it on another computer, `run.laterStep`, `team.stillReading`
 */
async function undo(
  { ports, actOn }: ActContext,
  workspaceId: string,
  eventId: string,
  reason?: string,
): Promise<ReviewDone> {
  await ports.requireRead?.(workspaceId);
  const userData = await ports.getUserData(workspaceId);
  const target = await userData.call('findReviewEvent', { workspaceId, id: eventId });
  if (target === null || target.event.isUndone) throw new DeskError('review.unknown');
  const together: (typeof target)[] = [];
  for (const { id } of await findSameAct(ports, workspaceId, target.event)) {
    const undoable = id === eventId ? target : await userData.call('findReviewEvent', { workspaceId, id });
    if (undoable === null) throw new DeskError('review.unknown');
    if (!(await isOwn(ports, workspaceId, undoable.event))) throw new DeskError('review.notYours');
    const { undoes } = undoable.event;
    const undone =
      undoes === null ? null : await userData.call('findReviewEvent', { workspaceId, id: undoes });
    // The bytes of a removed document are deleted; it can be attached again.
    if (undone?.event.fact.kind === 'document') throw new DeskError('review.unknown');
    await checkRunUndo(ports, workspaceId, undoable);
    together.push(undoable);
  }
  const fact = { kind: 'undo', ...(reason === undefined ? {} : { reason }) } as const;
  let done: ReviewDone = { eventId: null, claims: 0, ...nothingLeftOut() };
  for (const { event, claimIds } of together) {
    const parts = inParts(claimIds.map((claimId) => ({ claimId, reviewed: null, digest: null })));
    const { eventId: undone, claims } = await actOn(workspaceId, parts, { fact, undoes: event.id });
    done = { ...done, eventId: undone, claims: done.claims + claims };
  }
  return done;
}

/** The acts of users on claims, appended as events. */
export const createActs = (context: ActContext) => ({
  act: actOnTarget.bind(null, context),
  checkAttach: checkAttach.bind(null, context),
  requireWriting: requireWriting.bind(null, context),
  canUndo: canUndo.bind(null, context),
  undo: undo.bind(null, context),
});
