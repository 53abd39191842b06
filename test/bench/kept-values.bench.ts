import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFile } from '../../src/main/engine/store/file/check-database.ts';
import { openDatabase } from '../../src/main/engine/store/file/database.ts';
import { migrate } from '../../src/main/engine/store/file/migrate.ts';
import { openFile } from '../../src/main/engine/store/file/open-file.ts';
import { sideFilesOf } from '../../src/main/engine/store/file/side-files.ts';
import { createUserDataOperations } from '../../src/main/engine/store/threads/user-data-operations.ts';
import { readReviewedValues } from '../../src/rules/review/reviewed-values.ts';
import { report } from './support/figures.ts';
import { createRecords } from './support/million-store.ts';

/**
 * The user data file with 100,000 reviews, each an event of its own: its size with its backups as version 6 of the file had
 * it and now, the migration between them, and reading all kept values.
 */
const reviews = 100_000;
const key = Buffer.alloc(32, 7);
const workspaceId = 'f3b0a1c4-6d2e-4b7a-9c58-1e2d3f4a5b6c';
const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-kept-'));
const filePath = join(folder, 'ours.db');
const { backupsDir } = sideFilesOf(filePath);
const records = createRecords(reviews, reviews / 10);

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
const mbOf = (bytes: number): number => Math.round(bytes / 1e5) / 10;
/** Seconds of processor time. */
const time = (run: () => void): number => {
  const began = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(began);
  return Math.round((user + system) / 1e5) / 10;
};

function writeVersion02(): void {
  const database = openDatabase(filePath, key);
  migrate(database, 'userData', { target: 5 });
  const fact =
    '{"kind":"decision","state":"done","outcome":"eligible","onWhom":null,"reason":null,"reminder":null}';
  const receipt = '{"runId":"7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e","finishedAt":"2026-11-20T12:00:00.000Z"}';
  const putEvent = database.prepare(`INSERT INTO review_events
    (seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported)
    VALUES (?, ?, ?, ?, 'dana@example.com', 'decision', ?, NULL, NULL, ?, 0)`);
  const putClaim = database.prepare('INSERT INTO review_event_claims VALUES (?, ?, ?, ?, NULL)');
  for (let from = 0; from < reviews; from += 5_000)
    database.transaction(() => {
      for (let index = from; index < from + 5_000; index += 1) {
        const claim = records.claims(index) as { modifieddate?: string };
        const record = { modified: claim.modifieddate ?? null, readAt: '2026-11-20T12:00:00.000Z' };
        const values = JSON.stringify({ ...readReviewedValues(claim, false), record });
        const id = `0d5f7a10-2b3c-4d5e-8f90-${String((index * 7919) % 1e12).padStart(12, '0')}`;
        putEvent.run(
          index + 1,
          id,
          workspaceId,
          new Date(1.7e12 + index * 60_000).toISOString(),
          fact,
          receipt,
        );
        putClaim.run(40_000_000 + index, index + 1, values, String(index).padStart(40, '0'));
      }
    })();
  database.close();
}

try {
  writeVersion02();
  const before = sizeOf(filePath);
  mkdirSync(backupsDir);
  /** How many backups the rules keep of a file of this size: within 200 MB, but always one. */
  const keptOf = (maxCount: number, bytes: number): number =>
    Math.max(1, Math.min(maxCount, Math.floor(200e6 / bytes)));
  const [maxBefore, maxNow] = [11, 2];
  const keptBefore = keptOf(maxBefore, before);
  copyFileSync(filePath, join(folder, 'before.db'));

  const migrateS = time(() => openFile(filePath, key, 'userData').close());
  const file = openFile(filePath, key, 'userData');
  const userData = createUserDataOperations(file.database, filePath, key, (thrown) => {
    throw thrown;
  });
  const backUpS = time(() => void userData.backUp(null));
  const checkS = time(() => void checkFile(file.database, false));
  const readS = time(() => {
    let after: { seq: number; claimId: number } | null = null;
    do {
      const page = userData.readReviewEntries({ workspaceId, after, limit: 5_000 });
      after = page.next;
    } while (after !== null);
  });
  const foldS = time(() => void userData.foldReviews({ workspaceId, claimIds: null }));
  file.close();
  const after = sizeOf(filePath);
  const backups = readdirSync(backupsDir).filter((name) => !name.includes('before-'));
  const backupBytes = backups.reduce((sum, name) => sum + sizeOf(join(backupsDir, name)), 0);

  const keptNow = keptOf(maxNow, backupBytes);
  const each = (bytes: number): string =>
    `${Math.round(bytes / reviews).toLocaleString('en-US')} bytes a review`;
  report({
    what: 'File of 100,000 reviews, each an event of its own',
    figure: mbOf(after),
    unit: 'MB',
    how: `${each(after)}; as version 0.2 stored it ${mbOf(before)} MB, ${each(before)}`,
  });
  report({
    what: 'The same with its backups',
    figure: mbOf(after + keptNow * backupBytes),
    unit: 'MB',
    how: `${keptNow} of at most ${maxNow} backups, within 200 MB; before ${mbOf(before * (1 + keptBefore))} MB with ${keptBefore} of at most ${maxBefore}`,
  });
  const timed = (what: string, figure: number, how: string): void =>
    report({ what, figure, unit: 's', how: `processor time, once${how}` });
  timed('Its migration, with the backup before', migrateS, '');
  timed('A backup of it, read back', backUpS, '');
  timed('Its check when it is opened', checkS, '; at most daily, or after a kill');
  timed('Reading all kept values', readS, '; as for a file of reviews');
  timed('Reading where each review is, as lists have it', foldS, '; no kept values are read');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
