import { randomUUID } from 'node:crypto';
import { kindOf, type ReviewFact } from '../../../rules/review/event-kinds.ts';
import { type FoldedEvent, isRepeated } from '../../../rules/review/fold-review.ts';
import type { ReviewDone } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { type EventWriter, maxReported, readOrigin } from './append-event.ts';
import type { ReviewPorts } from './review-ports.ts';
import { openTwoPeopleRule } from './two-people.ts';
import type { ReviewUpdater } from './update-reviews.ts';

/** The claims that an act leaves out (`reviewDoneSchema`). */
export type LeftOut = Pick<ReviewDone, 'leftOut' | 'notKnown' | 'needsSecond' | 'unchanged'>;
export const nothingLeftOut = (): LeftOut => ({ leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 });

type Claims = readonly ActedClaim[];

/** The claims of an act, one part in memory at a time. */
type Parts = Iterable<Claims> | AsyncIterable<Claims>;

/** An act on claims that are read in parts. */
interface Act {
  readonly fact: ReviewFact;
  readonly filter?: string | null;
  readonly undoes?: string;
  /** Receives the claims that are left out. */
  readonly left?: LeftOut;
  /** Adds the values to store to some claims, and leaves out claims without them. */
  readonly complete?: (claims: Claims) => Promise<Claims>;
}

/** The claims without an entry of a newer version, which may be a decision; `leftOut` receives the other IDs. */
export async function withoutNewer(
  ports: Pick<ReviewPorts, 'getUserData'>,
  workspaceId: string,
  claims: Claims,
  leftOut: number[],
): Promise<Claims> {
  const userData = await ports.getUserData(workspaceId);
  const claimIds = claims.map(({ claimId }) => claimId);
  const newer = new Set(await userData.call('findNewer', { workspaceId, claimIds }));
  leftOut.push(...newer);
  return newer.size === 0 ? claims : claims.filter(({ claimId }) => !newer.has(claimId));
}

/**
 * Checks each claim once against its review, and yields those that the event is about. The others are left out: claims
 * with an entry of a newer version, claims whose values the act would not change, and claims for which the team's rule
 * requires a second person.
 * @throws DeskError `review.newer`, `review.needsSecond` where no claim is left for this reason, and as `complete`
 */
async function* checkClaims(
  ports: ReviewPorts,
  workspaceId: string,
  parts: Parts,
  { fact, complete, left = nothingLeftOut() }: Act,
): AsyncGenerator<Claims> {
  const userData = await ports.getUserData(workspaceId);
  const findBroken = await openTwoPeopleRule(ports, workspaceId, fact);
  const { decidesNothing, setsValues } = kindOf(fact);
  const event = { id: '', at: '', author: await ports.findAuthor(workspaceId), fact, undoes: null };
  let [hasNewer, hasOlder, hasBroken, hasAny] = [false, false, false, false];
  for await (const part of parts) {
    const older = decidesNothing === true ? part : await withoutNewer(ports, workspaceId, part, left.leftOut);
    hasNewer ||= older.length < part.length;
    hasOlder ||= older.length > 0;
    const completed = complete === undefined ? older : await complete(older);
    const claimIds = completed.map(({ claimId }) => claimId);
    const isFolded = claimIds.length > 0 && (setsValues === true || findBroken !== null);
    const reviews = isFolded ? await userData.call('foldReviews', { workspaceId, claimIds }) : [];
    const reviewOf = new Map(reviews.map((review) => [review.claimId, review]));
    const ready = completed.filter(({ claimId, digest, detail = null }) => {
      const review = reviewOf.get(claimId);
      if (review === undefined) return true;
      const made: FoldedEvent = { ...event, digest, detail };
      const isUnchanged = isRepeated(review, made);
      const isBroken = !isUnchanged && (findBroken?.(review, made) ?? null) !== null;
      if (isUnchanged) left.unchanged += 1;
      if (isBroken) left.needsSecond.push(claimId);
      hasBroken ||= isBroken;
      return !isUnchanged && !isBroken;
    });
    hasAny ||= ready.length > 0;
    if (ready.length > 0) yield ready;
  }
  if (hasNewer && !hasOlder) throw new DeskError('review.newer');
  if (hasBroken && !hasAny) throw new DeskError('review.needsSecond');
}

/**
 * Appends one event about the claims that pass the checks, and updates the rows of lists; each part is read while the
 * previous one is written. It appends no event if no claim is left.
 */
export const createActOn =
  (ports: ReviewPorts, { inTurn }: EventWriter, { update }: ReviewUpdater) =>
  async (workspaceId: string, parts: Parts, act: Act): Promise<ReviewDone> => {
    const { fact, filter = null, undoes = null, left = nothingLeftOut() } = act;
    if (ports.isReadOnly) throw new DeskError('profile.busy');
    const userData = await ports.getUserData(workspaceId);
    // A user who may only read can still undo what the team never received.
    const isOfUnsent =
      undoes !== null && (await userData.call('listUnsentActs', { workspaceId })).includes(undoes);
    if (!isOfUnsent) await ports.requireWriter?.(workspaceId);
    const id = randomUUID();
    let [claims, isStaged]: [number, boolean] = [0, false];
    const changedIds: number[] = [];
    await inTurn(userData, async () => {
      let last: Claims = [];
      try {
        for await (const part of checkClaims(ports, workspaceId, parts, { ...act, left })) {
          if (last.length > 0) {
            await userData.call('stageClaims', { id, claims: last, isFirst: !isStaged });
            isStaged = true;
          }
          last = part;
          claims += part.length;
          if (changedIds.length <= maxReported) changedIds.push(...part.map(({ claimId }) => claimId));
        }
        if (claims === 0) return;
        const event = { ...(await readOrigin(ports, workspaceId)), id, fact, filter, undoes };
        await userData.call('appendReview', { ...event, claims: last, isStaged });
      } catch (thrown) {
        if (isStaged) await userData.call('dropStaged', null).catch(() => undefined);
        throw thrown;
      }
    });
    // An event that counts again after an undo may be older than the last sync.
    if (claims > 0) await update(workspaceId, { claims: changedIds, reopens: undoes !== null });
    return { eventId: claims > 0 ? id : null, claims, ...left };
  };

export type ActOn = ReturnType<typeof createActOn>;
