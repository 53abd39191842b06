import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { ConnectionReply, PolicyHolderReply } from '../service/connect/connect-replies.ts';
import type {
  ConnectData,
  ConnectFile,
  StoredConnection,
  StoredValidation,
  StoredVerdict,
} from './connect-file.ts';
import type { WorkspaceIntegration } from './integration.ts';
import { compareConnections } from './judge-connection.ts';
import { emailKey, isSameEmail } from './members.ts';
import { toCarrierConnection, toStored, withHolder } from './stored-connection.ts';

/** Concurrent requests when all members of a workspace are refreshed. */
const membersAtOnce = 4;
/** How many refreshed members are stored at once: each write seals all connections, thousands at times. */
const membersAWrite = 100;

/** A member's connections as the service returned them at one time. */
interface ReadMember {
  readonly email: string;
  readonly readAt: string;
  readonly told: readonly { readonly reply: ConnectionReply; readonly holder: PolicyHolderReply | null }[];
}

/** The carrier connections of the members: as last read, and read again. */
export function createConnections(ports: {
  readonly integration: WorkspaceIntegration;
  readonly file: ConnectFile;
  readonly clock: Clock;
}) {
  const { integration, file, clock } = ports;
  const nowText = (): string => new Date(clock.now()).toISOString();
  /** A member under each of their employers, the one added last first. */
  const ownersOf = ({ members }: ConnectData, scope: string, email: string) =>
    members
      .filter((one) => one.scope === scope && isSameEmail(one.email, email))
      .sort((a, b) => b.bootstrappedAt.localeCompare(a.bootstrappedAt));
  const view = (data: ConnectData, row: StoredConnection): CarrierConnection =>
    toCarrierConnection(row, ownersOf(data, row.scope, row.email)[0], clock.now());

  /** As last read: of a member and of these numbers, which another member may have; without both, all. */
  const list = async (email?: string, policyHolderIds?: readonly number[]): Promise<CarrierConnection[]> => {
    const { scope } = await integration.open();
    const { members, connections } = await file.read();
    const isOfAll = email === undefined && policyHolderIds === undefined;
    const ids = new Set(policyHolderIds);
    const rows = connections.filter(
      (one) =>
        one.scope === scope &&
        (isOfAll || ids.has(one.policyHolderId) || (email !== undefined && isSameEmail(one.email, email))),
    );
    const emails = new Set(rows.map((one) => emailKey(one.email)));
    // By email once: a search among all members for each of thousands of connections took most of a second.
    const owners = new Map<string, ConnectMember>();
    for (const member of members.filter((one) => one.scope === scope && emails.has(emailKey(one.email)))) {
      const known = owners.get(emailKey(member.email));
      if (known === undefined || known.bootstrappedAt <= member.bootstrappedAt)
        owners.set(emailKey(member.email), member);
    }
    return rows
      .map((one) => toCarrierConnection(one, owners.get(emailKey(one.email)), clock.now()))
      .sort(compareConnections);
  };

  /** @throws DeskError `connect.notFound` where no connection with this number is known here */
  const find = async (policyHolderId: number): Promise<StoredConnection> => {
    const { scope } = await integration.open();
    const { connections } = await file.read();
    const found = connections.find((one) => one.scope === scope && one.policyHolderId === policyHolderId);
    if (found === undefined) throw new DeskError('connect.notFound');
    return found;
  };

  /** The service finds a connection only under the employer that the member has it with, which no list contains. */
  const readHolder = async (
    email: string,
    policyHolderId: number,
  ): Promise<PolicyHolderReply & { readonly employerId: number }> => {
    const { api, scope } = await integration.open();
    for (const { employer } of ownersOf(await file.read(), scope, email)) {
      const reply = await api
        .readPolicyHolder({ email, employerId: employer.id, policyHolderId })
        .catch((thrown: unknown) => {
          if (toDeskError(thrown).code === 'connect.notFound') return null;
          throw thrown;
        });
      if (reply !== null) return { ...reply.data, employerId: employer.id };
    }
    throw new DeskError('connect.notFound');
  };

  /**
   * A member's connections from a list of the service, each with what only the connection itself tells: the carrier's
   * reason, and its claims.
   */
  const completeReplies = async (email: string, replies: readonly ConnectionReply[]): Promise<ReadMember> => {
    const readAt = nowText();
    const told = await Promise.all(
      replies.map(async (reply) => {
        if (reply.task_id !== null) return { reply, holder: null };
        return { reply, holder: await readHolder(email, reply.id).catch(() => null) };
      }),
    );
    return { email, readAt, told };
  };

  /** Stores the connections of members; what could not be read of one is as it was known before. */
  const store = async (scope: string, read: readonly ReadMember[]): Promise<void> => {
    const emails = new Set(read.map(({ email }) => emailKey(email)));
    const isOfMembers = (one: StoredConnection): boolean =>
      one.scope === scope && emails.has(emailKey(one.email));
    await file.update((known) => {
      // Read again, since another call may have finished meanwhile.
      const before = new Map(known.connections.filter(isOfMembers).map((one) => [one.policyHolderId, one]));
      const rows = read.flatMap(({ email, readAt, told }) =>
        told.map(({ reply, holder }) => {
          const row = toStored(reply, { scope, email, readAt }, before.get(reply.id));
          return holder === null ? row : withHolder(row, holder, readAt);
        }),
      );
      return { ...known, connections: [...known.connections.filter((one) => !isOfMembers(one)), ...rows] };
    });
  };
  const takeOver = async (email: string, replies: readonly ConnectionReply[]): Promise<void> => {
    const { scope } = await integration.open();
    await store(scope, [await completeReplies(email, replies)]);
  };

  /** `GET /fix-credentials`; needs the secret key. */
  const listOf = async (email: string): Promise<ConnectionReply[]> => {
    const { api } = await integration.open();
    return (await api.readConnections(email)).data;
  };
  const readMember = async (email: string): Promise<ConnectionReply[]> => {
    const replies = await listOf(email);
    await takeOver(email, replies);
    return replies;
  };

  /**
   * Reads one connection again, without the secret key.
   * @throws DeskError `connect.notFound`, `connect.*`, `service.*`
   */
  const readWithTask = async (policyHolderId: number): Promise<ConnectionWithTask> => {
    const { scope } = await integration.open();
    const known = await find(policyHolderId);
    const holder = await readHolder(known.email, policyHolderId);
    const row = withHolder(known, holder, nowText());
    const data = await file.update((held) => ({
      ...held,
      connections: [
        ...held.connections.filter((one) => one.scope !== scope || one.policyHolderId !== policyHolderId),
        row,
      ],
    }));
    const { employerId, task_id: taskId, task_token: taskToken } = holder;
    return { view: view(data, row), employerId, taskId, taskToken };
  };
  const read = async (policyHolderId: number): Promise<CarrierConnection> =>
    (await readWithTask(policyHolderId)).view;

  return {
    list,
    find,
    takeOver,
    readWithTask,
    read,
    /**
     * Stores a connection whose login was submitted, until the service returns more about it. What was told of an
     * earlier validation counts no longer.
     */
    async saveSubmitted({ scope, policyHolderId, email, payerId, payerName, startedAt }: StoredValidation) {
      const row = { ...untold, scope, policyHolderId, email, payerId, payerName, readAt: startedAt };
      await file.update((known) => {
        const before = known.connections.find(isConnection(row));
        const others = known.connections.filter((one) => one !== before);
        return {
          ...known,
          connections: [...others, before === undefined ? row : { ...before, verdict: null }],
        };
      });
    },
    /** Stores how a validation of a known connection ended. */
    async saveVerdict(of: Pick<StoredConnection, 'scope' | 'policyHolderId'>, verdict: StoredVerdict) {
      await file.update((known) => ({
        ...known,
        connections: known.connections.map((one) => (isConnection(of)(one) ? { ...one, verdict } : one)),
      }));
    },
    /**
     * The start of a correction: the connection as it is now, and its username, which is returned but not stored.
     * null without the secret key, since only a call with it returns the username.
     */
    async beginCorrection(
      policyHolderId: number,
    ): Promise<{ connection: CarrierConnection; username: string | null }> {
      const { hasSecret } = await integration.open();
      const { email } = await find(policyHolderId);
      if (!hasSecret) return { connection: await read(policyHolderId), username: null };
      const replies = await readMember(email);
      const data = await file.read();
      const username = replies.find(({ id }) => id === policyHolderId)?.username ?? null;
      return { connection: view(data, await find(policyHolderId)), username };
    },
    /**
     * Reads the connections of one member, or of all, again; members that cannot be read keep their known
     * connections.
     * @throws DeskError `connect.secretMissing`; for one member `connect.memberUnknown`, `connect.*`, `service.*`
     */
    async refresh(email?: string): Promise<{ email: string; code: string }[]> {
      const { hasSecret, scope } = await integration.open();
      if (!hasSecret) throw new DeskError('connect.secretMissing');
      const data = await file.read();
      if (email !== undefined) {
        const owner = ownersOf(data, scope, email)[0];
        if (owner === undefined) throw new DeskError('connect.memberUnknown');
        await readMember(owner.email);
        return [];
      }
      const known = data.members.filter((one) => one.scope === scope);
      const emails = [...new Set(known.map((one) => one.email.toLowerCase()))];
      const failures: { email: string; code: string }[] = [];
      const read: ReadMember[] = [];
      const work = async (): Promise<void> => {
        for (let next = emails.shift(); next !== undefined; next = emails.shift()) {
          const asked = next;
          try {
            read.push(await completeReplies(asked, await listOf(asked)));
          } catch (thrown) {
            failures.push({ email: asked, code: toDeskError(thrown).code });
          }
          if (read.length >= membersAWrite) await store(scope, read.splice(0));
        }
      };
      await Promise.all(Array.from({ length: membersAtOnce }, work));
      if (read.length > 0) await store(scope, read);
      return failures;
    },
  };
}

/** A connection that was just read, with its validation, and the employer under which it was found. */
export interface ConnectionWithTask {
  readonly view: CarrierConnection;
  readonly employerId: number;
  readonly taskId: string | null;
  readonly taskToken: string | null;
}

export type Connections = ReturnType<typeof createConnections>;

const isConnection =
  (of: Pick<StoredConnection, 'scope' | 'policyHolderId'>) =>
  (one: StoredConnection): boolean =>
    one.scope === of.scope && one.policyHolderId === of.policyHolderId;

/** Fields of a connection of which only the submit is known. */
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
