import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../../../../../src/main/engine/store/file/database.ts';
import { checkStoreKey, writeKeyCheck } from '../../../../../../src/main/engine/store/file/key-check.ts';
import { testBytes } from '../../../../../support/seeds.ts';
import { makeTempFolder } from '../../../../../support/temp-folder.ts';

let path: string;
const key = testBytes(32);
beforeEach(() => {
  path = join(makeTempFolder(), 'records.db');
});

test('distinguishes the key from others without the file, and does not reveal it', () => {
  expect(checkStoreKey(path, key)).toBe('unknown');
  writeKeyCheck(path, key);
  expect(checkStoreKey(path, key)).toBe('right');
  expect(checkStoreKey(path, testBytes(32, 2))).toBe('wrong');
  const text = readFileSync(`${path}.check`, 'utf8');
  for (const form of ['hex', 'base64', 'latin1'] as const) expect(text).not.toContain(key.toString(form));
});

test('damage to the check never makes the right key wrong', () => {
  writeKeyCheck(path, key);
  const whole = readFileSync(`${path}.check`);
  for (let at = 0; at < whole.length; at += 1) {
    for (const bit of [0, 3, 6]) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      writeFileSync(`${path}.check`, bytes);
      expect(checkStoreKey(path, key), `byte ${at}`).not.toBe('wrong');
    }
  }
});

test('with the check next to it, a broken first page is damage, a wrong key is a wrong key, and a lost file is not a new one', () => {
  const database = openDatabase(path, key);
  database.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  database.close();
  writeKeyCheck(path, key);
  const bytes = readFileSync(path);
  bytes[600] = (bytes[600] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const failing = (wanted: Buffer) => {
    try {
      openDatabase(path, wanted).close();
      return null;
    } catch (thrown) {
      return (thrown as { code: string }).code;
    }
  };
  expect(failing(key)).toBe('store.damaged');
  expect(failing(testBytes(32, 2))).toBe('store.wrongKey');
  writeFileSync(path, '');
  expect(failing(key)).toBe('store.damaged');
  rmSync(path);
  expect(failing(key)).toBe('store.damaged');
});
