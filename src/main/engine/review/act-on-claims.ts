import { addDays, localDayOf } from '../../../rules/days.ts';
import { rulesOf } from '../../../rules/money/reimbursement.ts';
import { isCheckable } from '../../../rules/review/acts/check.ts';
import { mayAnswer } from '../../../rules/review/appeals.ts';
import type { ReviewAct, ReviewFact } from '../../../rules/review/event-kinds.ts';
import { actOf } from '../../../rules/review/event-kinds.ts';
import { isRepeated } from '../../../rules/review/fold-review.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';
import type { ReviewDone, ReviewTarget } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ReviewedClaim } from '../store/record/reviewed-claims.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { type EventWriter, inParts } from './append-event.ts';
import type { Freezer } from './freeze-claims.ts';
import { checkPartly, keepAmounts, type LeftOut } from './keep-amounts.ts';
import { checkEarly, checkOpenPayment, checkPayment, isOpenPayment } from './pay-open.ts';
import { listOpenClaims, readMemberSubject } from './phone-calls.ts';
import type { ClaimReader } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { chooseGroups } from './selections.ts';
import type { Settling } from './settle-reviews.ts';
import { keepTwoPeople } from './two-people.ts';
import { checkRunUndo, findSameAct } from './undo-run.ts';
import { withoutNewer } from './without-newer.ts';

/** Appends one event about these claims and updates the rows of lists. No event where there are no claims. */
export const createActOn =
  (ports: ReviewPorts, { append }: EventWriter, { settle }: Settling) =>
  async (
    workspaceId: string,
    parts: AsyncIterable<readonly ActedClaim[]>,
    action: { fact: ReviewFact; filter?: string | null; undoes?: string },
  ): Promise<Pick<ReviewDone, 'eventId' | 'claims' | 'needsSecond'>> => {
    const needsSecond: number[] = [];
    const allowed = keepTwoPeople(ports, workspaceId, parts, { fact: action.fact, needsSecond });
    const done = await append(workspaceId, { ...action, parts: allowed });
    if (done === null) return { eventId: null, claims: 0, needsSecond };
    const { changedIds, ...event } = done;
    // An event that counts again after an undo may be older than the last sync.
    await settle(workspaceId, { claims: changedIds, reopens: action.undoes !== undefined });
    return { ...event, needsSecond };
  };

export type ActOn = ReturnType<typeof createActOn>;

/** A judged pair of claims, each with the other one. @throws DeskError `usage.invalid` where there are not two */
async function pairUp(
  ports: ReviewPorts,
  workspaceId: string,
  claims: readonly ActedClaim[],
  [other]: readonly ActedClaim[],
): Promise<ActedClaim[]> {
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
  readonly claims: ClaimReader;
  readonly freezer: Freezer;
  readonly actOn: ActOn;
}

/** @throws DeskError `note.unknown` where the claim has no such note, `review.notYours` where it is someone else's */
async function checkNote(
  ports: ReviewPorts,
  workspaceId: string,
  act: ReviewAct,
  claimIds: readonly number[],
): Promise<void> {
  const noteId = actOf(act).target?.(act);
  if (noteId === undefined) return;
  const userData = await ports.getUserData(workspaceId);
  const reviews = await userData.call('foldReviews', { workspaceId, claimIds: [...claimIds] });
  const targetNote = reviews[0]?.notes.find((note) => note.id === noteId);
  if (claimIds.length !== 1 || targetNote === undefined) throw new DeskError('note.unknown');
  if (targetNote.author !== (await ports.findAuthor(workspaceId))) throw new DeskError('review.notYours');
}

/** @throws DeskError `review.notToCheck` where the claim is not done, or this person reviewed it */
async function checkSecond(
  ports: ReviewPorts,
  workspaceId: string,
  act: ReviewAct,
  claimIds: readonly number[],
): Promise<void> {
  if (act.kind !== 'check') return;
  const userData = await ports.getUserData(workspaceId);
  const [review, ...others] = await userData.call('foldReviews', { workspaceId, claimIds: [...claimIds] });
  const author = await ports.findAuthor(workspaceId);
  if (review === undefined || others.length > 0 || !isCheckable(review, author))
    throw new DeskError('review.notToCheck');
}

/**
 * Checks the answer to an appeal.
 *
 * @throws DeskError `appeal.unknown` where no such appeal of the claim is open, `appeal.decidedByYou` where this member of a team
 *   decided the claim before the appeal, `usage.invalid` where it is dated before the appeal
 */
async function checkAnswer(
  ports: ReviewPorts,
  workspaceId: string,
  act: ReviewAct,
  claimIds: readonly number[],
): Promise<void> {
  if (act.kind !== 'answerAppeal') return;
  const userData = await ports.getUserData(workspaceId);
  const [review] = await userData.call('foldReviews', { workspaceId, claimIds: [...claimIds] });
  const asked = review?.appeals.find(({ id }) => id === act.appealId);
  if (claimIds.length !== 1 || asked === undefined || asked.answered !== null)
    throw new DeskError('appeal.unknown');
  if (act.day < asked.day) throw new DeskError('usage.invalid');
  const { position } = await userData.call('readTeamLog', { workspaceId });
  if (position !== null && !mayAnswer(asked, await ports.findAuthor(workspaceId)))
    throw new DeskError('appeal.decidedByYou');
}

/** Computes until when an appeal must be answered from the rules of the claim's employer, where no day is given. */
async function dateAppeal(
  ports: ReviewPorts,
  workspaceId: string,
  act: ReviewAct,
  [claimId]: readonly number[],
): Promise<ReviewAct> {
  if (act.kind !== 'appeal' || act.due !== null || claimId === undefined) return act;
  const settings = await ports.getSettings(workspaceId);
  const store = await ports.getStore(workspaceId);
  const asked = { claimIds: [claimId], rules: factRulesOf(settings) };
  const [claim] = await store.read('readEligibleClaims', asked);
  const rules = rulesOf(settings.reimbursementRules, settings.service, claim?.employerId ?? null);
  return { ...act, due: addDays(act.day, rules.answerDays) ?? act.day };
}

const lockNewer = (
  ports: ReviewPorts,
  workspaceId: string,
  act: ReviewAct,
  parts: AsyncIterable<readonly ActedClaim[]>,
  leftOut: number[],
): AsyncIterable<readonly ActedClaim[]> =>
  actOf(act).decidesNothing === true ? parts : withoutNewer(ports, workspaceId, parts, leftOut);

/** Leaves out claims of which the act would change nothing. */
async function* withoutRepeated(
  ports: ReviewPorts,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  fact: ReviewAct,
): AsyncGenerator<readonly ActedClaim[]> {
  if (actOf(fact).setsValues !== true) return yield* parts;
  const made = { id: '', at: '', author: await ports.findAuthor(workspaceId), fact, undoes: null };
  const userData = await ports.getUserData(workspaceId);
  for await (const part of parts) {
    const claimIds = part.map(({ claimId }) => claimId);
    const reviews = await userData.call('foldReviews', { workspaceId, claimIds });
    const reviewOf = new Map(reviews.map((review) => [review.claimId, review]));
    yield part.filter(({ claimId, digest, detail = null }) => {
      const review = reviewOf.get(claimId);
      return review === undefined || !isRepeated(review, { ...made, digest, detail });
    });
  }
}

/** @throws DeskError `record.unknown` where none of the claims is here */
async function readActed(
  { readParts }: ClaimReader,
  workspaceId: string,
  claimIds: readonly number[],
): Promise<ReviewedClaim[]> {
  const claims: ReviewedClaim[] = [];
  for await (const part of readParts(workspaceId, Float64Array.from(new Set(claimIds))))
    claims.push(...part.found);
  if (claims.length === 0) throw new DeskError('record.unknown');
  return claims;
}

/** Appends a note on a member, or a change of one: a new one is linked to the claims of the family that are open. */
async function actOnMember(
  { ports, actOn }: ActContext,
  workspaceId: string,
  memberId: number,
  act: ReviewAct,
): Promise<ReviewDone> {
  if (actOf(act).isOfMember !== true) throw new DeskError('usage.invalid');
  const subject = await readMemberSubject(ports, workspaceId, memberId, act.kind === 'note');
  await checkNote(ports, workspaceId, act, [subject.claimId]);
  const claimIds = act.kind === 'note' ? await listOpenClaims(ports, workspaceId, memberId) : [];
  const fact = act.kind === 'note' ? { ...act, claimIds } : act;
  return { ...(await actOn(workspaceId, inParts([subject]), { fact })), leftOut: [], notKnown: [] };
}

/** Whether an event was made on this computer, or under this person's email on another one. */
const isOwn = async (
  ports: ReviewPorts,
  workspaceId: string,
  { isImported, author }: { readonly isImported: boolean; readonly author: string },
): Promise<boolean> => !isImported || author === (await ports.findAuthor(workspaceId));

/**
 * Appends one act on some claims, given by IDs or by a selection. A judgment about a duplicate is made on one
 * claim and stored with both.
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
  const { ports, claims: reader, freezer, actOn } = context;
  await ports.requireRead?.(workspaceId);
  const refusal = actOf(act).refuse?.(act) ?? null;
  if (refusal !== null) throw new DeskError(refusal === 'incomplete' ? 'review.incomplete' : 'usage.invalid');
  checkOpenPayment(act);
  checkPayment(act, localDayOf(new Date(ports.clock.now())));
  // Its amounts and day are with its claims.
  let fact: ReviewAct = isOpenPayment(act) ? { ...act, day: null } : act;
  const left: LeftOut = { leftOut: [], notKnown: [] };
  if ('selectionId' in target) {
    const selection = chooseGroups(freezer.selections.get(workspaceId, target.selectionId), target.groups);
    if (actOf(act).isOfOneClaim === true) throw new DeskError('usage.invalid');
    const isOne = selection.claimIds.length === 1;
    checkPartly(act, isOne);
    const candidates = freezer.readSelected(selection, left.leftOut);
    const selected = lockNewer(ports, workspaceId, act, candidates, left.leftOut);
    const kept = keepAmounts(ports, workspaceId, selected, { act, isOne, ...left });
    const parts = acceptsEarly ? kept : checkEarly(ports, workspaceId, kept, act);
    const done = await actOn(workspaceId, parts, { fact, filter: selection.filter });
    freezer.selections.remove(target.selectionId);
    return { ...done, ...left };
  }
  const { claimIds } = target;
  const isOne = claimIds.length === 1;
  const memberId = isOne ? memberOfSubject(claimIds[0] as number) : null;
  if (memberId !== null) return actOnMember(context, workspaceId, memberId, act);
  checkPartly(act, isOne);
  await checkNote(ports, workspaceId, act, claimIds);
  await checkSecond(ports, workspaceId, act, claimIds);
  await checkAnswer(ports, workspaceId, act, claimIds);
  fact = await dateAppeal(ports, workspaceId, fact, claimIds);
  let claims: ActedClaim[] = await readActed(reader, workspaceId, claimIds);
  if (act.kind === 'judgeDuplicate') {
    const others = await readActed(reader, workspaceId, [act.otherClaimId]);
    claims = await pairUp(ports, workspaceId, claims, others);
  }
  const foundIds = new Set(claims.map(({ claimId }) => claimId));
  left.leftOut.push(...claimIds.filter((id) => !foundIds.has(id)));
  const allowed = lockNewer(ports, workspaceId, act, inParts(claims), left.leftOut);
  const amounts = keepAmounts(ports, workspaceId, allowed, { act, isOne, ...left });
  const kept = withoutRepeated(ports, workspaceId, amounts, act);
  const parts = acceptsEarly ? kept : checkEarly(ports, workspaceId, kept, act);
  return { ...(await actOn(workspaceId, parts, { fact })), ...left };
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
  const { ports, claims } = context;
  const memberId = memberOfSubject(claimId);
  if (memberId === null) await readActed(claims, workspaceId, [claimId]);
  else await readMemberSubject(ports, workspaceId, memberId, true);
}

/** Whether there is such an event, and this person may undo it. */
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
  let done: ReviewDone = { eventId: null, claims: 0, leftOut: [], notKnown: [], needsSecond: [] };
  for (const { event, claimIds } of together) {
    const parts = inParts(claimIds.map((claimId) => ({ claimId, reviewed: null, digest: null })));
    const { eventId: undone, claims } = await actOn(workspaceId, parts, { fact, undoes: event.id });
    done = { ...done, eventId: undone, claims: done.claims + claims };
  }
  return done;
}

/** The acts of people on claims, appended as events. */
export const createActs = (context: ActContext) => ({
  act: actOnTarget.bind(null, context),
  checkAttach: checkAttach.bind(null, context),
  requireWriting: requireWriting.bind(null, context),
  canUndo: canUndo.bind(null, context),
  undo: undo.bind(null, context),
});
