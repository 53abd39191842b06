import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { syncWorkspace } from '../../../src/main/shells/cli/commands/sync.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { fieldsToFetch } from '../../../src/renderer/domain/list/list-query.ts';
import { toListQuery } from '../../../src/renderer/domain/list/list-settings.ts';
import { findSession, namedViews, settingsOf } from '../../../src/renderer/domain/list/saved-views.ts';
import { deleteKeyAt } from '../../support/key-page.ts';
import { describeProfile } from '../../support/profile-fixture/describe-profile.ts';
import { quiet } from '../../support/profile-fixture/fill-profile.ts';
import {
  type FixtureVariant,
  fixtureFolder,
  openProfileFixture,
  type ProfileFixture,
} from '../../support/profile-fixture/open-profile-fixture.ts';
import { parseExactly } from '../../support/profile-fixture/parse-exactly.ts';
import { readStored } from '../../support/profile-fixture/read-stored.ts';
import { startRecordedService } from '../../support/profile-fixture/recorded-service.ts';
import { runInSecretService } from '../../support/secret-service.ts';
import { openTestDesk } from '../../support/test-desk.ts';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';

/** The profile of version 0.1 that test/fixtures/profile-0.1/README.md describes, opened by the code of today. */
let fixture: ProfileFixture;
let session: Session;
beforeAll(async () => {
  fixture = await openProfileFixture('keychain');
  session = await fixture.open();
});
afterAll(async () => {
  await session?.close();
  await fixture?.remove();
});

const workspaceOf = ({ expected }: ProfileFixture, name: string) => {
  const found = expected.workspaces.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
};

/** The ids of records that are missing from the store, or not as the service sent them. */
async function findDifferences(from: ProfileFixture, opened: Session): Promise<unknown[]> {
  const differences: unknown[] = [];
  for (const { workspaceId, name } of from.expected.services) {
    const sent = from.readSent(workspaceId);
    for (const list of ['members', 'claims'] as const) {
      const texts = await readStored(opened, workspaceId, list);
      const stored = new Map(texts.map((text) => parseExactly(text)).map((one) => [one.id, one]));
      if (stored.size !== sent[list].length) differences.push({ name, list, stored: stored.size });
      for (const record of sent[list].map((text) => parseExactly(text)))
        if (!isDeepStrictEqual(stored.get(record.id), record))
          differences.push({ name, list, id: record.id });
    }
  }
  return differences;
}

test('everything that was written down is found: settings, keys, workspaces, lists, notes, audit log', async () => {
  const { services, retiredKeyIds, connectWaiting, ...expected } = fixture.expected;
  const found = await describeProfile(session);
  expect(found).toMatchObject(expected);
  expect(found.keys.map(({ id }) => id)).not.toContain(retiredKeyIds[0]);
  expect(connectWaiting?.email).toBe('dana@newco.example');
  expect(services.map(({ name }) => name)).toEqual(['northwind', 'lakeside']);
  // What the fixture is meant to hold, so that no later recipe can leave it out unseen.
  expect(new Set(found.keys.map(({ type }) => type)).size).toBe(6);
  expect(found.workspaces.map(({ records }) => records.summary.claims)).toEqual([5000, expect.any(Number)]);
  expect(found.workspaces.map(({ rotation }) => rotation?.step)).toEqual(['switched', 'made']);
});

test('every record is equal as JSON to what the service sent', async () => {
  expect(await findDifferences(fixture, session)).toEqual([]);
});

test('its views and the list as it was left open, by the days of service where they named the start', async () => {
  const { id: workspaceId } = workspaceOf(fixture, 'Northwind');
  const { views } = await session.call('views:list', { workspaceId });
  const left = findSession(views)?.lists.claims;
  const named = namedViews(views).map(({ content }) => content);
  expect(named.map(({ entity }) => entity).toSorted()).toEqual(['claims', 'members']);
  for (const { entity, view } of [
    ...named,
    ...(left === undefined ? [] : [{ entity: 'claims' as const, view: left }]),
  ]) {
    const settings = settingsOf(entity, view);
    expect(settings.columns.length).toBe(view.columns.length);
    const plan = { entity, initial: settings };
    const query = toListQuery(plan, settings);
    const fields = fieldsToFetch(entity, settings.columns);
    const { rows } = await session.call('records:begin', { workspaceId, query, limit: 50, fields });
    if (entity === 'members') expect(rows.length).toBe(50);
    if (entity === 'claims') {
      expect(settings.columns).toContain('date_of_service');
      expect(settings.columns).toContain('date_of_service.last_day');
      expect(settings.sort.map(({ field }) => field)).toEqual(['amount_billed', 'date_of_service']);
      for (const row of rows) expect(String(row.date_of_service)).toMatch(/\/[\d-]{10}$/);
    }
  }
  expect(left).toEqual(named.find(({ entity }) => entity === 'claims')?.view);
});

test('a validation and a sign-in at the carrier’s page are taken up again', async () => {
  const waiting = fixture.expected.connectWaiting;
  const { id: workspaceId } = workspaceOf(fixture, 'Northwind');
  // Version 0.1 kept an employer's key with its members alone.
  const { employers } = await session.call('connect:listEmployers', { workspaceId });
  expect(employers.find(({ name }) => name === 'Newly Founded, Inc.')).toMatchObject({
    systemKey: 'NEWCO-1',
    vendor: 'northwind-benefits',
  });
  const { validations } = await session.call('connect:listValidations', { workspaceId });
  expect(validations).toMatchObject([
    { policyHolderId: waiting?.policyHolderId, email: waiting?.email, payerId: 16, outcome: null },
  ]);
  const email = waiting?.patientAccess ?? '';
  const signIn = await session.call('connect:getPatientAccess', { workspaceId, email });
  expect(signIn).toMatchObject({ email, payerId: 17, phase: 'waiting' });
});

test('every key signs, and both rotations go on', async () => {
  const { email, id: workspaceId, rotation } = workspaceOf(fixture, 'Northwind');
  const lakeside = workspaceOf(fixture, 'Lakeside');
  const copy = await openProfileFixture('keychain');
  let sandbox: Sandbox | null = null;
  let opened: Session | null = null;
  try {
    sandbox = await startSandbox('--members', '5', '--claims', '5', '--email', email);
    copy.setAddress(workspaceId, sandbox.baseUrl);
    // No workspace uses the spare keys: a person lets them sign for this one.
    opened = await copy.open({ confirm: async () => true });
    for (const { id: keyId, name, publicKey } of copy.expected.keys) {
      await sandbox.control('POST', '/keys', { name, publicKey });
      expect(await opened.call('keys:check', { workspaceId, keyId })).toMatchObject({ isAccepted: true });
    }

    const ref = { workspaceId };
    expect(await opened.call('rotation:resume', ref)).toMatchObject({ step: 'switched', problem: null });
    const switched = await opened.call('rotation:answer', { ...ref, answer: 'othersSwitched' });
    expect(switched).toMatchObject({ step: 'confirmed', oldKey: { id: rotation?.oldKeyId } });
    await deleteKeyAt(sandbox.baseUrl, switched.oldKey?.publicKey ?? '');
    const ended = await opened.call('rotation:answer', { ...ref, answer: 'oldDeleted' });
    expect(ended).toMatchObject({ step: 'retired', isOver: true });
    const canceled = await opened.call('rotation:answer', { workspaceId: lakeside.id, answer: 'cancel' });
    expect(canceled).toMatchObject({ step: 'canceled', isOver: true });
    const left = (await opened.call('keys:list', {})).keys.map(({ id }) => id);
    expect(left).toHaveLength(copy.expected.keys.length - 2);
    for (const dropped of [rotation?.oldKeyId, lakeside.rotation?.newKeyId])
      expect(left).not.toContain(dropped);
  } finally {
    await opened?.close();
    await sandbox?.stop();
    await copy.remove();
  }
});

test('the system’s keychain opens it as well', async () => {
  const copy = await openProfileFixture('keychain');
  try {
    const program = fileURLToPath(new URL('open-keychain-profile.ts', import.meta.url));
    const { exitCode, stdout, stderr } = await runInSecretService([
      process.execPath,
      program,
      copy.profileDir,
      join(fixtureFolder, 'keychain.json'),
    ]);
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      secrets: { kind: 'keychain', state: 'ready' },
      workspaces: copy.expected.workspaces.map(({ records: { summary } }) => ({ records: { summary } })),
      audit: { isIntact: true },
    });
  } finally {
    await copy.remove();
  }
});

async function withFixture<T>(
  variant: FixtureVariant,
  act: (copy: ProfileFixture) => Promise<T>,
): Promise<T> {
  const copy = await openProfileFixture(variant);
  return act(copy).finally(() => copy.remove());
}

test('a vault opens with its passphrase and holds everything; a sync with the same service changes nothing', () =>
  withFixture('vault', async (copy) => {
    const { services, retiredKeyIds: _none, connectWaiting: _waiting, ...expected } = copy.expected;
    const [{ workspaceId } = { workspaceId: '' }] = services;
    const service = await startRecordedService(copy.readSent(workspaceId));
    try {
      const first = await copy.open();
      expect(await describeProfile(first)).toMatchObject(expected);
      expect(await findDifferences(copy, first)).toEqual([]);
      await first.close();

      copy.setAddress(workspaceId, service.baseUrl);
      const second = await copy.open();
      const { receipt } = await syncWorkspace(second, workspaceId, quiet, false);
      expect(receipt).toMatchObject({
        proof: 'complete',
        claims: 200,
        changes: { new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 },
      });
      await second.close();
    } finally {
      await service.close();
    }
  }));

test('a vault refuses another passphrase, and none', () =>
  withFixture('vault', async (copy) => {
    const [{ workspaceId } = { workspaceId: '' }] = copy.expected.services;
    const wrong = await copy.open({ passphrase: 'another passphrase' });
    await expect(wrong.call('records:getSummary', { workspaceId })).rejects.toMatchObject({
      code: 'vault.wrongPassphrase',
    });
    await wrong.close();

    const desk = openTestDesk({ profileDir: copy.profileDir, watchesIdle: true });
    expect(desk.desk.isLocked).toBe(true);
    expect((await desk.fail('lock:unlock', {})).code).toBe('vault.passphraseNeeded');
    const typed = { passphrase: 'another passphrase' };
    expect((await desk.fail('lock:unlock', typed)).code).toBe('vault.wrongPassphrase');
    await desk.call('lock:unlock', { passphrase: 'correct horse battery staple' });
    expect(desk.desk.isLocked).toBe(false);
    await desk.desk.close();
  }));

test('with a passphrase set, a copy on a computer without its keychain opens by that or by the recovery code', () =>
  withFixture('keychain', async (copy) => {
    const passphrase = 'a passphrase of twelve';
    const first = await copy.open({ confirm: async () => true });
    const expected = (await first.call('keys:list', {})).keys;
    const set = await first.call('unlock:setPassphrase', { passphrase });
    await first.close();
    const keychain = createEphemeralStore();
    const readNotes = async (opened: Session) => {
      const { id: workspaceId } = workspaceOf(copy, 'Northwind');
      expect((await opened.call('keys:list', {})).keys).toEqual(expected);
      expect((await opened.call('records:getSummary', { workspaceId })).claims).toBe(5000);
      return (await opened.call('reviews:listEvents', { workspaceId, offset: 0, limit: 100 })).total;
    };
    const byPassphrase = await copy.open({ keychain, passphrase });
    const notes = await readNotes(byPassphrase);
    expect(notes).toBeGreaterThan(0);
    await byPassphrase.close();

    const locked = await copy.open({ keychain });
    const { id: workspaceId } = workspaceOf(copy, 'Northwind');
    await expect(locked.call('records:getSummary', { workspaceId })).rejects.toMatchObject({
      code: 'vault.passphraseNeeded',
    });
    const another = 'another passphrase';
    await locked.call('unlock:recover', { code: set.recoveryCode ?? '', passphrase: another });
    await locked.close();
    const recovered = await copy.open({ keychain, passphrase: another });
    expect(await readNotes(recovered)).toBe(notes);
    await recovered.close();
  }));
