/**
 * Writes a profile fixture with the code as it is: `npx node test/support/profile-fixture/write-profile-fixture.ts`.
 * The variant whose secrets lie in the keychain is written against a real Secret Service. See
 * test/fixtures/profile-0.1/README.md before a fixture that is committed is written again.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { createKeychainStore, keychainServiceName } from '../../../src/main/keychain/keychain-store.ts';
import { openSession, type Session } from '../../../src/main/shells/cli/session.ts';
import { type Sandbox, startSandbox } from '../../integration/sandbox/start-sandbox.ts';
import { vaultPassphrase } from '../cheap-secrets.ts';
import { makeOpenSshKey, readText } from '../key-fixtures.ts';
import { listKeychainAccounts } from '../keychain-entries.ts';
import { runInSecretService, runProgram } from '../secret-service.ts';
import { describeProfile } from './describe-profile.ts';
import {
  addWorkspace,
  type ConnectLeft,
  handOut,
  pauseSync,
  readFromService,
  registerKey,
  setUpConnect,
  syncComplete,
  writeByHand,
} from './fill-profile.ts';
import {
  type ExpectedProfile,
  type FixtureService,
  type FixtureVariant,
  fixtureFolder,
  type KeychainEntry,
  type SentRecords,
  sentPath,
} from './open-profile-fixture.ts';
import { parseExactly } from './parse-exactly.ts';
import { readStored } from './read-stored.ts';

/** Ports are part of the addresses, and those of what Connect remembers. Outside the range the system deals out. */
const northwindArgs = '--members 2000 --claims 5000 --seed 12 --email dana@northwind.example --port 21811';
const lakesideArgs =
  '--members 60 --claims 300 --seed 13 --email ops@lakeside.example --order desc --port 21812';
const smallArgs = '--members 50 --claims 200 --seed 14 --email vault@small.example --port 21813';

type Written = Pick<ExpectedProfile, 'services' | 'retiredKeyIds'> & {
  connectWaiting: ConnectLeft;
  sent: Record<string, SentRecords>;
};

/** Every kind of key, two workspaces of two accounts, two rotations under way. */
async function fillLarge(session: Session, folder: string): Promise<Written> {
  const sandbox = await startSandbox(...northwindArgs.split(' '));
  const second = await startSandbox(...lakesideArgs.split(' '));
  try {
    await session.call('settings:set', {
      ...{ theme: 'dark', lockAfterMinutes: 7, density: 'compact', keyReminderDays: 45 },
      ...{ autoRefreshMinutes: 0, isDeskMode: true, planYearStart: 7 },
    });
    const northwind = await addWorkspace(session, sandbox, {
      ...{ name: 'Northwind', keyType: 'ed25519', color: 'teal' },
    });
    const lakeside = await addWorkspace(session, second, {
      ...{ name: 'Lakeside', keyType: 'ecdsa-256', color: 'orange' },
    });
    for (const type of ['rsa-3072', 'rsa-4096', 'ecdsa-384', 'ecdsa-521'] as const) {
      const key = await session.call('keys:generate', { type, name: `Spare ${type}` });
      await registerKey(sandbox, key);
      await session.call('keys:check', { workspaceId: northwind, keyId: key.id });
    }
    await importKey(session, folder);
    const old = await session.call('keys:generate', { type: 'ed25519', name: 'Old laptop' });
    await session.call('keys:retire', { keyId: old.id, typedName: old.name });

    const sentByNorthwind = await readFromService(sandbox);
    await syncComplete(session, northwind);
    await writeByHand(session, northwind);
    await handOut(session, northwind, folder);
    const connectWaiting = await setUpConnect(session, sandbox, northwind);
    const sentByLakeside = await fillChanged(session, second, lakeside);
    await rotate(session, sandbox, northwind, lakeside);
    await session.call('workspaces:activate', { workspaceId: northwind });
    return {
      services: [service(northwind, 'northwind', northwindArgs), service(lakeside, 'lakeside', lakesideArgs)],
      retiredKeyIds: [old.id],
      connectWaiting,
      sent: { [northwind]: sentByNorthwind, [lakeside]: sentByLakeside },
    };
  } finally {
    await Promise.all([sandbox.stop(), second.stop()]);
  }
}

async function importKey(session: Session, folder: string): Promise<void> {
  const path = makeOpenSshKey(folder, 'imported', { type: 'ecdsa', bits: 384, passphrase: 'of the file' });
  const source = { kind: 'text', text: readText(path) } as const;
  await session.call('keys:import', { source, passphrase: 'of the file', name: 'Brought along' });
}

/** Odd records and unknown fields, records that changed and went, and a part removed for good. */
async function fillChanged(session: Session, sandbox: Sandbox, workspaceId: string): Promise<SentRecords> {
  await sandbox.control('POST', '/faults', { kind: 'unknown-fields' });
  await sandbox.control('POST', '/faults', { kind: 'wrong-types', every: 31 });
  const before = await readFromService(sandbox);
  await syncComplete(session, workspaceId);
  await writeByHand(session, workspaceId);
  const date = '2025-04-01';
  await session.call('data:remove', {
    workspaceId,
    removal: { kind: 'claimsBefore', date },
    typed: date,
  });
  const memberId = parseExactly(before.members[12] ?? '').id;
  const removal = { kind: 'member', memberId } as const;
  await session.call('data:remove', { workspaceId, removal, typed: String(memberId) });

  const change = { op: 'change', list: 'claims' };
  await sandbox.control('POST', '/edits', {
    edits: [
      { op: 'delete', list: 'claims', position: 20 },
      { op: 'delete', list: 'claims', position: 40 },
      { op: 'delete', list: 'members', position: 30 },
      { ...change, position: 10 },
      { ...change, position: 50, material: false },
      { op: 'change', list: 'members', position: 5 },
      { op: 'insert', list: 'claims', count: 3, at: 'start' },
    ],
  });
  const after = await readFromService(sandbox);
  await syncComplete(session, workspaceId);
  await sandbox.control('POST', '/faults', { kind: 'latency', route: 'claims', ms: 500 });
  await pauseSync(session, workspaceId);
  return { members: newest(before.members, after.members), claims: newest(before.claims, after.claims) };
}

/** Each record as it was last sent, those that are no longer sent included. */
function newest(before: readonly string[], after: readonly string[]): string[] {
  return [...new Map([...before, ...after].map((text) => [parseExactly(text).id, text])).values()];
}

/** One that waits for the other computers, one that waits for the new key to be registered. */
async function rotate(session: Session, sandbox: Sandbox, first: string, second: string): Promise<void> {
  const { newKey } = await session.call('rotation:begin', { workspaceId: first, type: 'ecdsa-256' });
  if (newKey === null) throw new Error('The rotation made no key.');
  await registerKey(sandbox, newKey);
  const { step } = await session.call('rotation:answer', { workspaceId: first, answer: 'registered' });
  if (step !== 'switched') throw new Error(`The rotation is at ${step}.`);
  await session.call('rotation:begin', { workspaceId: second, type: 'ed25519' });
}

async function fillSmall(session: Session, folder: string): Promise<Written> {
  const sandbox = await startSandbox(...smallArgs.split(' '));
  try {
    const workspaceId = await addWorkspace(session, sandbox, {
      ...{ name: 'Small', keyType: 'ed25519', color: 'grape' },
    });
    const sent = await readFromService(sandbox);
    await syncComplete(session, workspaceId);
    await writeByHand(session, workspaceId);
    await handOut(session, workspaceId, folder);
    const connectWaiting = await setUpConnect(session, sandbox, workspaceId);
    return {
      services: [service(workspaceId, 'small', smallArgs)],
      retiredKeyIds: [],
      connectWaiting,
      sent: { [workspaceId]: sent },
    };
  } finally {
    await sandbox.stop();
  }
}

const service = (workspaceId: string, name: string, sandboxArgs: string): FixtureService => ({
  workspaceId,
  name,
  sandboxArgs: sandboxArgs.split(' '),
});

async function writeVariant(variant: FixtureVariant): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-fixture-'));
  const profileDir = join(folder, 'profile');
  const open = (): Promise<Session> => openSession({ options: {}, writes: true, profileDir });
  try {
    const filled = await open();
    const { sent, ...written } = await (variant === 'vault' ? fillSmall : fillLarge)(filled, folder).finally(
      () => filled.close(),
    );
    // Once more from the disk: what is written down is what a next start finds.
    const described = await open();
    const expected: ExpectedProfile = { ...(await describeProfile(described)), ...written };
    await described.close();
    writeFileSync(join(fixtureFolder, `${variant}.expected.json`), `${JSON.stringify(expected, null, 2)}\n`);
    if (variant === 'keychain') await writeKeychain();
    pack(profileDir, join(fixtureFolder, `${variant}.tar.gz`));
    // After it was packed: reading whole SSNs goes into the audit log.
    const session = await open();
    for (const { workspaceId, name } of expected.services)
      await writeSent(session, workspaceId, name, sent[workspaceId] ?? { members: [], claims: [] });
    await session.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Keeps what was sent of the records that are in the store, after they were found equal. */
async function writeSent(
  session: Session,
  workspaceId: string,
  name: string,
  sent: SentRecords,
): Promise<void> {
  for (const entity of ['members', 'claims'] as const) {
    const byId = new Map(sent[entity].map((text) => [parseExactly(text).id, text]));
    const lines: string[] = [];
    for (const stored of await readStored(session, workspaceId, entity)) {
      const record = parseExactly(stored);
      const text = byId.get(record.id) ?? 'null';
      if (!isDeepStrictEqual(record, parseExactly(text)))
        throw new Error(`${entity} ${record.id} is not as it was sent.`);
      lines.push(text);
    }
    writeFileSync(sentPath(name, entity), brotliCompressSync(`${lines.join('\n')}\n`));
  }
}

async function writeKeychain(): Promise<void> {
  const store = createKeychainStore({ serviceName: keychainServiceName });
  const entries: KeychainEntry[] = [];
  for (const account of listKeychainAccounts()) {
    const value = await store.get(account);
    if (value === null) throw new Error(`There is no entry ${account}.`);
    entries.push({ service: keychainServiceName, account, value: value.toString('base64') });
  }
  writeFileSync(join(fixtureFolder, 'keychain.json'), `${JSON.stringify(entries, null, 2)}\n`);
}

/** The folder without the log, after an orderly end: no write-ahead log lies beside a database. */
function pack(profileDir: string, path: string): void {
  const logs = readdirSync(profileDir, { recursive: true }).filter((name) => String(name).endsWith('-wal'));
  if (logs.length > 0) throw new Error(`A write-ahead log is left: ${logs.join(', ')}.`);
  const names = readdirSync(profileDir).filter((name) => name !== 'lease' && name !== 'logs');
  execFileSync('tar', ['--owner=0', '--group=0', '-czf', path, '-C', profileDir, ...names.sort()]);
}

const [variant] = process.argv.slice(2);
if (variant === 'keychain' || variant === 'vault') await writeVariant(variant);
else {
  mkdirSync(fixtureFolder, { recursive: true });
  const program = [process.execPath, fileURLToPath(import.meta.url)];
  const withVault = { ...process.env, CLAIMDESK_VAULT_PASSPHRASE: vaultPassphrase };
  for (const { exitCode, stderr } of [
    await runInSecretService([...program, 'keychain'], { timeoutMs: 600_000 }),
    await runProgram([...program, 'vault'], withVault, 600_000),
  ]) {
    process.stderr.write(stderr);
    if (exitCode !== 0) process.exitCode = 1;
  }
}
