import { randomUUID } from 'node:crypto';
import type { TeamFact } from '../../../rules/review/event-kinds.ts';
import { DeskError } from '../../lib/errors.ts';
import { queueOf, type SerialQueue } from '../../lib/serial-queue.ts';
import type { UserDataOperations } from '../store/threads/user-data-operations.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { EventOrigin, ReopenedClaim } from '../store/user-data/reviews.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { readKnownTime } from './known-time.ts';
import { idsAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';

/** An event about more claims than this is reported to windows without their IDs. */
export const maxReported = 200;

/** Splits very many claims that are in memory into the parts of an act. */
export function* inParts(claims: readonly ActedClaim[]): Generator<readonly ActedClaim[]> {
  for (let at = 0; at < claims.length; at += idsAtOnce) yield claims.slice(at, at + idsAtOnce);
}

/** Who makes an event now, when, and with which sync's receipt: the last complete one, otherwise the last one. */
export async function readOrigin(ports: ReviewPorts, workspaceId: string): Promise<EventOrigin> {
  const store = await ports.getStore(workspaceId);
  const { last, lastComplete } = await store.read('readReceipts', null);
  const sync = lastComplete ?? last;
  return {
    workspaceId,
    author: await ports.findAuthor(workspaceId),
    nowMs: await readKnownTime(ports, workspaceId),
    receipt: sync === null ? null : { runId: sync.runId, finishedAt: sync.finishedAt },
  };
}

interface EventContext {
  readonly ports: ReviewPorts;
  /** Runs one task at a time for each file, because the claims of a large act are written in parts. */
  readonly inTurn: <T>(userData: UserDataStore, task: () => Promise<T>) => Promise<T>;
}

/** Appends a team's event about no claim; returns its ID. */
async function appendTeamFact(
  { ports, inTurn }: EventContext,
  workspaceId: string,
  fact: TeamFact,
): Promise<string> {
  if (ports.isReadOnly) throw new DeskError('profile.busy');
  const userData = await ports.getUserData(workspaceId);
  return inTurn(userData, async () => {
    const id = randomUUID();
    const none = { filter: null, undoes: null, receipt: null, claims: [], isStaged: false };
    await userData.call('appendReview', { ...(await readOrigin(ports, workspaceId)), id, fact, ...none });
    return id;
  });
}

/**
 * Appends one event for each of these claims, which changed since their review. Returns the claims for which another
 * computer's event about the same change is already here.
 */
async function appendReopened(
  { ports, inTurn }: EventContext,
  workspaceId: string,
  claims: readonly ReopenedClaim[],
): Promise<ReadonlySet<number>> {
  const userData = await ports.getUserData(workspaceId);
  return inTurn(userData, async () => {
    const origin = await readOrigin(ports, workspaceId);
    return new Set((await userData.call('appendReopened', { ...origin, claims })).known);
  });
}

/** Appends an event for each of these acts, each about one claim; see `appendEach` of the user data file. */
async function appendEach(
  { ports, inTurn }: EventContext,
  workspaceId: string,
  acts: Parameters<UserDataOperations['appendEach']>[0]['acts'],
): Promise<ReturnType<UserDataOperations['appendEach']>> {
  const userData = await ports.getUserData(workspaceId);
  return inTurn(userData, async () =>
    userData.call('appendEach', { ...(await readOrigin(ports, workspaceId)), acts }),
  );
}

/** Appends events of reviews to the user data file. */
export function createEventWriter(ports: ReviewPorts) {
  const appending = new WeakMap<UserDataStore, SerialQueue>();
  const inTurn: EventContext['inTurn'] = (userData, task) => queueOf(appending, userData)(task);
  const context = { ports, inTurn };
  return {
    inTurn,
    appendTeamFact: appendTeamFact.bind(null, context),
    appendReopened: appendReopened.bind(null, context),
    appendEach: appendEach.bind(null, context),
  };
}

export type EventWriter = ReturnType<typeof createEventWriter>;
