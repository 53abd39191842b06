import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { profilePaths } from '../../../src/main/lib/paths.ts';
import { syncWorkspace } from '../../../src/main/shells/cli/commands/sync.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { fieldsToFetch } from '../../../src/renderer/domain/list/list-query.ts';
import { toListQuery } from '../../../src/renderer/domain/list/list-settings.ts';
import { findSession, namedViews, settingsOf } from '../../../src/renderer/domain/list/view-settings.ts';
import { vaultPassphrase } from '../../support/cheap-secrets.ts';
import { deleteKeyAt } from '../../support/key-page.ts';
import {
  describeProfile,
  type ProfileDescription,
} from '../../support/profile-fixture/describe-profile-0.2.ts';
import {
  type FixtureVariant,
  fixturePath,
  openProfileFixture,
  type ProfileFixture,
  readSent,
} from '../../support/profile-fixture/open-profile-0.2.ts';
import { parseExactly } from '../../support/profile-fixture/parse-exactly.ts';
import { readStored } from '../../support/profile-fixture/read-stored.ts';
import { startRecordedService } from '../../support/profile-fixture/recorded-service.ts';
import { runInSecretService } from '../../support/secret-service.ts';
import { openTestDesk } from '../../support/test-desk.ts';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';

const quiet = { json: async () => undefined, line: async () => undefined, info: () => undefined };

/** The profile of version 0.2 that test/fixtures/profile-0.2/README.md describes, opened by the code of today. */
let fixture: ProfileFixture<'keychain'>;
let session: Session;
beforeAll(async () => {
  fixture = await openProfileFixture('keychain');
  session = await fixture.open();
});
afterAll(async () => {
  await session?.close();
  await fixture?.remove();
});

/** Since version 0.3 a claim line that came alone, in the place of a list of lines, is one. */
const withOddLines = <S extends { readonly lines: number }>(summary: S): S => ({
  ...summary,
  lines: summary.lines + 1,
});

const workspaceOf = ({ expected }: ProfileFixture, name: string) => {
  const found = expected.workspaces.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
};

async function withFixture<Variant extends FixtureVariant>(
  variant: Variant,
  act: (copy: ProfileFixture<Variant>) => Promise<void>,
): Promise<void> {
  const copy = await openProfileFixture(variant);
  return act(copy).finally(() => copy.remove());
}

test('with the system’s keychain everything is found: settings, keys, workspaces, reviews, views, audit log', () =>
  withFixture('keychain', async (copy) => {
    const { retiredKeyId, connectWaiting: _waiting, ...expected } = copy.expected;
    const program = fileURLToPath(new URL('open-keychain-profile.ts', import.meta.url));
    const { exitCode, stdout, stderr } = await runInSecretService([
      ...[process.execPath, program, copy.profileDir, fixturePath('keychain.json')],
    ]);
    expect(exitCode, stderr).toBe(0);
    const { secrets, ...found } = JSON.parse(stdout) as ProfileDescription & { secrets: unknown };
    expect(secrets).toEqual({ kind: 'keychain', state: 'ready' });
    // Not compared: eligible and open amounts, sums and worklists, which follow from the rules of today; and settings
    // that later versions do not have.
    // The history names the judged claim of a pair since version 0.3.
    const [northwind] = expected.workspaces;
    if (northwind !== undefined) northwind.records.summary = withOddLines(northwind.records.summary);
    for (const { reviews } of expected.workspaces)
      for (const event of reviews.events)
        if (event.fact.kind === 'judgeDuplicate') Object.assign(event, { claimId: expect.any(Number) });
    // Rules and plan years of employers are stored by their service since version 0.3.
    const byService = (values: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(
        Object.entries(values).map(([key, value]) => {
          const [id, employerId] = key.split('/');
          const { baseUrl = '' } = expected.workspaces.find((one) => one.id === id) ?? {};
          return [employerId === undefined ? baseUrl : `${baseUrl}#${employerId}`, value];
        }),
      );
    const { planYearStarts, reimbursementRules } = expected.settings;
    expect(Object.keys({ ...planYearStarts, ...reimbursementRules })).toHaveLength(4);
    expect(found).toMatchObject({
      ...expected,
      settings: {
        ...expected.settings,
        planYearStarts: byService(planYearStarts),
        reimbursementRules: byService(reimbursementRules),
      },
    });
    expect(found.audit).toMatchObject({ isIntact: true, verified: found.audit.total });
    expect(found.keys.map(({ id }) => id)).not.toContain(retiredKeyId);
    // The fixture has the kinds of keys, events and outcomes that it is meant to hold.
    expect(new Set(found.keys.map(({ type }) => type)).size).toBe(6);
    const { reviews } = workspaceOf(copy, 'Northwind');
    expect(new Set(reviews.events.map(({ fact }) => fact.kind)).size).toBe(13);
    expect(new Set(Object.values(reviews.byClaim).map(({ outcome }) => outcome)).size).toBe(7);
  }));

test('its decisions change the amounts of their claims, and partly eligible ones are as the rules give', async () => {
  const { id: workspaceId, reviews } = workspaceOf(fixture, 'Northwind');
  const outcomes = new Set<string>();
  for (const { claimId, outcome } of Object.values(reviews.byClaim)) {
    const found = await session.call('reviews:get', { workspaceId, claimId });
    const { byRules, eligible, declined, disputed, open, reimbursed, chain } = found;
    expect(found).toMatchObject({ outcome, partly: null, cause: null });
    const isEligible = outcome === null || outcome === 'eligible' || outcome === 'partlyEligible';
    expect({ claimId, eligible, declined, disputed, open }).toEqual({
      claimId,
      eligible: isEligible ? byRules : 0,
      declined: isEligible || outcome === 'disputed' ? 0 : byRules,
      disputed: outcome === 'disputed' ? byRules : 0,
      // The open amount of a chain is shown on the claim that counts.
      open: chain !== null ? open : eligible === null ? null : Math.max(0, eligible - reimbursed),
    });
    outcomes.add(outcome ?? 'none');
  }
  expect(outcomes.size).toBe(7);
});

test('the card of the first start counts the claims in its list, and dismissing it ends it', async () => {
  const { id: workspaceId } = workspaceOf(fixture, 'Northwind');
  await session.call('worklists:update', { workspaceId });
  const { moved } = await session.call('worklists:counts', { workspaceId });
  const query = {
    ...{ entity: 'claims' as const, includesMissing: true, includesArchived: true },
    conditions: [{ field: 'facts.chain_moved', operator: 'isNotEmpty' as const, values: [] }],
  };
  const { total, snapshotId } = await session.call('records:open', { workspaceId, query });
  const fields = ['facts.chain_moved'];
  const { rows } = await session.call('records:getWindow', {
    workspaceId,
    snapshotId,
    offset: 0,
    limit: 500,
    fields,
  });
  const amounts = rows.map((row) => Number(row['facts.chain_moved']));
  const sum = amounts.reduce((all, one) => all + one, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBe(rows.length);
  expect(moved).toEqual(total === 0 ? null : { claims: total, amount: sum });
  expect(amounts).not.toContain(0);
  await session.call('worklists:dismissMoved', { workspaceId });
  expect((await session.call('worklists:counts', { workspaceId })).moved).toBeNull();
});

test('every record is equal as JSON to what the service sent', async () => {
  const { id: workspaceId } = workspaceOf(fixture, 'Northwind');
  for (const list of ['members', 'claims'] as const) {
    const stored = (await readStored(session, workspaceId, list)).map((text) => parseExactly(text));
    const sent = new Map(
      readSent(list)
        .map((text) => parseExactly(text))
        .map((one) => [one.id, one]),
    );
    expect(stored.length).toBe(sent.size);
    const isOther = (record: { id: number }) => !isDeepStrictEqual(sent.get(record.id), record);
    expect(stored.filter(isOther)).toEqual([]);
  }
});

test('its views and lists are as they were left', async () => {
  const { id: workspaceId } = workspaceOf(fixture, 'Northwind');
  const { views } = await session.call('views:list', { workspaceId });
  const left = findSession(views)?.lists;
  const named = namedViews(views).map(({ content }) => content);
  expect(named.map(({ entity, worklist }) => worklist ?? entity).toSorted()).toEqual([
    'claims',
    'members',
    'toDecide',
  ]);
  for (const { entity, view } of named) {
    const settings = settingsOf(entity, view);
    expect(settings.columns).toEqual(view.columns);
    const query = toListQuery({ entity, initial: settings }, settings);
    const fields = fieldsToFetch(entity, settings.columns);
    const { rows } = await session.call('records:begin', { workspaceId, query, limit: 50, fields });
    if (entity === 'members') expect(rows.length).toBe(31);
  }
  expect(left?.claims).toEqual(named.find(({ view }) => view.search === 'mri')?.view);
});

test('a validation and a sign-in on the carrier’s page are continued', async () => {
  const waiting = fixture.expected.connectWaiting;
  const { id: workspaceId } = workspaceOf(fixture, 'Northwind');
  const { employers } = await session.call('connect:listEmployers', { workspaceId });
  expect(employers.find(({ name }) => name === 'Newly Founded, Inc.')).toMatchObject({
    systemKey: 'NEWCO-1',
    vendor: 'northwind-benefits',
  });
  const { validations } = await session.call('connect:listValidations', { workspaceId });
  expect(validations).toMatchObject([
    { policyHolderId: waiting.policyHolderId, email: waiting.email, payerId: 16, outcome: null },
  ]);
  const signIn = await session.call('connect:getPatientAccess', {
    workspaceId,
    email: waiting.patientAccess,
  });
  expect(signIn).toMatchObject({ email: waiting.patientAccess, payerId: 17, phase: 'waiting' });
});

test('every key signs, and both rotations continue', () =>
  withFixture('keychain', async (copy) => {
    const { email, id: workspaceId, rotation } = workspaceOf(copy, 'Northwind');
    const lakeside = workspaceOf(copy, 'Lakeside');
    let sandbox: Sandbox | null = null;
    let opened: Session | null = null;
    try {
      sandbox = await startSandbox('--members', '5', '--claims', '5', '--email', email);
      copy.setAddress(workspaceId, sandbox.baseUrl);
      // No workspace uses the spare keys: the user lets them sign for this one.
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
    }
  }));

test('the paused sync continues; claims received unchanged are not read as changed', () =>
  withFixture('keychain', async (copy) => {
    const { id: workspaceId, sync, records } = workspaceOf(copy, 'Northwind');
    const service = await startRecordedService({ members: readSent('members'), claims: readSent('claims') });
    copy.setAddress(workspaceId, service.baseUrl);
    const opened = await copy.open();
    try {
      const { receipt } = await syncWorkspace(opened, workspaceId, quiet, false);
      // New: the members that were read before the pause. Returned: what the service had deleted, a member among it.
      const returned = records.claimsWithMissing - records.summary.claims + 1;
      const changes = { new: sync.lastChanges.counts.new, changed: 0, missing: 0, returned };
      expect(receipt).toMatchObject({ proof: 'complete', changes });
    } finally {
      await opened.close();
      await service.close();
    }
  }));

test('a profile with a passphrase opens with that or the recovery code, and contains everything', () =>
  withFixture('passphrase', async (copy) => {
    const { recoveryCode, ...expected } = copy.expected;
    const first = await copy.open();
    expect(await describeProfile(first)).toMatchObject(expected);
    await first.close();

    const locked = await copy.open({ passphrase: 'another passphrase' });
    await expect(locked.call('audit:verify', {})).rejects.toMatchObject({ code: 'vault.wrongPassphrase' });
    const chosen = 'a passphrase of twelve';
    await locked.call('unlock:recover', { code: recoveryCode, passphrase: chosen });
    await locked.close();
    const recovered = await copy.open({ passphrase: chosen });
    expect((await recovered.call('keys:list', {})).keys).toMatchObject(expected.keys);
    expect(await recovered.call('audit:verify', {})).toMatchObject({ isIntact: true });
    await recovered.close();
  }));

test('its single file of secrets gets a copy, which opens it after the file is lost', () =>
  withFixture('passphrase', async (copy) => {
    const first = await copy.open();
    await first.call('audit:verify', {});
    await first.close();
    rmSync(profilePaths(copy.profileDir).secrets);
    const again = await copy.open();
    expect(await again.call('audit:verify', {})).toMatchObject({ isIntact: true });
    expect((await again.call('keys:list', {})).keys).toMatchObject(copy.expected.keys);
    await again.close();
    expect(existsSync(profilePaths(copy.profileDir).secrets)).toBe(true);
  }));

test('without its passphrase it stays locked', () =>
  withFixture('passphrase', async (copy) => {
    const desk = openTestDesk({ profileDir: copy.profileDir, watchesIdle: true });
    expect(desk.desk.isLocked).toBe(true);
    expect((await desk.fail('lock:unlock', {})).code).toBe('vault.passphraseNeeded');
    await desk.call('lock:unlock', { passphrase: vaultPassphrase });
    expect(desk.desk.isLocked).toBe(false);
    await desk.desk.close();
  }));

test('with a passphrase set, a copy on a computer without its keychain opens with it', () =>
  withFixture('keychain', async (copy) => {
    const passphrase = 'a passphrase of twelve';
    const first = await copy.open({ confirm: async () => true });
    await first.call('unlock:setPassphrase', { passphrase });
    await first.close();
    const elsewhere = await copy.open({ keychain: createEphemeralStore(), passphrase });
    const { id: workspaceId, records, reviews } = workspaceOf(copy, 'Northwind');
    expect(await elsewhere.call('records:getSummary', { workspaceId })).toEqual(
      withOddLines(records.summary),
    );
    const found = await elsewhere.call('reviews:listEvents', { workspaceId, offset: 0, limit: 1 });
    expect(found.total).toBe(reviews.events.length);
    await elsewhere.close();
  }));
