import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { defaultSettings, type Settings } from '../../src/contract/settings.ts';
import { settingsOf, teamSettingsOf, toOwn } from '../../src/contract/workspace-settings.ts';
import type { HttpReply } from '../../src/main/engine/service/transport.ts';
import { createUndiciTransport } from '../../src/main/engine/service/undici-transport.ts';
import { advanceJoin, readOwnCode } from '../../src/main/engine/team/advance-join.ts';
import { createTeam, invite } from '../../src/main/engine/team/change-members.ts';
import { changeTeamSettings } from '../../src/main/engine/team/hold-team-settings.ts';
import { joinTeam } from '../../src/main/engine/team/join-team.ts';
import { recoverTeam, replaceRecoveryKey } from '../../src/main/engine/team/recover-team.ts';
import { requireRead, requireWriter } from '../../src/main/engine/team/require-writer.ts';
import type { TeamPorts, TeamSession } from '../../src/main/engine/team/team-ports.ts';
import { openSession } from '../../src/main/engine/team/team-session.ts';
import type { MainCalls } from '../../src/main/lib/engine-protocol.ts';
import { certify, checkCertificate, computerOf, signHeaders } from '../../src/main/team/computer-keys.ts';
import type { TeamChange, TeamSettings } from '../../src/rules/review/team-settings.ts';
import { certifiedComputer, readCertificateBody } from '../../src/team-protocol/certificate.ts';
import { openGrant } from '../../src/team-protocol/grant.ts';
import type { TeamRole } from '../../src/team-protocol/membership.ts';
import { readRecoveryKey } from '../../src/team-protocol/recovery-key.ts';
import { makeComputerKeys, makeSshKey } from './entry-signer.ts';
import { openComputer, workspaceId } from './review-computer.ts';

export const testService = 'https://claims.example.com';
const { transport } = createUndiciTransport({});

/** The settings with which all claims need a review. */
const ownSettings: Settings = { ...defaultSettings, reviewsFrom: { [workspaceId]: '2000-01-01' } };

/** The parts of a computer that stay when its program ends or its files are replaced: what main has. */
interface Owned {
  ssh: ReturnType<typeof makeSshKey>;
  readonly keys: ReturnType<typeof makeComputerKeys>;
  bound: { server: string; id: string } | undefined;
  /** Its settings file. */
  settings: Settings;
  /** The newest entry of its audit log. */
  auditEnd: { seq: number; hash: string } | null;
}

/** Hooks for faults in the network to the server, and between two steps on this computer. */
export interface Network {
  /** Called before and after each call of the user data; may throw, as where the program ends. */
  step?: () => void;
  /** Called before each request; may throw, or wait. */
  before?: (method: string, path: string) => Promise<void>;
  after?: (method: string, path: string) => Promise<void>;
  /** Where a request goes instead. */
  route?: (url: URL) => URL;
  /** Each request is sent twice, or each answer to a reading request is the one before of the same address. */
  delivers?: 'repeat' | 'old';
  /** Passes a chunk of a stream on; may do so later, or not at all. */
  chunk?: (pass: () => void) => void;
  /** Changes what the server answered. */
  reply?: (reply: HttpReply, method: string, path: string) => HttpReply;
}

function openParts(
  folder: string,
  name: string,
  clock: { now: () => number },
  options: {
    email?: string;
    service?: string;
    ssh?: ReturnType<typeof makeSshKey>;
    claimIds?: readonly number[];
    network?: Network;
    /** The kept parts of a computer that was open before. */
    owned?: Owned;
    onEnd?: (end: () => void) => void;
    /** Returns the version of its program. */
    getVersion?: () => string;
  } = {},
) {
  const {
    email = `${name}@example.com`,
    service = testService,
    owned = {
      ssh: options.ssh ?? makeSshKey(),
      keys: makeComputerKeys(),
      bound: undefined,
      settings: ownSettings,
      auditEnd: null,
    },
    claimIds = [1, 2, 3, 4],
    network = {},
  } = options;
  const { keys } = owned;
  const certificateFor = (team: string | null) => certify(keys, { service, email, team }, owned.ssh);
  const body = readCertificateBody(certificateFor(null).body);
  const computer = body === null ? '' : certifiedComputer(body);
  const signer = {
    certifyComputer: async ({ team = null }: { team?: string | null }) => certificateFor(team),
    signHeaders: async ({ headers }: { headers: readonly string[] }) => signHeaders(keys, headers),
    checkCertificate: async (certificate: Parameters<typeof checkCertificate>[0]) =>
      checkCertificate(certificate),
  };
  const workspace = () => ({
    ...{ id: workspaceId, email, baseUrl: service, isSample: false, name: 'Acme' },
    ...{ header: 'Authorization', scheme: 'SSH-JWT' },
    ...(owned.bound === undefined ? {} : { team: owned.bound }),
  });
  const getSettings = () => ({
    ...settingsOf(owned.settings, workspace()),
    ...{ service, team: teamSettingsOf(owned.settings, workspace()) },
  });
  const opened = openComputer(
    folder,
    name,
    clock,
    clock.now,
    signer as never,
    options.onEnd,
    getSettings,
    email,
  );
  if (options.owned === undefined)
    opened.opened.ingest(
      'claims',
      claimIds.map((id) => ({ id, status: 'Processed', amount_paid: 10 })),
    );
  const main = {
    ...signer,
    findWorkspace: async () => ({ workspace: workspace() }),
    getVersion: async () => options.getVersion?.() ?? '0.3.0',
    getSettings: async () => getSettings(),
    async keepTeamSettings({ settings }: { settings: TeamSettings }) {
      owned.settings = { ...owned.settings, ofTeams: { [workspaceId]: settings } };
    },
    confirmFollowedLog: async () => undefined,
    confirmRecoveryKey: async () => undefined,
    async bindTeam({ server, team }: { server: string; team: string }) {
      owned.bound = { server, id: team };
    },
    async unbindTeam() {
      const held = teamSettingsOf(owned.settings, workspace());
      if (held !== null)
        owned.settings = { ...owned.settings, ...toOwn(owned.settings, workspace(), held), ofTeams: {} };
      owned.bound = undefined;
    },
    async getTeamToken({ offsetSeconds, recoveryKey }: { offsetSeconds: number; recoveryKey?: string }) {
      const by = (recoveryKey === undefined ? null : readRecoveryKey(recoveryKey)) ?? keys;
      return new SignJWT({})
        .setProtectedHeader({ alg: 'EdDSA' })
        .setSubject(computerOf(by))
        .setAudience(owned.bound?.server ?? '')
        .setIssuedAt(Math.floor(clock.now() / 1000) + offsetSeconds)
        .setExpirationTime(Math.floor(clock.now() / 1000) + offsetSeconds + 240)
        .sign(by.signing);
    },
    openGrant: async ({ generation, grant }: { generation: number; grant: string }) =>
      openGrant(keys.sealing, { team: owned.bound?.id ?? '', generation, computer }, grant)?.toString(
        'base64',
      ) ?? null,
  } as unknown as MainCalls;
  const failures: unknown[] = [];
  const audited: { action: string; details: Readonly<Record<string, unknown>> }[] = [];
  /** The server's last answer by address, up to a length that no test reaches. */
  const maxAnswerBytes = 64_000;
  const answers = new Map<string, HttpReply>();
  const deliver = async (request: Parameters<typeof transport>[0]): Promise<HttpReply> => {
    const { href } = request.url;
    const { onChunk } = request;
    const sent = {
      ...request,
      url: network.route?.(request.url) ?? request.url,
      ...(onChunk === undefined
        ? {}
        : {
            onChunk: (chunk: Uint8Array) =>
              network.chunk === undefined ? onChunk(chunk) : network.chunk(() => onChunk(chunk)),
          }),
    };
    if (network.delivers === 'repeat') await transport(sent);
    const reply = await transport(sent);
    const before = network.delivers === 'old' && request.method === 'GET' ? answers.get(href) : undefined;
    // Not those of benchmarks, which would measure them as memory of the computer.
    if (reply.body.length < maxAnswerBytes) answers.set(href, reply);
    return before ?? reply;
  };
  const userData = {
    ...opened.userData,
    async call(...called: Parameters<typeof opened.userData.call>) {
      network.step?.();
      const result: unknown = await opened.userData.call(...called);
      network.step?.();
      return result;
    },
  } as typeof opened.userData;
  const ports: TeamPorts = {
    main,
    clock,
    now: () => clock.now(),
    getStore: async () => opened.store,
    getUserData: async () => userData,
    transportOf: () => async (request) => {
      const path = request.url.pathname;
      await network.before?.(request.method, path);
      const reply = await deliver(request);
      await network.after?.(request.method, path);
      return network.reply?.(reply, request.method, path) ?? reply;
    },
    sleep: async () => undefined,
    random: () => 0,
    backups: { keepRemoved: (_removed, act) => act() },
    onChanged: () => undefined,
    onLeases: () => undefined,
    async updateReviews(id) {
      network.step?.();
      await reviews.updateAfterSync(id);
      network.step?.();
    },
    onFailed: (thrown) => void failures.push(thrown),
    auditAction: async (_workspaceId, action, details) => void audited.push({ action, details }),
    appendTeamFact: (...fact) => reviews.appendTeamFact(...fact),
    readAuditEnd: async () => owned.auditEnd,
    onSettings: () => undefined,
    async removeHere({ removal, claimIds }) {
      network.step?.();
      const { database } = opened.opened;
      const all = database.prepare('SELECT id FROM claims').pluck().all() as number[];
      const removed = opened.opened.read.findRemovedClaims({ removal, claimIds: all });
      opened.opened.write.addTeamRule(removal);
      for (const id of removed) database.prepare('DELETE FROM claims WHERE id=?').run(id);
      network.step?.();
      opened.operations.forgetWritten({ workspaceId, claimIds: [...removed, ...claimIds] });
      network.step?.();
    },
  };
  let session: Promise<TeamSession> | null = null;
  const followed: { reportSending?: (claims: number | null) => void } = {};
  const sessionOf = (): Promise<TeamSession> => {
    session ??= openSession(ports, workspaceId, (claims) => followed.reportSending?.(claims));
    return session;
  };
  const reviews = opened.start({
    requireRead: async () => (owned.bound === undefined ? undefined : requireRead(await sessionOf())),
    requireWriter: async () => (owned.bound === undefined ? undefined : requireWriter(await sessionOf())),
  });
  const close = (): void => {
    opened.file.close();
    opened.opened.readerConnection.close();
    opened.opened.database.close();
  };
  return {
    ...opened,
    ...{
      reviews,
      name,
      email,
      ssh: owned.ssh,
      computer,
      ports,
      failures,
      audited,
      network,
      sessionOf,
      close,
      owned,
    },
    /** Called where this computer sends an act on many claims. */
    followed,
    create: async (server: string, setupCode: string) =>
      createTeam(ports, { workspaceId, server, setupCode }),
    invite: async (whose = `${name}@example.com`, role: TeamRole = 'reviewer') =>
      invite(ports, await sessionOf(), { email: whose, role }),
    recover: (of: { server: string; team: string; recoveryKey: string }) =>
      recoverTeam(ports, { workspaceId, ...of }),
    replaceRecoveryKey: async (typed: string) => replaceRecoveryKey(ports, await sessionOf(), typed),
    join: (invitation: string) => joinTeam(ports, { workspaceId, invitation }),
    /** The next step of joining. */
    advanceJoin: async () => advanceJoin(ports, await sessionOf()),
    /** Returns the code that this user gives to the admin. */
    readCode: () => readOwnCode(ports, workspaceId),
    exchange: async () => (await sessionOf()).exchange(),
    /** This person signs in with another SSH key from now on. */
    rotate(): void {
      owned.ssh = makeSshKey();
    },
    /** Drops the session, as a new start of the engine does. */
    restart(): void {
      session = null;
    },
    act: async (claimIdsOfAct: readonly number[], wanted: Parameters<typeof reviews.act>[2]) =>
      (await reviews.act(workspaceId, { claimIds: [...claimIdsOfAct] }, wanted)).eventId as string,
    folds: () => opened.operations.foldReviews({ workspaceId, claimIds: null }),
    history: async () => (await reviews.listEvents({ workspaceId, offset: 0, limit: 500 })).events,
    unsent: () => opened.operations.countUnsent({ workspaceId }),
    /** Changes settings of the team as this user. */
    changeSettings: async (...changes: TeamChange[]) => changeTeamSettings(ports, await sessionOf(), changes),
    isBound: () => owned.bound !== undefined,
  };
}

export interface Member extends ReturnType<typeof openParts> {
  /** Starts the program again after it ended without notice. */
  startAgain(): Member;
  /** Ends, copies its user data, and starts again. */
  backUp(): Member;
  /** Ends, puts the copy in their place where there is one, and starts again. */
  restoreFiles(): Member;
}

/**
 * Opens a user's computer with its reviews and its engine's part of a team. Main's part is here: keys, tokens
 * and the workspace's team. `name@example.com` is the user; `ssh` is given for a second computer.
 */
export function openMember(...[folder, name, clock, options]: Parameters<typeof openParts>): Member {
  const parts = openParts(folder, name, clock, options);
  const { owned, close } = parts;
  const copies = join(folder, `backup-of-${name}`);
  const listFiles = () => readdirSync(folder).filter((one) => one.startsWith(`${name}-ours`));
  const reopen = (): Member => openMember(folder, name, clock, { ...options, owned });
  return {
    ...parts,
    startAgain() {
      close();
      return reopen();
    },
    backUp() {
      close();
      rmSync(copies, { recursive: true, force: true });
      for (const one of listFiles()) cpSync(join(folder, one), join(copies, one), { recursive: true });
      return reopen();
    },
    restoreFiles() {
      close();
      for (const one of existsSync(copies) ? listFiles() : [])
        rmSync(join(folder, one), { recursive: true, force: true });
      if (existsSync(copies)) cpSync(copies, folder, { recursive: true });
      return reopen();
    },
  };
}
