import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isServiceAllowed, policyFilePath, readPolicy } from '../../../../src/main/lib/policy-file.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const folder = givenTempProfile();
const path = (): string => join(folder(), 'policy.json');

test('a policy lies where only an administrator writes, whatever the environment says', () => {
  expect(policyFilePath('linux')).toBe('/etc/claimdesk/policy.json');
  expect(policyFilePath('darwin')).toBe('/Library/Application Support/Claimdesk/policy.json');
  expect(policyFilePath('win32')).toBe('C:\\ProgramData\\Claimdesk\\policy.json');
});

test('no file prescribes nothing, and each rule is read', async () => {
  expect(readPolicy(path())).toEqual({});
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
  expect(readPolicy(path())).toEqual(policy);
});

test.each([
  ['cut short', '{"maxLockMinutes": 5'],
  ['empty', ''],
  ['a rule with a misspelled name', '{"maxLockMinute": 5}'],
  ['a value out of range', '{"maxLockMinutes": 0}'],
  ['a service that is no address', '{"allowedServices": ["claims.example.com"]}'],
  ['no object', 'null'],
])('a damaged policy is not taken for none: %s', async (_what, text) => {
  await writeFile(path(), text);
  expect(() => readPolicy(path())).toThrow(
    expect.objectContaining({ code: 'policy.damaged', details: { path: path() } }),
  );
});

test('one that cannot be read is not taken for none', async () => {
  await mkdir(path());
  expect(() => readPolicy(path())).toThrow(expect.objectContaining({ code: 'policy.damaged' }));
});

test.each([
  ['https://claims.example.com/tenants/ohio', true],
  ['https://CLAIMS.example.com:443', true],
  ['http://claims.example.com', false],
  ['https://claims.example.com.evil.example', false],
  ['https://claims.example.com:8443', false],
  ['no address', false],
])('of the services, %s: %s', (baseUrl, isAllowed) => {
  expect(isServiceAllowed({ allowedServices: ['https://claims.example.com'] }, baseUrl)).toBe(isAllowed);
  expect(isServiceAllowed({}, baseUrl)).toBe(true);
  expect(isServiceAllowed({ allowedServices: [] }, baseUrl)).toBe(false);
});
