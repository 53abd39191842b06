import { isLeftOut } from '../../../rules/review/team-settings.ts';
import type { TeamHeadReply } from '../../../team-protocol/api.ts';
import { certifiedComputer, readCertificateBody } from '../../../team-protocol/certificate.ts';
import { findMember, type MembershipAct } from '../../../team-protocol/membership.ts';
import { DeskError } from '../../lib/errors.ts';
import { createSerialQueue } from '../../lib/serial-queue.ts';
import { acknowledge, applyRemovals, findRemovedClaims } from './apply-removals.ts';
import { certifyNewSshKey, renewDueKey } from './due-memberships.ts';
import { giveBack } from './give-back.ts';
import { holdTeamSettings, readSettingsBefore } from './hold-team-settings.ts';
import { isLowered, repeatChange } from './kept-members.ts';
import { findRemovedBy } from './known-removals.ts';
import { writeMembershipEntry } from './membership-entry.ts';
import { openLog } from './pull-log.ts';
import { type PushPorts, pushEvents, pushMissing } from './push-events.ts';
import { readLog } from './read-log.ts';
import { isReader } from './require-writer.ts';
import { sayWentBack } from './rewound-logs.ts';
import { answerOf, createTeamClient } from './team-client.ts';
import { createTeamDocuments, fetchDocument } from './team-documents.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';
import type { News } from './wait-for-news.ts';
import { tendCheckpoints } from './write-checkpoint.ts';
import { completeRemovals, type RemovalAuthor, removeForTeam } from './write-removal.ts';

interface SessionState extends RemovalAuthor {
  readonly ports: TeamPorts;
  readonly push: PushPorts;
  /** The minimum version that may send to the team, as far as its log was read. */
  minVersion: string | null;
}

/**
 * If the server's log differs from the one that was read here, because it was restored from a backup: goes back to the
 * last number up to which both are the same, from where lost entries are sent again. Returns the server's head.
 */
async function heal({ ports, client, log }: SessionState): Promise<TeamHeadReply> {
  const head = await client.head();
  const { number, hash } = log.state.position;
  // The server may have lost only parts, and received others since.
  log.state.position = { ...log.state.position, parts: 0 };
  if (number === 0) return head;
  const isSame = async (at: number, mine: string): Promise<boolean> =>
    (await client.entries(at - 1, { count: 1 }))[0]?.hash === mine;
  if (head.number === number ? head.hash === hash : head.number > number && (await isSame(number, hash)))
    return head;
  let [low, high] = [0, Math.min(number, head.number)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [mine] = await log.readHashes(middle);
    if (mine !== undefined && (await isSame(middle, mine.hash))) low = middle;
    else high = middle - 1;
  }
  await log.rewind(low, number);
  ports.onFailed(new DeskError('team.serverDiffers', { details: { number, common: low } }));
  return head;
}

/** The most memberships that are sent in one exchange. */
const maxDue = 50;

/**
 * Sends the memberships that this computer has to make, including those that the server lost. They are sent one after
 * another, each after the previous one was read. One that another computer sent in the meantime is refused.
 */
async function postDue(session: SessionState, isStart: boolean): Promise<void> {
  const { ports, client, log, computer } = session;
  const findNext = async (): Promise<MembershipAct | null> => {
    const { members, kept } = log.state;
    const repeated = repeatChange(members, kept, computer);
    if (repeated !== null) return repeated;
    const [due = null] = renewDueKey(members, computer);
    if (due !== null || !isStart) return due;
    return (await certifyNewSshKey(ports.main, session, members))[0] ?? null;
  };
  for (let count = 0; count < maxDue; count += 1) {
    const act = await findNext();
    if (act === null) return;
    const { results } = await client.post([await writeMembershipEntry(ports, session, act)]);
    await log.pull();
    if (results.some((result) => 'error' in result && result.error.code !== 'entry.notInPlace')) return;
  }
}

/** Updates what depends on the log: first the settings, because reviews and worklists are computed from them. */
async function updateReviews(session: SessionState): Promise<void> {
  const { ports, workspaceId } = session;
  session.minVersion = await holdTeamSettings(ports, workspaceId);
  await ports.updateReviews(workspaceId);
}

/** Carries out removals here, before anything is sent, and acknowledges them. Admins complete them. */
async function carryOutRemovals(session: SessionState, isStart: boolean): Promise<void> {
  const { ports, workspaceId, log, computer } = session;
  if (await applyRemovals(ports, session, isStart)) {
    await updateReviews(session);
    ports.onChanged(workspaceId);
  }
  const isAcknowledged = await acknowledge(session);
  const isAdmin = findMember(log.state.members.members, computer)?.role === 'admin';
  const isCompleted =
    isAdmin &&
    (await completeRemovals(session, {
      isStart,
      findClaims: (rule) => findRemovedClaims(ports, workspaceId, [rule], () => false),
      endDue: (ids) => session.push.userData.call('endDue', { workspaceId, ids }),
    }));
  if (isAcknowledged || isCompleted) await log.pull();
  if (isCompleted) await carryOutRemovals(session, false);
  if (isAcknowledged) ports.onChanged(workspaceId);
}

/** Sends what the log lacks. @throws DeskError as `pushEvents` */
async function sendEvents(session: SessionState) {
  const { ports, workspaceId, client, log, push } = session;
  try {
    return await pushEvents(push, log.state, client);
  } catch (thrown) {
    if (answerOf(thrown) === 'removal.notSeen') {
      // Something was removed in the meantime: this computer removes it, then sends what is left.
      await log.pull();
      await carryOutRemovals(session, false);
      return pushEvents(push, log.state, client);
    }
    if (answerOf(thrown) !== 'entry.ahead') throw thrown;
    // Unsent events with times from a clock that was ahead get the server's time, and are sent next time. A server
    // whose clock is behind can't date them before the claims were read.
    await log.pull();
    const readAt = await (await ports.getStore(workspaceId)).read('readNotedRead', null);
    const nowMs = Math.max(client.now(), readAt === null ? 0 : Date.parse(readAt));
    await push.userData.call('restampUnsent', { workspaceId, nowMs });
    throw thrown;
  }
}

/** Reads new entries and sends unsent ones, once; see `TeamSession`. */
async function exchange(session: SessionState, lastHead: News | null): Promise<void> {
  const { ports, workspaceId, computer, client, log, push } = session;
  const { number, parts } = log.state.position;
  const isOlder = lastHead === null || lastHead.number < number || lastHead.parts < parts;
  const head = isOlder ? await heal(session) : lastHead;
  const { members } = log.state.members;
  const { length: removals } = log.state.removals.all;
  const isNew = isOlder || head.number !== number || head.parts > parts;
  const isChanged = (isNew || log.state.waiting.size > 0) && (await log.pull(head));
  if (isChanged || log.state.position.isRead === 0) await updateReviews(session);
  else if (lastHead === null) session.minVersion = await holdTeamSettings(ports, workspaceId);
  await log.keepRead(head.number);
  // No entry here waits for parts, so all of the server's parts count as read.
  if (log.state.waiting.size === 0) log.state.position = { ...log.state.position, parts: head.parts };
  // It may be an acknowledgement, which the list of removals shows, or a document that arrived at the server.
  const hasParts = lastHead !== null && head.parts > parts;
  if (hasParts || log.state.members.members !== members || log.state.removals.all.length !== removals)
    ports.onChanged(workspaceId);
  const isRemoved = isLowered(log.state.kept, computer, 'reader');
  if (isRemoved || findMember(log.state.members.members, computer) === null)
    throw new DeskError('team.notMember');
  if ((await giveBack(push, log, client)) && (await log.pull())) await updateReviews(session);
  await sayWentBack(ports, session);
  await carryOutRemovals(session, lastHead === null);
  await postDue(session, lastHead === null);
  const { minVersion } = session;
  if (minVersion !== null && isLeftOut(await ports.main.getVersion(), minVersion))
    throw new DeskError('team.updateNeeded', { details: { minVersion } });
  await pushMissing(push, log.state, client);
  // A reader's earlier acts stay here, and can be undone.
  const sent = isReader(session) ? null : await sendEvents(session);
  if (sent !== null) {
    await log.pull(sent);
    await updateReviews(session);
  }
  if (await log.isServerAhead()) throw new DeskError('team.clockDiffers');
}

/** Lists are updated after this many pages of the log before a checkpoint. */
const pagesAtOnce = 20;

/** `onSending`: see `PushPorts`. @throws DeskError `team.none` */
export async function openSession(
  ports: TeamPorts,
  workspaceId: string,
  onSending: PushPorts['onSending'] = () => undefined,
): Promise<TeamSession> {
  const { main, clock } = ports;
  const { workspace } = await main.findWorkspace(workspaceId);
  if (workspace.team === undefined) throw new DeskError('team.none');
  const { server, id: team } = workspace.team;
  const certificate = readCertificateBody((await main.certifyComputer({ workspaceId, team })).body);
  if (certificate === null) throw new DeskError('internal.fault');
  const computer = certifiedComputer(certificate);
  const client = createTeamClient({
    ...{ server, team, clock },
    transport: ports.transportOf(workspaceId),
    getToken: (tokenRequest) => main.getTeamToken({ workspaceId, ...tokenRequest }),
  });
  const members = {
    computer,
    checkCertificate: main.checkCertificate,
    async openGrant(generation: number, grant: string) {
      const key = await main.openGrant({ workspaceId, generation, grant });
      return key === null ? null : Buffer.from(key, 'base64');
    },
  };
  await readSettingsBefore(ports, workspaceId);
  const log = await openLog({ ...ports, workspaceId, team, members }, client);
  const userData = await ports.getUserData(workspaceId);
  const push = { workspaceId, team, computer, main, userData, onSending };
  const author = { workspaceId, team, computer, client, log, main };
  const state: SessionState = { ...author, ports, push, minVersion: null };
  /** Pages of the log before a checkpoint that lists do not show yet. */
  let pagesWaiting = 0;
  const session = { workspaceId, team, computer, client, log };
  /** One exchange at a time: each continues where the previous one ended. */
  const inTurn = createSerialQueue();
  return {
    ...{ workspaceId, server, team, computer, client, log },
    documents: createTeamDocuments(ports, session, userData),
    fetchDocument: (document) => fetchDocument(session, userData, document),
    isRemoved: () => findRemovedBy(log.state.removals, team, log.state.members.keys),
    readLog: (exportedAt, findLeftOut) => readLog({ client, team, members, exportedAt }, findLeftOut),
    exchange: (lastHead = null) => inTurn(() => exchange(state, lastHead)),
    removeForTeam: (removal) => inTurn(() => removeForTeam(state, removal)),
    readBehind: () =>
      inTurn(async () => {
        if (log.state.behind === null) return false;
        const isMore = await log.readBehind();
        pagesWaiting += 1;
        if (isMore && pagesWaiting < pagesAtOnce) return true;
        pagesWaiting = 0;
        await updateReviews(state);
        if (!isMore) ports.onChanged(workspaceId);
        return isMore;
      }),
    tendCheckpoints: (every) =>
      inTurn(() =>
        tendCheckpoints(
          { ports: { ...ports, workspaceId, team, members }, client, userData, state: log.state, push },
          every,
        ),
      ),
  };
}
