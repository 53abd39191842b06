import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeRecords } from '../../../src/main/engine/store/maintenance/remove-records.ts';
import { repairRecords } from '../../../src/main/engine/store/maintenance/repair-records.ts';
import { openRecords, openRecordsFile } from '../../../src/main/engine/store/record/open-records.ts';
import { createWriteOperations } from '../../../src/main/engine/store/threads/operations.ts';
import { openStore, type Store } from '../../../src/main/engine/store/threads/store.ts';
import { createUserDataStore } from '../../../src/main/engine/store/threads/user-data-store.ts';
import { toDeskError } from '../../../src/main/lib/errors.ts';
import { copyOldRecords } from '../../support/old-records.ts';
import { testBytes } from '../../support/seeds.ts';
import { canMountSmallDisk, mountSmallDisk, plainFolder, type SmallDisk } from '../../support/small-disk.ts';
import { claimOf, memberOf } from '../../support/store-damage.ts';

// Mounting a small disk takes rights that some containers withhold; there, the file itself is kept from growing.
const canMount = canMountSmallDisk();
let disk: SmallDisk;
let filePath: string;
const key = testBytes(32);
beforeEach(() => {
  disk = canMount ? mountSmallDisk(12) : plainFolder();
  mkdirSync(join(disk.path, 'w'));
  filePath = join(disk.path, 'w', 'records.db');
});
afterEach(() => disk.remove());

const open = (isReadOnly = false): Promise<Store> =>
  openStore({ filePath, key: Uint8Array.from(key), isReadOnly, readers: 1 });
const page = (data: unknown[], kind: 'claims' | 'members' = 'claims') => ({
  kind,
  body: Buffer.from(JSON.stringify({ data })),
  pass: 1,
  page: 1,
  seenAt: '2026-01-01T00:00:00.000Z',
  requestId: null,
  isPartOfPass: false,
});
const claims = (from: number, count: number) =>
  Array.from({ length: count }, (_none, index) => claimOf(from + index));
const countClaims = async (store: Store): Promise<number> => (await store.read('countRecords', null)).claims;

test('if a file can’t grow, what was written is kept, reading continues, and writing continues once it can', () => {
  const file = openRecordsFile(filePath, key);
  const write = createWriteOperations(file.database);
  write.ingestPage(page(claims(1, 200)));
  const pages = file.database.pragma('page_count', { simple: true }) as number;
  file.database.pragma(`max_page_count=${pages + 20}`);
  let written = 200;
  expect(() => {
    for (; written < 20_000; written += 500) write.ingestPage(page(claims(written + 1, 500)));
  }).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }));
  expect(toDeskError({ code: 'SQLITE_FULL' }).code).toBe('disk.full');
  expect(file.database.prepare('SELECT count(*) FROM claims').pluck().get()).toBe(written);
  file.database.pragma('max_page_count=1000000');
  write.ingestPage(page(claims(written + 1, 500)));
  expect(file.database.prepare('SELECT count(*) FROM claims').pluck().get()).toBe(written + 500);
  file.close();
  expect(repairRecords({ filePath, key, mayLose: false })).toMatchObject({ outcome: 'sound' });
});

if (canMount)
  describe('on a small disk', () => {
    test('a full disk: what was written stays, reading goes on, and writing goes on once there is room', async () => {
      const store = await open();
      await store.write('ingestPage', page([1, 2, 3].map(memberOf), 'members'));
      await store.write('ingestPage', page(claims(1, 200)));
      const freeSpace = disk.fill();
      let written = 200;
      const tryAll = async (): Promise<void> => {
        for (; written < 20_000; written += 500)
          await store.write('ingestPage', page(claims(written + 1, 500)));
      };
      await expect(tryAll()).rejects.toMatchObject({ code: 'disk.full' });
      expect(await countClaims(store)).toBe(written);
      expect(
        JSON.parse(
          (await store.read('readRecords', { entity: 'claims', keys: [7], isSsnShown: true }))[0] ?? '',
        ),
      ).toEqual(claimOf(7));
      freeSpace();
      await store.write('ingestPage', page(claims(written + 1, 500)));
      expect(await countClaims(store)).toBe(written + 500);
      await store.close();
      expect(repairRecords({ filePath, key, mayLose: false })).toMatchObject({ outcome: 'sound' });
    });

    test('a full disk stops removal and repair before they change anything', async () => {
      const store = await open();
      await store.write('ingestPage', page(claims(1, 2_000)));
      await store.close();
      const freeSpace = disk.fill();
      expect(() =>
        removeRecords({ filePath, key, removal: { kind: 'claimsBefore', date: '2022-01-01' } }),
      ).toThrow(expect.objectContaining({ code: 'disk.full' }));
      expect(readdirSync(join(disk.path, 'w')).filter((name) => name.includes('.next'))).toEqual([]);
      const reader = await open(true);
      expect(await countClaims(reader)).toBe(2_000);
      await reader.close();
      freeSpace();
      const again = await open();
      expect(await countClaims(again)).toBe(2_000);
      await again.close();
    });

    test('a full disk stops a migration before it changes anything; with space it is carried out', async () => {
      const old = copyOldRecords();
      copyFileSync(old.filePath, filePath);
      old.remove();
      const whole = openRecords(filePath, old.key, { isReadOnly: true });
      const count = whole.prepare('SELECT count(*) FROM claims WHERE gone_since IS NULL').pluck().get();
      whole.close();
      const openOld = (): Promise<Store> =>
        openStore({ filePath, key: Uint8Array.from(old.key), isReadOnly: false, readers: 1 });
      const freeSpace = disk.fill();
      await expect(openOld()).rejects.toMatchObject({ code: 'disk.full' });
      const connection = openRecords(filePath, old.key, { isReadOnly: true });
      expect(connection.pragma('user_version', { simple: true })).toBe(15);
      connection.close();
      freeSpace();
      const store = await openOld();
      expect(await countClaims(store)).toBe(count);
      await store.close();
    });

    test('a full disk and the second file: what can’t be stored is refused, what was stored is kept', async () => {
      const path = join(disk.path, 'ours.db');
      const userData = createUserDataStore({ filePath: path, readKey: async () => Buffer.from(key) });
      const save = (index: number, text: string) =>
        userData.call('appendReview', {
          workspaceId: 'w',
          id: `n${index}`,
          nowMs: 0,
          author: 'dana@example.com',
          fact: { kind: 'note', text },
          filter: null,
          undoes: null,
          receipt: null,
          isStaged: false,
          claims: [{ claimId: index, reviewed: null, digest: null }],
        });
      await save(0, 'before');
      const freeSpace = disk.fill();
      let index = 1;
      const tryAll = async (): Promise<void> => {
        for (; index < 500; index += 1) await save(index, 'x'.repeat(9_000));
      };
      await expect(tryAll()).rejects.toMatchObject({ code: 'disk.full' });
      expect(await userData.call('foldReviews', { workspaceId: 'w', claimIds: null })).toHaveLength(index);
      freeSpace();
      await save(index, 'after');
      await userData.close();
      const again = createUserDataStore({ filePath: path, readKey: async () => Buffer.from(key) });
      expect(await again.call('foldReviews', { workspaceId: 'w', claimIds: null })).toHaveLength(index + 1);
      await again.close();
    });

    test('a read-only disk has its own error code for writing, and reading continues', async () => {
      const store = await open();
      await store.write('ingestPage', page(claims(1, 300)));
      await store.close();
      disk.setReadOnly(true);
      await expect(open()).rejects.toMatchObject({ code: 'disk.readOnly' });
      const reader = await open(true);
      expect(await countClaims(reader)).toBe(300);
      await reader.close();
      disk.setReadOnly(false);
      expect(existsSync(filePath)).toBe(true);
      const connection = openRecords(filePath, key, { isReadOnly: true });
      expect(connection.prepare('SELECT count(*) FROM claims').pluck().get()).toBe(300);
      connection.close();
    });
  });
