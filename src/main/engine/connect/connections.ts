import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import type { Output } from '../../../contract/procedures.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { ConnectionReply, PolicyHolderReply } from '../service/connect/connect-replies.ts';
import { compareConnections } from './assess-connection.ts';
import type {
  ConnectData,
  StoredConnection,
  StoredConsent,
  StoredValidation,
  StoredVerdict,
} from './connect-file.ts';
import { consentsThatHold } from './consents.ts';
import { emailKey, isOfConnection, isSameEmail, membersWith } from './find-stored.ts';
import { toCarrierConnection, toStored, withHolder } from './stored-connection.ts';
import { nowText, type WorkspaceConnect } from './workspace-connect.ts';

/** The parts of a workspace's Connect that reading connections needs. */
type Context = Pick<WorkspaceConnect, 'integration' | 'file' | 'clock'>;

/** Concurrent requests when all members of a workspace are refreshed. */
const membersAtOnce = 4;
/** How many refreshed members are stored at once: each write encrypts all connections, sometimes thousands. */
const membersAWrite = 100;

type ReadMember = Awaited<ReturnType<typeof completeReplies>>;

const describe = ({ clock }: Context, data: ConnectData, row: StoredConnection): CarrierConnection =>
  toCarrierConnection(row, membersWith(data, row.scope, row.email)[0], clock.now());

/** Returns connections as last read: a member's, those with these IDs (perhaps another member's), or all. */
export async function listConnections(
  { integration, file, clock }: Context,
  email?: string,
  policyHolderIds?: readonly number[],
): Promise<CarrierConnection[]> {
  const { scope } = await integration.open();
  const { members, connections } = await file.read();
  const isOfAll = email === undefined && policyHolderIds === undefined;
  const ids = new Set(policyHolderIds);
  const rows = connections.filter(
    (connection) =>
      connection.scope === scope &&
      (isOfAll ||
        ids.has(connection.policyHolderId) ||
        (email !== undefined && isSameEmail(connection.email, email))),
  );
  const emails = new Set(rows.map((connection) => emailKey(connection.email)));
  // Members are indexed by email: searching all members for each of thousands of connections took most of a second.
  const owners = new Map<string, ConnectMember>();
  for (const member of members.filter(
    (candidate) => candidate.scope === scope && emails.has(emailKey(candidate.email)),
  )) {
    const owner = owners.get(emailKey(member.email));
    if (owner === undefined || owner.bootstrappedAt <= member.bootstrappedAt)
      owners.set(emailKey(member.email), member);
  }
  return rows
    .map((connection) => toCarrierConnection(connection, owners.get(emailKey(connection.email)), clock.now()))
    .sort(compareConnections);
}

/** @throws DeskError `connect.notFound` where no connection with this number is known here */
export async function findConnection(
  { integration, file }: Context,
  policyHolderId: number,
): Promise<StoredConnection> {
  const { scope } = await integration.open();
  const connection = (await file.read()).connections.find(isOfConnection({ scope, policyHolderId }));
  if (connection === undefined) throw new DeskError('connect.notFound');
  return connection;
}

/**
 * Reads a policy holder. The service finds it only under the employer that the member has it with, which no list
 * contains.
 */
async function readHolder(
  { integration, file }: Context,
  email: string,
  policyHolderId: number,
): Promise<PolicyHolderReply & { readonly employerId: number }> {
  const { api, scope } = await integration.open();
  for (const { employer } of membersWith(await file.read(), scope, email)) {
    const reply = await api
      .readPolicyHolder({ email, employerId: employer.id, policyHolderId })
      .catch((thrown: unknown) => {
        if (toDeskError(thrown).code === 'connect.notFound') return null;
        throw thrown;
      });
    if (reply !== null) return { ...reply.data, employerId: employer.id };
  }
  throw new DeskError('connect.notFound');
}

/**
 * Adds to a member's connections from a list what only a single connection returns: the carrier's reason and its
 * claims.
 */
async function completeReplies(connect: Context, email: string, replies: readonly ConnectionReply[]) {
  const readAt = nowText(connect);
  const holders = await Promise.all(
    replies.map(async (reply) => {
      if (reply.task_id !== null) return { reply, holder: null };
      return { reply, holder: await readHolder(connect, email, reply.id).catch(() => null) };
    }),
  );
  return { email, readAt, holders };
}

/** Stores the connections of members; a connection that could not be read keeps its known values. */
async function storeRead({ file }: Context, scope: string, read: readonly ReadMember[]): Promise<void> {
  const emails = new Set(read.map(({ email }) => emailKey(email)));
  const isOfMembers = (connection: StoredConnection): boolean =>
    connection.scope === scope && emails.has(emailKey(connection.email));
  await file.update((current) => {
    // The connections are read again, because another call may have finished in between.
    const before = new Map(
      current.connections.filter(isOfMembers).map((connection) => [connection.policyHolderId, connection]),
    );
    const rows = read.flatMap(({ email, readAt, holders }) =>
      holders.map(({ reply, holder }) => {
        const row = toStored(reply, { scope, email, readAt }, before.get(reply.id));
        return holder === null ? row : withHolder(row, holder, readAt);
      }),
    );
    return {
      ...current,
      connections: [...current.connections.filter((connection) => !isOfMembers(connection)), ...rows],
    };
  });
}

/** Stores a member's connections as a reply listed them. */
export async function storeReplies(
  connect: Context,
  email: string,
  replies: readonly ConnectionReply[],
): Promise<void> {
  const { scope } = await connect.integration.open();
  await storeRead(connect, scope, [await completeReplies(connect, email, replies)]);
}

/** `GET /fix-credentials`; needs the secret key. */
async function readList({ integration }: Context, email: string): Promise<ConnectionReply[]> {
  const { api } = await integration.open();
  return (await api.readConnections(email)).data;
}

async function readMember(connect: Context, email: string): Promise<ConnectionReply[]> {
  const replies = await readList(connect, email);
  await storeReplies(connect, email, replies);
  return replies;
}

/** A connection that was just read, with its validation, and the employer under which it was found. */
export type ConnectionWithTask = Awaited<ReturnType<typeof readConnection>>;

/**
 * Reads one connection again, without the secret key.
 * @throws DeskError `connect.notFound`, `connect.*`, `service.*`
 */
export async function readConnection(connect: Context, policyHolderId: number) {
  const connection = await findConnection(connect, policyHolderId);
  const holder = await readHolder(connect, connection.email, policyHolderId);
  const row = withHolder(connection, holder, nowText(connect));
  const isThis = isOfConnection(row);
  const data = await connect.file.update((held) => ({
    ...held,
    connections: [...held.connections.filter((entry) => !isThis(entry)), row],
  }));
  const { employerId, task_id: taskId, task_token: taskToken } = holder;
  return { connection: describe(connect, data, row), employerId, taskId, taskToken };
}

/** Fields of a connection that are unknown after its login was submitted. */
const untold = {
  payerGroupId: null,
  usernameHint: null,
  loginProblem: null,
  needsCorrection: false,
  correctionMessage: null,
  lastSuccessAt: null,
  claimsSynced: null,
  newestClaimOn: null,
  createdAt: null,
  isRunning: true,
  verdict: null,
} as const;

/**
 * Stores a connection whose login was submitted, until the service returns more. The earlier login's verdict no longer
 * counts.
 */
export async function saveSubmitted(
  { file }: Context,
  { scope, policyHolderId, email, payerId, payerName, startedAt }: StoredValidation,
  consent: StoredConsent | null,
): Promise<void> {
  const row = { ...untold, scope, policyHolderId, email, payerId, payerName, consent, readAt: startedAt };
  await file.update((current) => {
    const before = current.connections.find(isOfConnection(row));
    const others = current.connections.filter((connection) => connection !== before);
    const stored = before === undefined ? row : { ...before, verdict: null, consent };
    return { ...current, connections: [...others, stored] };
  });
}

/** Stores how a validation of a known connection ended. */
export async function saveVerdict(
  { file }: Context,
  target: Pick<StoredConnection, 'scope' | 'policyHolderId'>,
  verdict: StoredVerdict,
): Promise<void> {
  const isThis = isOfConnection(target);
  await file.update((current) => ({
    ...current,
    connections: current.connections.map((connection) =>
      isThis(connection) ? { ...connection, verdict } : connection,
    ),
  }));
}

/**
 * Starts a correction: returns the current connection, its username, and the member's consents where these still hold.
 * The username is not stored; it is null without the secret key, since only a call with it returns it.
 */
export async function beginCorrection(
  connect: WorkspaceConnect,
  policyHolderId: number,
): Promise<Output<'connect:beginCorrection'>> {
  const { hasSecret } = await connect.integration.open();
  const stored = await findConnection(connect, policyHolderId);
  const consents = await consentsThatHold(connect, stored);
  if (!hasSecret)
    return {
      connection: (await readConnection(connect, policyHolderId)).connection,
      username: null,
      consents,
    };
  const replies = await readMember(connect, stored.email);
  const data = await connect.file.read();
  const username = replies.find(({ id }) => id === policyHolderId)?.username ?? null;
  const connection = describe(connect, data, await findConnection(connect, policyHolderId));
  return { connection, username, consents };
}

/**
 * Reads the connections of one member, or of all, again; members that cannot be read keep their known connections.
 * @throws DeskError `connect.secretMissing`; for one member `connect.memberUnknown`, `connect.*`, `service.*`
 */
export async function refreshConnections(
  connect: Context,
  email?: string,
): Promise<{ email: string; code: string }[]> {
  const { hasSecret, scope } = await connect.integration.open();
  if (!hasSecret) throw new DeskError('connect.secretMissing');
  const data = await connect.file.read();
  if (email !== undefined) {
    const [owner] = membersWith(data, scope, email);
    if (owner === undefined) throw new DeskError('connect.memberUnknown');
    await readMember(connect, owner.email);
    return [];
  }
  const members = data.members.filter((member) => member.scope === scope);
  const emails = [...new Set(members.map((member) => member.email.toLowerCase()))];
  const failures: { email: string; code: string }[] = [];
  const read: ReadMember[] = [];
  const work = async (): Promise<void> => {
    for (let next = emails.shift(); next !== undefined; next = emails.shift()) {
      const asked = next;
      try {
        read.push(await completeReplies(connect, asked, await readList(connect, asked)));
      } catch (thrown) {
        failures.push({ email: asked, code: toDeskError(thrown).code });
      }
      if (read.length >= membersAWrite) await storeRead(connect, scope, read.splice(0));
    }
  };
  await Promise.all(Array.from({ length: membersAtOnce }, work));
  if (read.length > 0) await storeRead(connect, scope, read);
  return failures;
}
