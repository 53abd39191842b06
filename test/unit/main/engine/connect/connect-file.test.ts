import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createConnectFile } from '../../../../../src/main/engine/connect/connect-file.ts';
import { testBytes } from '../../../../support/seeds.ts';
import { makeTempFolder } from '../../../../support/temp-profile.ts';

const key = testBytes(32);
interface Options {
  key?: Buffer;
  isReadOnly?: boolean;
  now?: () => number;
  onRestored?: () => void;
}
const open = (path: string, options: Options = {}) =>
  createConnectFile({
    path,
    readKey: async () => options.key ?? key,
    isReadOnly: options.isReadOnly ?? false,
    clock: { now: options.now ?? (() => Date.parse('2026-03-02T08:00:00Z')) },
    onBackupFailed: (thrown) => {
      throw thrown;
    },
    onRestored: options.onRestored ?? (() => undefined),
  });
const backupsOf = (path: string): string[] => {
  const folder = join(dirname(path), 'backups');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
function newPath(): string {
  return join(makeTempFolder(), 'workspace', 'connect.sealed');
}
const rename = (publicToken: string) => (data: Awaited<ReturnType<ReturnType<typeof open>['read']>>) => ({
  ...data,
  settings: { ...data.settings, publicToken },
});

test('what was written is read back, and nothing of it is in plain text in the file', async () => {
  const path = newPath();
  expect((await open(path).read()).settings.publicToken).toBeNull();
  await open(path).update(rename('pk_canary'));
  expect((await open(path).read()).settings.publicToken).toBe('pk_canary');
  expect(readFileSync(path).includes('pk_canary')).toBe(false);
});

test('simultaneous changes are made one after another', async () => {
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
  damage(path);
  rmSync(join(dirname(path), 'backups'), { recursive: true });
  await expect(open(path).read()).rejects.toMatchObject({ code: 'profile.damaged' });
});

test('a process that may not write keeps changes to itself', async () => {
  const path = newPath();
  await open(path).update(rename('pk_1'));
  const reader = open(path, { isReadOnly: true });
  await reader.update(rename('pk_2'));
  expect((await open(path).read()).settings.publicToken).toBe('pk_1');
});

test('a damaged file is replaced by its newest backup that can be read', async () => {
  const path = newPath();
  let hour = 0;
  const now = () => Date.parse('2026-03-02T08:00:00Z') + hour * 3_600_000;
  const file = open(path, { now });
  await file.update(rename('pk_1'));
  await file.update(rename('pk_2'));
  hour = 25;
  await file.update(rename('pk_3'));
  hour = 50;
  await file.update(rename('pk_4'));
  expect(backupsOf(path)).toHaveLength(3);
  await file.close();

  damage(path);
  damage(join(dirname(path), 'backups', backupsOf(path)[2] ?? ''));
  expect((await open(path, { isReadOnly: true }).read()).settings.publicToken).toBe('pk_3');
  let restored = 0;
  const onRestored = () => {
    restored += 1;
  };
  expect((await open(path, { onRestored }).read()).settings.publicToken).toBe('pk_3');
  expect((await open(path, { onRestored }).read()).settings.publicToken).toBe('pk_3');
  expect(restored).toBe(1);
});

test('a file that opens but has other contents, such as of a newer version, is never replaced', async () => {
  const path = newPath();
  const file = open(path);
  await file.update(rename('pk_1'));
  await file.update((data) => ({ ...data, settings: { ...data.settings, base: 'next' as 'current' } }));
  const bytes = readFileSync(path);
  await expect(open(path).read()).rejects.toMatchObject({ code: 'profile.damaged' });
  expect(readFileSync(path)).toEqual(bytes);
});

test('the newest backup of a day stays; what is removed is in none', async () => {
  const path = newPath();
  let hour = 0;
  const file = open(path, { now: () => Date.parse('2026-03-02T08:00:00Z') + hour * 3_600_000 });
  for (hour = 0; hour < 6; hour += 1) await file.update(rename(`pk_${hour}`));
  expect(backupsOf(path)).toEqual(['connect.sealed-20260302T130000000Z']);
  await file.forget(rename('pk_after'));
  expect(backupsOf(path)).toEqual([]);
  expect((await open(path).read()).settings.publicToken).toBe('pk_after');
});

test('a check reads what is on the disk, and has damage rewritten', async () => {
  const path = newPath();
  const file = open(path);
  expect(await file.check(false)).toBeNull();
  await file.update(rename('pk_1'));
  expect(await file.check(false)).toMatchObject({ isSound: true, problems: 0 });
  damage(path);
  expect(await file.check(true)).toMatchObject({ isSound: false, problems: 1, isFull: true });
  expect(await file.check(false)).toMatchObject({ isSound: true });
  expect((await open(path).read()).settings.publicToken).toBe('pk_1');
});
