import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createConnectFile } from '../../../../../src/main/engine/connect/connect-file.ts';
import { testBytes } from '../../../../support/seeds.ts';

const key = testBytes(32);
const open = (path: string, options: { key?: Buffer; isReadOnly?: boolean } = {}) =>
  createConnectFile({
    path,
    readKey: async () => options.key ?? key,
    isReadOnly: options.isReadOnly ?? false,
  });
function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-sealed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'workspace', 'connect.sealed');
}
const rename = (publicToken: string) => (data: Awaited<ReturnType<ReturnType<typeof open>['read']>>) => ({
  ...data,
  settings: { ...data.settings, publicToken },
});

test('what was written is read back, and nothing of it is in the file', async () => {
  const path = newPath();
  expect((await open(path).read()).settings.publicToken).toBeNull();
  await open(path).update(rename('pk_canary'));
  expect((await open(path).read()).settings.publicToken).toBe('pk_canary');
  expect(readFileSync(path).includes('pk_canary')).toBe(false);
});

test('changes at once come one after the other', async () => {
  const file = open(newPath());
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      file.update((data) => ({
        ...data,
        payers: [...data.payers, { scope: String(index), payers: [] }],
      })),
    ),
  );
  expect((await file.read()).payers).toHaveLength(20);
});

test('another key, or a flipped byte, is damage and not an empty file', async () => {
  const path = newPath();
  await open(path).update(rename('pk_1'));
  await expect(open(path, { key: testBytes(32, 2) }).read()).rejects.toMatchObject({
    code: 'profile.damaged',
  });
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  await expect(open(path).read()).rejects.toMatchObject({ code: 'profile.damaged' });
});

test('a process that may not write keeps changes to itself', async () => {
  const path = newPath();
  await open(path).update(rename('pk_1'));
  const reader = open(path, { isReadOnly: true });
  await reader.update(rename('pk_2'));
  expect((await open(path).read()).settings.publicToken).toBe('pk_1');
});

test('a file of version 0.1, which kept no employers, opens with none', async () => {
  const path = newPath();
  await open(path).update((data) => {
    const { employers: _none, ...before } = { ...rename('pk_1')(data) };
    return before as typeof data;
  });
  expect(await open(path).read()).toMatchObject({ settings: { publicToken: 'pk_1' }, employers: [] });
});
