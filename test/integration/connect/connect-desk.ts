import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Validation } from '../../../src/contract/carrier-connections.ts';
import type { Input } from '../../../src/contract/procedures.ts';
import { profilePaths } from '../../../src/main/lib/paths.ts';
import { openSession, type Session } from '../../../src/main/shells/cli/session.ts';
import { givenCheapSecrets, vaultPassphrase } from '../../support/cheap-secrets.ts';
import { smallJitter } from '../../support/engine-session.ts';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';

/** A workspace with an integration, over the real engine, its real files and the real sandbox. */
export interface ConnectDesk {
  readonly workspaceId: string;
  readonly profileDir: string;
  readonly session: Session;
  bootstrap(email: string): Promise<{ tenantId: number; employerId: number }>;
  submit(email: string, payerId: number, username: string, password?: string): Promise<Validation>;
  /** Waits until a validation is as wanted. */
  until(policyHolderId: number, isWanted: (view: Validation) => boolean): Promise<Validation>;
  /** Ends the engine and begins a new one over the same profile. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

type Settings = Partial<Omit<Input<'connect:saveSettings'>, 'workspaceId'>>;

export async function openConnectDesk(sandbox: Sandbox, settings: Settings = {}): Promise<ConnectDesk> {
  process.env.CLAIMDESK_VAULT_PASSPHRASE = vaultPassphrase;
  const profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-connect-'));
  givenCheapSecrets(profileDir);
  const open = (): Promise<Session> =>
    openSession({ options: {}, writes: true, profileDir, random: smallJitter });
  let session = await open();
  const { id: workspaceId } = await session.call('workspaces:add', {
    baseUrl: sandbox.baseUrl,
    email: sandbox.account.email,
  });
  const { publicToken, secretKey } = sandbox.connect;
  await session.call('connect:saveSettings', { workspaceId, publicToken, secretKey, ...settings });

  const desk: ConnectDesk = {
    workspaceId,
    profileDir,
    get session() {
      return session;
    },
    async bootstrap(email) {
      const name = 'Newly Founded, Inc.';
      const { employers } = await session.call('connect:listEmployers', { workspaceId });
      const known = employers.find((one) => one.name === name);
      const { member } = await session.call('connect:addMember', {
        workspaceId,
        email,
        firstName: 'Dana',
        lastName: 'Reyes',
        ...(known === undefined
          ? { employer: { kind: 'new', name }, systemKey: 'NEWCO-1', vendor: 'northwind-benefits' }
          : { employer: { kind: 'known', id: known.id } }),
      });
      return { tenantId: member.tenant.id, employerId: member.employer.id };
    },
    async submit(email, payerId, username, password = 'a password') {
      const { members } = await session.call('connect:listMembers', { workspaceId });
      const tenantId = members.find((one) => one.email === email)?.tenant.id ?? 0;
      return session.call('connect:submit', {
        workspaceId,
        email,
        payerId,
        fields: { username, password },
        consents: { terms: true, tenantIds: [tenantId] },
      });
    },
    async until(policyHolderId, isWanted) {
      const deadline = Date.now() + 120_000;
      for (;;) {
        const view = await session.call('connect:watch', { workspaceId, policyHolderId });
        if (isWanted(view)) return view;
        if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(view)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async restart() {
      await session.close();
      session = await open();
    },
    async close() {
      await session.close();
      await rm(profileDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  return desk;
}

/** A request as the sandbox received it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headerNames: readonly string[];
  readonly cookie: string | null;
  readonly origin: string | null;
  readonly status: number;
}

export const seenRequests = async (sandbox: Sandbox): Promise<SeenRequest[]> =>
  (await sandbox.control<{ data: SeenRequest[] }>('GET', '/requests')).data;

/** The requests to Connect that the log holds, oldest first; a log is whole once its session has ended. */
export async function readLoggedCalls(desk: ConnectDesk) {
  await desk.restart();
  const lines = (await readFile(profilePaths(desk.profileDir).log, 'utf8')).trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { at: string; event: string; route: string })
    .filter(({ event }) => event === 'connect.called');
}

/**
 * A desk over a sandbox, for all tests of the file that awaits it: closed after the last of them. One member, with this
 * email, is added.
 */
export async function openDeskOf(email: string): Promise<{ sandbox: Sandbox; desk: ConnectDesk }> {
  const sandbox = await startSandbox('--members', '5', '--claims', '5');
  const desk = await openConnectDesk(sandbox);
  afterAll(async () => {
    await desk.close();
    await sandbox.stop();
  });
  await desk.bootstrap(email);
  return { sandbox, desk };
}
