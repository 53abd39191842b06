import { expect, test } from 'vitest';
import type { Policy } from '../../../../src/contract/policy.ts';
import { givenCheapSecrets } from '../../../support/cheap-secrets.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();
const open = (policy: Policy) => openTestDesk({ profileDir: profileDir(), ports: { policy } });
const allowed = { baseUrl: 'https://claims.example.com', email: 'a@b.example' };

test('a service that is not allowed is neither added nor signed for', async () => {
  const before = open({});
  const { id } = await before.call('workspaces:add', { ...allowed, baseUrl: 'https://old.example' });
  await before.call('keys:generate', { type: 'ed25519', workspaceId: id });
  const wanted = { workspaceId: id, offsetSeconds: 0, isFresh: true };
  expect(await (await before.main()).getToken(wanted)).toContain('.');
  await before.desk.close();

  const desk = open({ allowedServices: [allowed.baseUrl] });
  const added = await desk.fail('workspaces:add', { ...allowed, baseUrl: 'https://evil.example' });
  expect(added.code).toBe('policy.serviceNotAllowed');
  expect(await desk.call('workspaces:add', { ...allowed, baseUrl: 'claims.example.com' })).toMatchObject({
    baseUrl: allowed.baseUrl,
  });
  const main = await desk.main();
  await expect(main.getToken(wanted)).rejects.toMatchObject({
    code: 'policy.serviceNotAllowed',
  });
  await expect(main.requireService(id)).rejects.toMatchObject({ code: 'policy.serviceNotAllowed' });
  expect((await desk.call('app:getInfo', {})).policy).toEqual({ allowedServices: [allowed.baseUrl] });
});

test('without an unlock passphrase nothing is added or signed where one is required', async () => {
  const before = open({});
  const { id } = await before.call('workspaces:add', { ...allowed, baseUrl: 'https://old.example' });
  await before.call('keys:generate', { type: 'ed25519', workspaceId: id });
  await before.desk.close();

  const desk = open({ requireUnlockPassphrase: true });
  expect((await desk.fail('workspaces:add', allowed)).code).toBe('policy.passphraseNeeded');
  const wanted = { workspaceId: id, offsetSeconds: 0, isFresh: true };
  await expect((await desk.main()).getToken(wanted)).rejects.toMatchObject({
    code: 'policy.passphraseNeeded',
  });
});

test('a required unlock passphrase is not removed', async () => {
  givenCheapSecrets(profileDir());
  const desk = open({ requireUnlockPassphrase: true });
  expect(await desk.call('workspaces:add', allowed)).toMatchObject({ baseUrl: allowed.baseUrl });
  const refused = await desk.fail('unlock:removePassphrase', { current: 'correct horse battery staple' });
  expect(refused.code).toBe('policy.passphraseKept');
});

test('a person chooses within the limits, also what was chosen before there were any', async () => {
  const before = open({});
  await before.call('settings:set', { lockAfterMinutes: 60, auditYears: 1 });
  await before.desk.close();
  const desk = open({ maxLockMinutes: 5, minAuditYears: 7, allowUpdates: false, backupFolder: '/backups' });
  const limited = { lockAfterMinutes: 5, auditYears: 7, installsUpdates: false, backupFolder: '/backups' };
  expect(await desk.call('settings:get', {})).toMatchObject(limited);
  for (const beyond of [{ lockAfterMinutes: 6 }, { auditYears: 6 }, { installsUpdates: true }])
    expect((await desk.fail('settings:set', beyond)).code).toBe('policy.setByOrganization');
  expect(await desk.call('settings:set', { lockAfterMinutes: 4, theme: 'dark' })).toMatchObject({
    lockAfterMinutes: 4,
    auditYears: 7,
    theme: 'dark',
  });
});
