import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Policy, type PolicyRule, policyRules } from '../../../src/contract/policy.ts';
import { standardOutput } from '../../../src/contract/save-target.ts';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { listenOnLoopback } from '../../../src/main/lib/loopback/loopback-server.ts';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { type Updater, watchUpdates } from '../../../src/main/shells/electron/watch-updates.ts';
import { givenPolicyFile } from '../../support/policy-file.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';
import { openTestDesk } from '../../support/test-desk.ts';

const profileDir = givenTempProfile();

/** Main's half of the app, with one rule. */
function openDesk(policy: Policy, options: Omit<Parameters<typeof openTestDesk>[0], 'profileDir'> = {}) {
  const opened = openTestDesk({
    profileDir: profileDir(),
    ...options,
    ports: { policy, ...options.ports },
  });
  onTestFinished(() => opened.desk.close());
  return opened;
}

const service = { baseUrl: 'https://other.example', email: 'a@b.example' };

/** The code with which the engine refuses an export under a rule. */
async function refuseExport(policy: Policy, isSsnShown: boolean, reason: string): Promise<string> {
  const session = await openSession({
    options: {},
    writes: true,
    profileDir: join(profileDir(), 'engine'),
    secrets: createEphemeralStore(),
    policyFile: await givenPolicyFile(profileDir(), policy),
  });
  const source = { kind: 'list', query: { entity: 'claims' } } as const;
  const started = { workspaceId: 'none', source, format: 'csv', targetId: 'none', reason } as const;
  const refused = await session.call('export:start', started, { isSsnShown }).then(
    () => 'started',
    ({ code }: { code: string }) => code,
  );
  await session.close();
  return refused;
}

/** Where the updater looks for updates, and how often it did. */
async function lookForUpdates(policy: Policy) {
  const { desk } = openDesk(policy);
  const setFeedURL = vi.fn();
  const checkForUpdates = vi.fn(async () => null);
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { promise: isAllowed, resolve: allow } = Promise.withResolvers<boolean>();
  const updates = watchUpdates({
    platform: 'win32',
    address: policy.updateAddress,
    async mayUpdate() {
      const settings = await desk.call('settings:get', {});
      allow(settings.ok && (settings.value as { installsUpdates: boolean }).installsUpdates);
      return isAllowed;
    },
    load: async () => ({ setFeedURL, checkForUpdates }) as unknown as Updater,
    system: { once: vi.fn() },
    onFailed: (thrown) => expect(thrown).toBeNull(),
  });
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await isAllowed;
  // The check follows in microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  await updates.end();
  return { addresses: setFeedURL.mock.calls.flat(), checks: checkForUpdates.mock.calls.length };
}

/** What each rule of the table does; a rule without an entry does not compile. */
const effects = {
  async allowedServices() {
    const { fail } = openDesk({ allowedServices: ['https://claims.example.com'] });
    expect((await fail('workspaces:add', service)).code).toBe('policy.serviceNotAllowed');
  },
  async teamServers() {
    const desk = openDesk({ teamServers: ['https://team.example.com'] });
    const { id: workspaceId } = await desk.call('workspaces:add', service);
    await desk.call('keys:generate', { type: 'ed25519', workspaceId });
    const team = { server: 'https://other.example', teamId: 'a'.repeat(32), isSetUp: true };
    const binding = (await desk.main()).bindTeam({ workspaceId, ...team } as never);
    await expect(binding).rejects.toMatchObject({ code: 'team.serverNotAllowed' });
  },
  async requireUnlockPassphrase() {
    const { fail } = openDesk({ requireUnlockPassphrase: true });
    expect((await fail('workspaces:add', service)).code).toBe('policy.passphraseNeeded');
  },
  async maxLockMinutes() {
    const { call, fail } = openDesk({ maxLockMinutes: 5 });
    expect((await call('settings:get', {})).lockAfterMinutes).toBe(5);
    expect((await fail('settings:set', { lockAfterMinutes: 6 })).code).toBe('policy.setByOrganization');
  },
  async allowSsnExport() {
    expect(await refuseExport({ allowSsnExport: false }, true, 'appeal')).toBe('policy.ssnMasked');
  },
  async requireExportReason() {
    expect(await refuseExport({ requireExportReason: true }, false, '')).toBe('policy.reasonNeeded');
  },
  async exportFormats() {
    const refuse = (exportFormats: Policy['exportFormats']) =>
      refuseExport({ exportFormats }, false, 'appeal');
    expect(await refuse(['xlsx', 'pdf'])).toBe('policy.formatNotAllowed');
    expect(await refuse([])).toBe('policy.formatNotAllowed');
    expect(await refuse(['csv'])).not.toMatch(/^policy/);
  },
  async exportFolders() {
    const [allowed, other] = [join(profileDir(), 'allowed'), join(profileDir(), 'other')];
    for (const made of [join(allowed, 'below'), other]) await mkdir(made, { recursive: true });
    await symlink(other, join(allowed, 'link'));
    const suggested: unknown[] = [];
    let path = '';
    let isPrinted = false;
    const { call, fail, main } = openDesk(
      { exportFolders: [join(profileDir(), 'none'), allowed] },
      {
        ports: {
          chooseSavePath: async (name, folder) => {
            suggested.push(folder);
            return isPrinted ? standardOutput : join(path, name);
          },
        },
      },
    );
    const target = { purpose: 'records', suggestedName: 'claims.csv' } as const;
    for (path of [allowed, join(allowed, 'below')])
      expect(await call('files:chooseSaveTarget', target)).toMatchObject({
        displayPath: join(path, 'claims.csv'),
      });
    const linked = join(allowed, 'link');
    for (path of [
      other,
      profileDir(),
      `${allowed}-2`,
      linked,
      join(linked, 'new'),
      join(allowed, '..', 'other'),
    ])
      expect((await fail('files:chooseSaveTarget', target)).code).toBe('policy.folderNotAllowed');
    path = join(allowed, 'new', 'below');
    const chosen = await Promise.all([1, 2].map(() => call('files:chooseSaveTarget', target)));
    const [resolveFirst, resolveSecond] = chosen.map((answer) => async () => {
      const { targetId } = answer as { targetId: string };
      return await (await main()).resolveSaveTarget({ targetId, purpose: 'records' });
    });
    expect(await resolveFirst?.()).toBe(join(path, 'claims.csv'));
    await symlink(other, join(allowed, 'new'));
    await expect(resolveSecond?.()).rejects.toMatchObject({ code: 'policy.folderNotAllowed' });
    expect(new Set(suggested)).toEqual(new Set([allowed]));
    path = other;
    const key = { purpose: 'keyBackup', suggestedName: 'claims.key' } as const;
    expect(await call('files:chooseSaveTarget', key)).toMatchObject({
      displayPath: join(other, 'claims.key'),
    });
    isPrinted = true;
    expect(await call('files:chooseSaveTarget', target)).toMatchObject({ displayPath: standardOutput });
    const none = openDesk({ exportFolders: [join(profileDir(), 'none')] });
    expect((await none.fail('files:chooseSaveTarget', target)).code).toBe('policy.folderNotAllowed');
  },
  async minAuditYears() {
    const { call, fail } = openDesk({ minAuditYears: 7 });
    expect((await call('settings:get', {})).auditYears).toBe(7);
    expect((await fail('settings:set', { auditYears: 6 })).code).toBe('policy.setByOrganization');
  },
  async backupFolder() {
    const { call } = openDesk({ backupFolder: '/srv/backups' });
    expect((await call('settings:get', {})).backupFolder).toBe('/srv/backups');
  },
  async auditTarget() {
    const receiver = await listenOnLoopback((request, response) => {
      paths.push(request.url ?? '');
      request.resume().on('end', () => response.end());
    }, '127.0.0.1');
    const paths: string[] = [];
    const session = await openSession({
      options: {},
      writes: true,
      profileDir: join(profileDir(), 'engine'),
      secrets: createEphemeralStore(),
      policyFile: await givenPolicyFile(profileDir(), {
        auditTarget: `http://127.0.0.1:${receiver.port}/siem`,
      }),
    });
    await session.call('workspaces:add', service);
    await session.close();
    await receiver.close();
    expect(paths).toContain('/siem');
  },
  async minRefreshMinutes() {
    const { call, fail } = openDesk({ minRefreshMinutes: 60 });
    expect((await call('settings:get', {})).autoRefreshMinutes).toBe(60);
    expect((await fail('settings:set', { autoRefreshMinutes: 59 })).code).toBe('policy.setByOrganization');
    expect((await call('settings:set', { autoRefreshMinutes: 0 })).autoRefreshMinutes).toBe(0);
  },
  async maxRefreshMinutes() {
    const { call, fail } = openDesk({ maxRefreshMinutes: 15 });
    expect((await call('settings:get', {})).autoRefreshMinutes).toBe(15);
    for (const autoRefreshMinutes of [0, 16])
      expect((await fail('settings:set', { autoRefreshMinutes })).code).toBe('policy.setByOrganization');
    expect((await call('settings:set', { autoRefreshMinutes: 5 })).autoRefreshMinutes).toBe(5);
  },
  async allowSample() {
    expect((await openDesk({ allowSample: false }).fail('sample:open', {})).code).toBe(
      'policy.sampleNotAllowed',
    );
    expect((await openDesk({ allowSample: true }).fail('sample:open', {})).code).toBe('sandbox.failed');
  },
  async updateAddress() {
    const updateAddress = 'https://updates.example.com/claimdesk';
    expect(await lookForUpdates({ updateAddress })).toEqual({ addresses: [updateAddress], checks: 1 });
    expect(await lookForUpdates({})).toEqual({ addresses: [], checks: 1 });
  },
  async allowUpdates() {
    expect(await lookForUpdates({ allowUpdates: false })).toEqual({ addresses: [], checks: 0 });
    const { fail } = openDesk({ allowUpdates: false });
    expect((await fail('settings:set', { installsUpdates: true })).code).toBe('policy.setByOrganization');
  },
} satisfies Record<PolicyRule, () => Promise<void>>;

test.each(Object.entries(effects))('%s, once set, has its effect', async (name, seeEffect) => {
  expect(Object.keys(policyRules)).toContain(name);
  await seeEffect();
});

test('two equal rules on refreshes mean a fixed time', async () => {
  const { call, fail } = openDesk({ minRefreshMinutes: 60, maxRefreshMinutes: 60 });
  expect((await call('settings:get', {})).autoRefreshMinutes).toBe(60);
  for (const autoRefreshMinutes of [0, 30, 1440])
    expect((await fail('settings:set', { autoRefreshMinutes })).code).toBe('policy.setByOrganization');
});
