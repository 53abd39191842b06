import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SavePurpose, saveExtensions } from '../../../../src/contract/save-target.ts';
import { givenTempProfile, makeTempFolder } from '../../../support/temp-profile.ts';
import { openTestDesk, type TestDeskOptions } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();
const open = (options: Partial<TestDeskOptions> = {}) =>
  openTestDesk({ profileDir: profileDir(), ...options });
/** A desk that saves files in a folder outside its profile. */
const openSaving = () => {
  const folder = makeTempFolder();
  const ports = { chooseSavePath: async (name: string) => join(folder, name) };
  return { ...open({ ports }), folder };
};

const makePem = (): string => {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};
const makeLockedPem = (passphrase: string): string => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString();
};
const workspace = { baseUrl: 'https://claims.example.com', email: 'ada@example.test' };

describe('importing', () => {
  test('a pasted key is shown only by its public half, and signs for the workspace without one', async () => {
    const { call, actions, audit } = open();
    const { id: workspaceId } = await call('workspaces:add', workspace);
    const text = makePem();
    const key = await call('keys:import', {
      source: { kind: 'text', text },
      name: 'Front desk',
      workspaceId,
    });
    expect(key).toMatchObject({ name: 'Front desk', type: 'ed25519', workspaceIds: [workspaceId] });
    expect(JSON.stringify(key)).not.toContain('PRIVATE');
    const second = await call('keys:import', { source: { kind: 'text', text: makePem() }, workspaceId });
    expect(second?.workspaceIds).toEqual([]);
    expect(actions()).toEqual(['workspace.added', 'key.imported', 'key.imported']);
    expect(audit[1]).toEqual({
      action: 'key.imported',
      workspaceId,
      details: { keyId: key?.id, type: 'ed25519', from: 'text' },
    });
  });

  test('a key from the clipboard does not stay there, nor one that was pasted; a failed one does', async () => {
    const clipboard = { text: makePem() };
    const drop = async (text: string): Promise<void> => {
      if (clipboard.text === text) clipboard.text = '';
    };
    const ports = { readClipboardText: async () => clipboard.text, dropFromClipboard: drop };
    const { call, fail } = open({ ports });
    await call('keys:import', { source: { kind: 'clipboard' } });
    expect(clipboard.text).toBe('');
    const pasted = makePem();
    clipboard.text = pasted;
    await call('keys:import', { source: { kind: 'text', text: pasted } });
    expect(clipboard.text).toBe('');
    clipboard.text = 'no key';
    await fail('keys:import', { source: { kind: 'clipboard' } });
    expect(clipboard.text).toBe('no key');
  });

  test('a key that is already here is reported', async () => {
    const { call, fail } = open();
    const source = { kind: 'text', text: makePem() } as const;
    const key = await call('keys:import', { source, name: 'Front desk' });
    expect(await fail('keys:import', { source })).toMatchObject({
      code: 'key.duplicate',
      details: { keyId: key?.id, name: 'Front desk' },
    });
  });

  test('a dropped file that is not text is read unchanged', async () => {
    const { call } = open();
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(makePem(), 'utf16le')]);
    const source = { kind: 'bytes', base64: wide.toString('base64') } as const;
    expect(await call('keys:import', { source })).toMatchObject({ type: 'ed25519' });
  });

  test('if only the passphrase was missing, the key need not be given again', async () => {
    const { call, fail } = open();
    const text = makeLockedPem('fixture passphrase');
    const first = await fail('keys:import', { source: { kind: 'text', text } });
    expect(first).toMatchObject({ code: 'key.passphraseNeeded', details: { sourceId: expect.any(String) } });
    const source = { kind: 'held', sourceId: String(first.details?.sourceId) } as const;
    const second = await fail('keys:import', { source, passphrase: 'wrong' });
    expect(second).toMatchObject({ code: 'key.wrongPassphrase', details: first.details });
    expect(await call('keys:import', { source, passphrase: 'fixture passphrase' })).toMatchObject({
      type: 'ecdsa-256',
    });
    expect(await fail('keys:import', { source })).toMatchObject({ code: 'key.sourceMissing' });
  });

  test('locking forgets a key that waits for its passphrase', async () => {
    const passphrase = 'correct horse battery';
    const { desk, call, fail } = open({ ports: { environment: { CLAIMDESK_VAULT_PASSPHRASE: passphrase } } });
    const held = await fail('keys:import', { source: { kind: 'text', text: makeLockedPem('p') } });
    await desk.lockNow();
    expect(await fail('keys:list', {})).toMatchObject({ code: 'app.locked' });
    await call('lock:unlock', { passphrase });
    const source = { kind: 'held', sourceId: String(held.details?.sourceId) } as const;
    expect(await fail('keys:import', { source, passphrase: 'p' })).toMatchObject({
      code: 'key.sourceMissing',
    });
  });

  test.each([
    ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ada@example', 'key.publicGiven'],
    ['not a key', 'key.notAKey'],
    ['', 'key.notAKey'],
  ])('%j is %s, and nothing is stored', async (text, code) => {
    const { call, fail, actions } = open();
    const error = await fail('keys:import', { source: { kind: 'text', text } });
    expect(error).toMatchObject({ code });
    expect(error.details?.sourceId).toBeUndefined();
    expect(await call('keys:list', {})).toEqual({ keys: [] });
    expect(actions()).toEqual([]);
  });

  test('a shell without a dialog or a clipboard says so', async () => {
    const { fail } = open();
    for (const kind of ['file', 'clipboard'] as const) {
      expect(await fail('keys:import', { source: { kind } })).toMatchObject({ code: 'app.unavailable' });
    }
  });

  test('a dialog and a clipboard are used if there are any', async () => {
    const path = join(profileDir(), 'chosen');
    let chosen: string | null = null;
    let copied = '';
    const { call, fail } = open({
      ports: { chooseOpenPath: async () => chosen, readClipboardText: async () => copied },
    });
    expect(await call('keys:import', { source: { kind: 'file' } })).toBeNull();
    chosen = path;
    expect(await fail('keys:import', { source: { kind: 'file' } })).toMatchObject({
      code: 'key.fileUnreadable',
    });
    await writeFile(path, makePem());
    expect(await call('keys:import', { source: { kind: 'file' } })).toMatchObject({ type: 'ed25519' });
    expect(await fail('keys:import', { source: { kind: 'clipboard' } })).toMatchObject({
      code: 'key.clipboardEmpty',
    });
    copied = makePem();
    expect(await call('keys:import', { source: { kind: 'clipboard' } })).toMatchObject({ type: 'ed25519' });
  });
});

describe('going out', () => {
  const saveTarget = async ({ call }: ReturnType<typeof open>, purpose: SavePurpose) =>
    (await call('files:chooseSaveTarget', { purpose, suggestedName: `key${saveExtensions[purpose]}` }))
      ?.targetId ?? '';

  test('a backup is not written into the profile that it would restore, by whichever path', async () => {
    const link = join(makeTempFolder(), 'link');
    await symlink(profileDir(), link);
    await mkdir(join(profileDir(), 'keys'), { recursive: true });
    let folder = '';
    const desk = open({ ports: { chooseSavePath: async (name) => join(folder, name) } });
    const key = await desk.call('keys:generate', { type: 'ed25519' });
    for (folder of [profileDir(), link, join(profileDir(), 'keys')]) {
      const targetId = await saveTarget(desk, 'keyBackup');
      expect(
        await desk.fail('keys:backUp', { keyId: key.id, passphrase: 'long enough now', targetId }),
      ).toMatchObject({ code: 'key.backupInProfile' });
      expect(existsSync(join(folder, 'key.key'))).toBe(false);
      expect(desk.actions()).not.toContain('key.backedUp');
    }
  });

  test('a backup is a file only for its owner, under a passphrase, and recorded', async () => {
    const desk = openSaving();
    const key = await desk.call('keys:generate', { type: 'ed25519' });
    const targetId = await saveTarget(desk, 'keyBackup');
    const weak = await desk.fail('keys:backUp', { keyId: key.id, passphrase: 'short', targetId });
    expect(weak).toMatchObject({ code: 'key.weakPassphrase' });
    // The place was not used up by that.
    const saved = await desk.call('keys:backUp', { keyId: key.id, passphrase: 'long enough now', targetId });
    const path = join(desk.folder, 'key.key');
    expect(saved).toEqual({ keyId: key.id, displayPath: path, fingerprint: key.fingerprint });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/);
    expect(desk.actions()).toEqual(['key.made', 'key.backedUp']);
    expect(
      await desk.fail('keys:backUp', { keyId: key.id, passphrase: 'long enough now', targetId }),
    ).toMatchObject({
      code: 'app.forbidden',
    });
  });

  test('the public key is saved as one line', async () => {
    const desk = open();
    const key = await desk.call('keys:generate', { type: 'ed25519' });
    const targetId = await saveTarget(desk, 'publicKey');
    expect(await desk.call('keys:savePublic', { keyId: key.id, targetId })).toEqual({
      displayPath: join(profileDir(), 'key.pub'),
    });
    expect(await readFile(join(profileDir(), 'key.pub'), 'utf8')).toBe(`${key.publicKey}\n`);
    expect((await stat(join(profileDir(), 'key.pub'))).mode & 0o777).toBe(0o644);
    expect(desk.actions()).toEqual(['key.made', 'key.publicSaved']);
  });

  test('a target is valid only for what it was chosen for', async () => {
    const desk = open();
    const { id: keyId } = await desk.call('keys:generate', { type: 'ed25519' });
    const forRecords = await saveTarget(desk, 'records');
    for (const [name, input] of [
      ['keys:backUp', { keyId, passphrase: 'long enough now', targetId: forRecords }],
      ['keys:savePublic', { keyId, targetId: forRecords }],
    ] as const)
      expect(await desk.fail(name, input), name).toMatchObject({ code: 'app.forbidden' });
    await expect(stat(join(profileDir(), 'key.csv'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('what can’t be written has a code', async () => {
    const desk = open({ ports: { chooseSavePath: async (name) => join(profileDir(), 'none', name) } });
    const key = await desk.call('keys:generate', { type: 'ed25519' });
    const targetId = await saveTarget(desk, 'publicKey');
    const error = await desk.fail('keys:savePublic', { keyId: key.id, targetId });
    expect(error).toMatchObject({ code: 'export.targetMissing' });
    const backupId = await saveTarget(desk, 'keyBackup');
    const unknown = await desk.fail('keys:backUp', {
      keyId: 'none',
      passphrase: 'long enough now',
      targetId: backupId,
    });
    expect(unknown).toMatchObject({ code: 'key.unknown' });
    expect(await desk.fail('keys:savePublic', { keyId: key.id, targetId: '/etc/x' })).toMatchObject({
      code: 'app.forbidden',
    });
    await mkdir(join(profileDir(), 'none', 'key.pub'), { recursive: true });
    expect(await desk.fail('keys:savePublic', { keyId: key.id, targetId })).toMatchObject({
      code: 'export.unwritable',
    });
  });
});
