import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SyncReceipt } from '../../src/contract/sync.ts';
import type { DeskError } from '../../src/main/lib/errors.ts';
import { syncWorkspace } from '../../src/main/shells/cli/commands/sync.ts';
import type { Printer } from '../../src/main/shells/cli/output.ts';
import { openSession, type Session } from '../../src/main/shells/cli/session.ts';
import { type Sandbox, startSandbox } from '../integration/sandbox/start-sandbox.ts';
import { givenCheapSecrets, vaultPassphrase } from './cheap-secrets.ts';

/** A sandbox, and profiles for it. The key is made and registered once, and copied with its profile. */
export interface Bench {
  readonly sandbox: Sandbox;
  /** A profile with one workspace and its key, without any sync. */
  newProfile(): Promise<string>;
  open(profileDir: string, options?: { writes?: boolean; policyFile?: string }): Promise<Session>;
  sync(session: Session): Promise<{ receipt: SyncReceipt; error: DeskError | null }>;
  /** All whole records of a list, by id. */
  readAll(session: Session, entity: 'members' | 'claims'): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** A small random factor for pauses before retries, so that tests need not wait for the usual ones. */
export const smallJitter = (): number => 0.02;

const quiet: Printer = {
  json: async () => undefined,
  line: async () => undefined,
  info: () => undefined,
};

export async function openBench(...sandboxArgs: string[]): Promise<Bench> {
  process.env.CLAIMDESK_VAULT_PASSPHRASE = vaultPassphrase;
  const sandbox = await startSandbox(...sandboxArgs);
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-bench-'));
  const template = join(folder, 'template');
  let profiles = 0;
  givenCheapSecrets(template);

  const open: Bench['open'] = (profileDir, options = {}) =>
    openSession({ options: { yes: true }, writes: true, profileDir, random: smallJitter, ...options });

  const first = await open(template);
  const { id: workspaceId } = await first.call('workspaces:add', {
    baseUrl: sandbox.baseUrl,
    email: sandbox.account.email,
    name: 'Bench',
  });
  const key = await first.call('keys:generate', { type: 'ed25519', workspaceId });
  await sandbox.control('POST', '/keys', { name: 'bench', publicKey: key.publicKey });
  await first.close();

  return {
    sandbox,
    open,
    async newProfile() {
      profiles += 1;
      const path = join(folder, `profile-${profiles}`);
      await cp(template, path, { recursive: true });
      return path;
    },
    async sync(session) {
      return syncWorkspace(session, (await session.findWorkspace()).id, quiet, false);
    },
    async readAll(session, entity) {
      const workspaceId = (await session.findWorkspace()).id;
      const { snapshotId, total } = await session.call('records:open', {
        workspaceId,
        query: { entity, includesArchived: true },
      });
      const engine = await session.getEngine();
      const texts = await engine.readRecordTexts({
        workspaceId,
        snapshotId,
        offset: 0,
        limit: total,
        isSsnShown: true,
      });
      return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
    },
    async close() {
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
