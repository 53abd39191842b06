import { cpSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openFile } from '../../../src/main/engine/store/file/open-file.ts';
import { sideFilesOf } from '../../../src/main/engine/store/file/side-files.ts';
import { createUserDataOperations } from '../../../src/main/engine/store/threads/user-data-operations.ts';
import { repairUserData } from '../../../src/main/engine/store/user-data/repair-user-data.ts';
import { testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const key = Buffer.from(testBytes(32));
const bytes = Buffer.from('Itemized receipt');

function openUserData(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  const troubles: unknown[] = [];
  const file = openFile(path, key, 'userData');
  const userData = createUserDataOperations(file.database, path, key, (thrown) => troubles.push(thrown));
  /** The event of these bytes; without `undoes`, that they are attached. */
  const append = (id: string, sha256: string, undoes: string | null = null) =>
    userData.appendReview({
      ...{ id, operation: id, workspaceId: 'w', at: '2026-11-28T12:00:00.000Z', author: 'dana@example.com' },
      fact:
        undoes === null
          ? {
              ...{ kind: 'document', document: 'receipt', name: 'receipt.txt', type: 'text' },
              ...{ bytes: bytes.length, sha256, day: '2026-11-28' },
            }
          : { kind: 'undo' },
      ...{ filter: null, undoes, receipt: null, isStaged: false, nowMs: 0 },
      claims: [{ claimId: 7, reviewed: null, digest: null }],
    });
  const attach = (id: string, attached: Buffer): string => {
    const { sha256 } = userData.keepDocument({ bytes: attached });
    append(id, sha256);
    userData.endKeeping({ sha256, isAttached: true });
    return sha256;
  };
  return { file, userData, append, attach, troubles };
}

const newPath = (): string => join(makeTempFolder(), 'profile', 'ours.db');
const filesOf = (path: string): string[] => readdirSync(sideFilesOf(path).documentsDir);

test('documents whose events were lost in a repair are counted, and kept until they are removed by name', () => {
  const path = newPath();
  const before = openUserData(path);
  const shas = ['one', 'two', 'three'].map((text) => before.attach(text, Buffer.from(text)));
  before.file.close();
  const side = sideFilesOf(path);
  for (const lost of [side.log, side.firstPage, side.journal]) rmSync(lost, { force: true });
  for (const name of readdirSync(side.backupsDir).filter((one) => one !== 'documents'))
    rmSync(join(side.backupsDir, name));
  writeFileSync(path, testBytes(40_000));
  expect(repairUserData({ filePath: path, key, mayLose: true }).outcome).toBe('repaired');
  const after = openUserData(path);
  expect(after.userData.listAttached(null)).toEqual([]);
  expect(after.userData.countUnused()).toBe(3);
  // A document that is attached again, or isn't, erases no other one, and not what was there before.
  after.attach('four', Buffer.from('four'));
  const { sha256 } = after.userData.keepDocument({ bytes: Buffer.from('one') });
  after.userData.endKeeping({ sha256, isAttached: false });
  after.userData.forgetWritten({ workspaceId: 'w', claimIds: [7] });
  expect(after.userData.countUnused()).toBe(3);
  for (const one of shas) expect(after.userData.readDocument({ sha256: one })).not.toBeNull();
  after.file.close();
});

test('a removal that ended between its events and its files is completed at the next start', () => {
  const path = newPath();
  const before = openUserData(path);
  const sha256 = before.attach('one', bytes);
  const copy = join(makeTempFolder(), 'profile');
  before.userData.beginErasing([{ sha256 }]);
  before.append('undone', sha256, 'one');
  before.file.close();
  cpSync(dirname(path), copy, { recursive: true });
  const after = openUserData(join(copy, 'ours.db'));
  expect(filesOf(join(copy, 'ours.db'))).toEqual([]);
  after.file.close();
});

test('if another call that attaches the same bytes fails, what Remove left to it is erased', () => {
  const path = newPath();
  const { file, userData, append, attach } = openUserData(path);
  const sha256 = attach('one', bytes);
  userData.keepDocument({ bytes });
  userData.beginErasing([{ sha256 }]);
  append('undone', sha256, 'one');
  userData.endErasing([{ sha256 }]);
  expect(userData.readDocument({ sha256 })).not.toBeNull();
  userData.endKeeping({ sha256, isAttached: false });
  expect(filesOf(path)).toEqual([]);
  file.close();
});

test('what was undone on another computer is erased here, unless another event still has it', () => {
  const path = newPath();
  const { file, userData, append, attach } = openUserData(path);
  const setImported = file.database.prepare(
    'UPDATE stored_events SET is_imported=1 WHERE seq=(SELECT seq FROM review_events WHERE id=?)',
  );
  const [own, shared] = [attach('own', bytes), attach('shared', Buffer.from('of two'))];
  attach('of a colleague', Buffer.from('of two'));
  setImported.run('of a colleague');
  append('undone here', own, 'own');
  expect(userData.listRemoved()).toEqual([]);
  expect(userData.readDocument({ sha256: own })).not.toBeNull();
  attach('again', bytes);
  for (const id of ['again', 'shared']) {
    append(`undone ${id}`, own, id);
    setImported.run(`undone ${id}`);
  }
  setImported.run('undone here');
  expect(userData.listRemoved()).toEqual([{ sha256: own }]);
  userData.beginErasing(userData.listRemoved());
  userData.endErasing([{ sha256: own }]);
  expect(userData.readDocument({ sha256: own })).toBeNull();
  expect(userData.readDocument({ sha256: shared })).not.toBeNull();
  expect(filesOf(path)).toHaveLength(1);
  file.close();
});

test('if a file can’t be replaced by its copy, the copy is read, and the failure is reported', () => {
  const path = newPath();
  const { file, userData, attach, troubles } = openUserData(path);
  const sha256 = attach('one', bytes);
  const [name = ''] = filesOf(path);
  const sealed = join(sideFilesOf(path).documentsDir, name);
  rmSync(sealed);
  mkdirSync(`${sealed}.${process.pid}-${threadId}.tmp`);
  expect(userData.readDocument({ sha256 })).toEqual(bytes);
  expect(troubles).toHaveLength(1);
  expect(userData.checkDocuments({ documents: [{ sha256, bytes: bytes.length }], isFull: false })).toEqual([
    'whole',
  ]);
  file.close();
});

test('after a file could not be read while it was attached, Remove erases it', () => {
  const path = newPath();
  const { file, userData, append, attach } = openUserData(path);
  const sha256 = attach('one', bytes);
  const [name = ''] = filesOf(path);
  const sealed = join(sideFilesOf(path).documentsDir, name);
  rmSync(sealed);
  mkdirSync(sealed);
  expect(() => userData.keepDocument({ bytes })).toThrow(/EISDIR/);
  rmdirSync(sealed);
  userData.readDocument({ sha256 });
  userData.beginErasing([{ sha256 }]);
  append('undone', sha256, 'one');
  userData.endErasing([{ sha256 }]);
  expect(existsSync(sealed)).toBe(false);
  file.close();
});
