import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAddressAllowed, policyFilePath, readRulesFile } from '../../../../src/main/lib/policy-file.ts';
import { readPolicy } from '../../../../src/main/lib/read-policy.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const folder = givenTempProfile();
const path = (): string => join(folder(), 'policy.json');

test('a policy is where only an administrator writes, whatever the environment says', () => {
  expect(policyFilePath('linux')).toBe('/etc/claimdesk/policy.json');
  expect(policyFilePath('darwin')).toBe('/Library/Application Support/Claimdesk/policy.json');
  expect(policyFilePath('win32')).toBe('C:\\ProgramData\\Claimdesk\\policy.json');
});

test('no file prescribes nothing, and each rule is read', async () => {
  expect(await readPolicy(path())).toEqual({ rules: {}, sources: {}, isPolicyFileIgnored: false });
  const policy = {
    allowedServices: ['https://claims.example.com'],
    allowSsnExport: false,
    requireExportReason: true,
    maxLockMinutes: 5,
    requireUnlockPassphrase: true,
    allowUpdates: false,
    minAuditYears: 7,
  };
  await writeFile(path(), JSON.stringify(policy));
  expect((await readPolicy(path())).rules).toEqual(policy);
});

const notJson = 'The file isn’t valid JSON.';
test.each([
  ['cut short', '{"maxLockMinutes": 5', notJson],
  ['empty', '', notJson],
  ['a rule with a misspelled name', '{"maxLockMinute": 5}', 'There is no rule named “maxLockMinute”.'],
  ['a value out of range', '{"maxLockMinutes": 0}', 'The value of “maxLockMinutes” isn’t valid.'],
  [
    'a service that is no address',
    '{"allowedServices": ["claims.example.com"]}',
    'The value of “allowedServices” isn’t valid.',
  ],
  ['no object', 'null', 'There are no rules in it.'],
])('a damaged policy is not treated as none: %s', async (_what, text, problem) => {
  await writeFile(path(), text);
  await expect(readPolicy(path())).rejects.toEqual(
    expect.objectContaining({ code: 'policy.damaged', details: { path: path(), problem } }),
  );
});

test('one that can’t be read is not treated as none', async () => {
  await mkdir(path());
  await expect(readPolicy(path())).rejects.toEqual(
    expect.objectContaining({
      code: 'policy.damaged',
      details: { path: path(), problem: 'The file can’t be read.' },
    }),
  );
});

test('a file is read as the editors and shells of each system write it', async () => {
  const text = '{"requireExportReason": true}';
  const littleEndian = Buffer.from(`\uFEFF${text}`, 'utf16le');
  for (const bytes of [Buffer.from(`\uFEFF${text}`), littleEndian, Buffer.from(littleEndian).swap16()]) {
    await writeFile(path(), bytes);
    expect((await readPolicy(path())).rules).toEqual({ requireExportReason: true });
  }
  await writeFile(path(), Buffer.from([...Buffer.from('{"allowedServices": ["https://a/'), 0xff]));
  await expect(readPolicy(path())).rejects.toEqual(expect.objectContaining({ code: 'policy.damaged' }));
});

describe.skipIf(process.platform === 'win32')('who may change a policy', () => {
  /** Makes a file and its folder, owned by the user of this test; `read` checks them for another user. */
  async function givenModes(modes: { folder: number; file?: number }) {
    const place = join(folder(), 'etc');
    const file = join(place, 'policy.json');
    await mkdir(place);
    if (modes.file !== undefined) {
      await writeFile(file, policy);
      await chmod(file, modes.file);
    }
    await chmod(place, modes.folder);
    const { uid, gid } = await stat(place);
    const read = (person: Parameters<typeof readRulesFile>[1]) => readRulesFile(file, person)?.toString();
    return { read, place, uid, gid };
  }
  const refused = 'Someone who isn’t an administrator can change this file or its folder.';
  const policy = '{"maxLockMinutes": 5}';

  test('one that only others can change is accepted', async () => {
    const { read, uid, gid } = await givenModes({ folder: 0o755, file: 0o644 });
    expect(read({ uid: uid + 1_000, groups: [gid] })).toEqual(policy);
  });

  test.each<[string, { folder: number; file?: number }]>([
    ['the file, everybody', { folder: 0o755, file: 0o646 }],
    ['the file, their group', { folder: 0o755, file: 0o664 }],
    ['the folder, everybody', { folder: 0o757, file: 0o644 }],
    ['the folder, their group', { folder: 0o775, file: 0o644 }],
    ['the folder from which it may have been removed', { folder: 0o757 }],
  ])('one that this user can change is not: %s', async (_what, modes) => {
    const { read, uid, gid } = await givenModes(modes);
    expect(() => read({ uid: uid + 1_000, groups: [gid] })).toThrow(refused);
    // Root can change any.
    if (modes.file !== undefined) expect(read({ uid: 0, groups: [0] })).toEqual(policy);
  });

  test('a group of other people may', async () => {
    const { read, uid, gid } = await givenModes({ folder: 0o775, file: 0o664 });
    expect(read({ uid: uid + 1_000, groups: [gid + 1] })).toEqual(policy);
  });

  test('its owner is refused, because an owner can change the mode', async () => {
    const { read, place, uid } = await givenModes({ folder: 0o555, file: 0o444 });
    // Root would be taken: it gives the folder away.
    const owner = uid === 0 ? 1_000 : uid;
    if (uid === 0) await chown(place, owner, owner);
    expect(() => read({ uid: owner, groups: [] })).toThrow(refused);
    await chmod(place, 0o755);
  });
});

test.each([
  ['https://claims.example.com/tenants/ohio', true],
  ['https://CLAIMS.example.com:443', true],
  ['http://claims.example.com', false],
  ['https://claims.example.com.evil.example', false],
  ['https://claims.example.com:8443', false],
  ['no address', false],
])('of the addresses, %s: %s', (baseUrl, isAllowed) => {
  for (const rule of ['allowedServices', 'teamServers'] as const) {
    expect(isAddressAllowed({ [rule]: ['https://claims.example.com'] }, rule, baseUrl)).toBe(isAllowed);
    expect(isAddressAllowed({}, rule, baseUrl)).toBe(true);
    expect(isAddressAllowed({ [rule]: [] }, rule, baseUrl)).toBe(false);
  }
});
