import { randomUUID } from 'node:crypto';
import type { ReviewFact, TeamFact } from '../../../rules/review/event-kinds.ts';
import type { ReviewedReceipt } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import { queueOf, type SerialQueue } from '../../lib/serial-queue.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataOperations } from '../store/threads/user-data-operations.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { ReopenedClaim } from '../store/user-data/reviews.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { readKnownTime } from './known-time.ts';
import { idsAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';

/** An event about more claims than this is reported to windows without their IDs. */
export const maxReported = 200;

/** Splits claims that are already in memory into the parts of an act. */
export async function* inParts(claims: readonly ActedClaim[]): AsyncGenerator<readonly ActedClaim[]> {
  for (let at = 0; at < claims.length; at += idsAtOnce) yield claims.slice(at, at + idsAtOnce);
}

const readReceipt = async (store: Store): Promise<ReviewedReceipt | null> => {
  const { last, lastComplete } = await store.read('readReceipts', null);
  const receipt = lastComplete ?? last;
  return receipt === null ? null : { runId: receipt.runId, finishedAt: receipt.finishedAt };
};

interface EventContext {
  readonly ports: ReviewPorts;
  /** Runs one task at a time for each file, because the claims of a large act are written in parts. */
  readonly inTurn: <T>(userData: UserDataStore, task: () => Promise<T>) => Promise<T>;
}

/**
 * Appends one event about these claims; a part is read while the previous one is written. Null where there are no
 * claims. At most `maxReported` claims are reported by ID.
 */
async function append(
  { ports, inTurn }: EventContext,
  workspaceId: string,
  draft: {
    readonly fact: ReviewFact;
    readonly parts: AsyncIterable<readonly ActedClaim[]>;
    readonly filter?: string | null;
    readonly undoes?: string | null;
  },
): Promise<{ eventId: string; claims: number; changedIds: number[] } | null> {
  if (ports.isReadOnly) throw new DeskError('profile.busy');
  const userData = await ports.getUserData(workspaceId);
  // Who may only read can still undo what the team never got.
  const isOfUnsent =
    draft.undoes != null && (await userData.call('listUnsentActs', { workspaceId })).includes(draft.undoes);
  if (!isOfUnsent) await ports.requireWriter?.(workspaceId);
  const [store, author] = await Promise.all([ports.getStore(workspaceId), ports.findAuthor(workspaceId)]);
  return inTurn(userData, async () => {
    const id = randomUUID();
    let [claims, isStaged]: [number, boolean] = [0, false];
    let last: readonly ActedClaim[] = [];
    const changedIds: number[] = [];
    try {
      for await (const part of draft.parts) {
        if (part.length === 0) continue;
        if (last.length > 0) {
          await userData.call('stageClaims', { id, claims: last, isFirst: !isStaged });
          isStaged = true;
        }
        last = part;
        claims += part.length;
        if (changedIds.length <= maxReported) changedIds.push(...part.map(({ claimId }) => claimId));
      }
      if (claims === 0) return null;
      await userData.call('appendReview', {
        workspaceId,
        id,
        nowMs: await readKnownTime(ports, workspaceId),
        author,
        fact: draft.fact,
        filter: draft.filter ?? null,
        undoes: draft.undoes ?? null,
        receipt: await readReceipt(store),
        claims: last,
        isStaged,
      });
    } catch (thrown) {
      if (isStaged) await userData.call('dropStaged', null).catch(() => undefined);
      throw thrown;
    }
    return { eventId: id, claims, changedIds };
  });
}

/** Appends an event of a team about no claim; returns its ID. */
async function appendTeamFact(
  { ports, inTurn }: EventContext,
  workspaceId: string,
  fact: TeamFact,
): Promise<string> {
  if (ports.isReadOnly) throw new DeskError('profile.busy');
  const userData = await ports.getUserData(workspaceId);
  const author = await ports.findAuthor(workspaceId);
  return inTurn(userData, async () => {
    const id = randomUUID();
    const nowMs = await readKnownTime(ports, workspaceId);
    const none = { filter: null, undoes: null, receipt: null, claims: [], isStaged: false };
    await userData.call('appendReview', { workspaceId, id, nowMs, author, fact, ...none });
    return id;
  });
}

/**
 * Appends one event for each of these claims, which changed since their review. Returns the claims of which another
 * computer's event about the same change is here already.
 */
async function appendReopened(
  { ports, inTurn }: EventContext,
  workspaceId: string,
  claims: readonly ReopenedClaim[],
): Promise<ReadonlySet<number>> {
  const [store, userData, author] = await Promise.all([
    ports.getStore(workspaceId),
    ports.getUserData(workspaceId),
    ports.findAuthor(workspaceId),
  ]);
  return inTurn(userData, async () => {
    const { known } = await userData.call('appendReopened', {
      workspaceId,
      nowMs: await readKnownTime(ports, workspaceId),
      author,
      receipt: await readReceipt(store),
      claims,
    });
    return new Set(known);
  });
}

/** Appends an event for each of these acts, which are about one claim each; see `appendEach` of the user data file. */
async function appendEach(
  { ports, inTurn }: EventContext,
  workspaceId: string,
  acts: Parameters<UserDataOperations['appendEach']>[0]['acts'],
): Promise<ReturnType<UserDataOperations['appendEach']>> {
  const [store, userData, author] = await Promise.all([
    ports.getStore(workspaceId),
    ports.getUserData(workspaceId),
    ports.findAuthor(workspaceId),
  ]);
  return inTurn(userData, async () =>
    userData.call('appendEach', {
      workspaceId,
      nowMs: await readKnownTime(ports, workspaceId),
      author,
      receipt: await readReceipt(store),
      acts,
    }),
  );
}

/** Appends events of reviews to the user data file. */
export function createEventWriter(ports: ReviewPorts) {
  const appending = new WeakMap<UserDataStore, SerialQueue>();
  const inTurn: EventContext['inTurn'] = (userData, task) => queueOf(appending, userData)(task);
  const context = { ports, inTurn };
  return {
    inTurn,
    append: append.bind(null, context),
    appendTeamFact: appendTeamFact.bind(null, context),
    appendReopened: appendReopened.bind(null, context),
    appendEach: appendEach.bind(null, context),
  };
}

export type EventWriter = ReturnType<typeof createEventWriter>;
