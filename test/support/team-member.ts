import { SignJWT } from 'jose';
import type { HttpReply } from '../../src/main/engine/service/transport.ts';
import { createUndiciTransport } from '../../src/main/engine/service/undici-transport.ts';
import { createTeam, invite, joinTeam, recoverTeam } from '../../src/main/engine/team/change-members.ts';
import { openSession, type TeamPorts, type TeamSession } from '../../src/main/engine/team/team-session.ts';
import type { EngineHost } from '../../src/main/lib/engine-protocol.ts';
import { certify, checkCertificate, computerOf, signHeaders } from '../../src/main/team/computer-keys.ts';
import { certifiedComputer, readCertificateBody } from '../../src/team-protocol/certificate.ts';
import { openGrant } from '../../src/team-protocol/grant.ts';
import { readRecoveryKey } from '../../src/team-protocol/recovery-key.ts';
import { makeComputerKeys, makeSshKey } from './entry-signer.ts';
import { openComputer, workspaceId } from './review-computer.ts';

const service = 'https://claims.example.com';
const { transport } = createUndiciTransport({});

/** What may go wrong on the way to the server. */
export interface Network {
  /** Called before each request; may throw, or wait. */
  before?: (method: string, path: string) => Promise<void>;
  after?: (method: string, path: string) => Promise<void>;
  /** Changes what the server answered. */
  reply?: (reply: HttpReply, method: string, path: string) => HttpReply;
}

/**
 * A person with a computer and reviews on it, and what its engine has of a team. Main's part is here: keys, tokens and the
 * team of the workspace. `name@example.com` is the person; `ssh` and `keys` are given where there are two computers.
 */
export function openMember(
  folder: string,
  name: string,
  clock: { now: () => number },
  options: {
    email?: string;
    ssh?: ReturnType<typeof makeSshKey>;
    claimIds?: readonly number[];
    network?: Network;
    onEnd?: (end: () => void) => void;
  } = {},
) {
  const {
    email = `${name}@example.com`,
    ssh = makeSshKey(),
    claimIds = [1, 2, 3, 4],
    network = {},
  } = options;
  const keys = makeComputerKeys();
  let bound: { server: string; id: string } | undefined;
  const certificateFor = (team: string | null) => certify(keys, { service, email, team }, ssh);
  const body = readCertificateBody(certificateFor(null).body);
  const computer = body === null ? '' : certifiedComputer(body);
  const signer = {
    certifyComputer: async ({ team = null }: { team?: string | null }) => certificateFor(team),
    signHeaders: async ({ headers }: { headers: readonly string[] }) => signHeaders(keys, headers),
    checkCertificate: async (certificate: Parameters<typeof checkCertificate>[0]) =>
      checkCertificate(certificate),
  };
  const opened = openComputer(folder, name, clock, clock.now, signer as never, options.onEnd);
  opened.opened.ingest(
    'claims',
    claimIds.map((id) => ({ id, status: 'Processed', amount_paid: 10 })),
  );
  const host = {
    ...signer,
    findWorkspace: async () => ({
      workspace: { id: workspaceId, email, ...(bound === undefined ? {} : { team: bound }) },
    }),
    async bindTeam({ server, team }: { server: string; team: string }) {
      bound = { server, id: team };
    },
    async unbindTeam() {
      bound = undefined;
    },
    async getTeamToken({ offsetSeconds, recoveryKey }: { offsetSeconds: number; recoveryKey?: string }) {
      const by = (recoveryKey === undefined ? null : readRecoveryKey(recoveryKey)) ?? keys;
      return new SignJWT({})
        .setProtectedHeader({ alg: 'EdDSA' })
        .setSubject(computerOf(by))
        .setAudience(bound?.server ?? '')
        .setIssuedAt(Math.floor(clock.now() / 1000) + offsetSeconds)
        .setExpirationTime(Math.floor(clock.now() / 1000) + offsetSeconds + 240)
        .sign(by.signing);
    },
    openGrant: async ({ generation, grant }: { generation: number; grant: string }) =>
      openGrant(keys.sealing, { team: bound?.id ?? '', generation, computer }, grant)?.toString('base64') ??
      null,
  } as unknown as EngineHost;
  const failures: unknown[] = [];
  const ports: TeamPorts = {
    host,
    clock,
    now: () => clock.now(),
    getStore: async () => opened.store,
    getUserData: async () => opened.userData,
    transportOf: () => async (request) => {
      const path = request.url.pathname;
      await network.before?.(request.method, path);
      const reply = await transport(request);
      await network.after?.(request.method, path);
      return network.reply?.(reply, request.method, path) ?? reply;
    },
    sleep: async () => undefined,
    random: () => 0,
    onChanged: () => undefined,
    settle: (id) => opened.reviews.settleAfterSync(id),
    onFailed: (thrown) => void failures.push(thrown),
  };
  let session: Promise<TeamSession> | null = null;
  const sessionOf = (): Promise<TeamSession> => {
    session ??= openSession(ports, workspaceId);
    return session;
  };
  const { reviews } = opened;
  return {
    ...opened,
    ...{ name, email, ssh, computer, ports, failures, network, sessionOf },
    create: async (server: string, setupCode: string) =>
      createTeam(ports, { workspaceId, server, setupCode }),
    invite: async () => invite(ports, await sessionOf()),
    recover: (of: { server: string; team: string; recoveryKey: string }) =>
      recoverTeam(ports, { workspaceId, ...of }),
    join: (invitation: string) => joinTeam(ports, { workspaceId, invitation }),
    exchange: async () => (await sessionOf()).exchange(),
    /** As after a new start of the engine. */
    restart(): void {
      session = null;
    },
    act: async (claimIdsOfAct: readonly number[], wanted: Parameters<typeof reviews.act>[2]) =>
      (await reviews.act(workspaceId, { claimIds: [...claimIdsOfAct] }, wanted)).eventId as string,
    folds: () => opened.operations.foldReviews({ workspaceId, claimIds: null }),
    history: async () => (await reviews.listEvents({ workspaceId, offset: 0, limit: 500 })).events,
    unsent: () => opened.operations.countUnsent({ workspaceId }),
    isBound: () => bound !== undefined,
  };
}
export type Member = ReturnType<typeof openMember>;
