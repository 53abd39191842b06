import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { checkRecords } from '../../../src/main/engine/store/maintenance/check-records.ts';
import { openRecords } from '../../../src/main/engine/store/record/open-records.ts';
import { openTestStore } from '../../support/engine-store.ts';

/** Runs statements over and over on a connection of its own, until it is ended. */
async function startWriter(filePath: string, key: Buffer, statements: readonly string[]): Promise<Worker> {
  const open = new URL('../../../src/main/engine/store/record/open-records.ts', import.meta.url);
  const writer = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads');
     import(workerData.open).then(({ openRecords }) => {
       const database = openRecords(workerData.filePath, workerData.key);
       let isOver = false;
       parentPort.once('message', () => { isOver = true; });
       parentPort.postMessage('open');
       const next = () => {
         for (const statement of workerData.statements) database.exec(statement);
         if (isOver) { database.close(); parentPort.close(); } else setImmediate(next);
       };
       next();
     });`,
    { eval: true, workerData: { open: open.href, filePath, key, statements } },
  );
  await new Promise((resolve) => writer.once('message', resolve));
  return writer;
}

test('indexes that a first sync creates during a check are not damage', async () => {
  const { filePath, key } = openTestStore();
  const database = openRecords(filePath, key, { isReadOnly: true });
  onTestFinished(() => void database.close());
  const writer = await startWriter(filePath, key, ['CREATE INDEX made ON claims (id)', 'DROP INDEX made']);
  let unsound = 0;
  for (let round = 0; round < 60; round += 1) {
    const check = checkRecords(database, round % 2 === 1);
    if (!check.isSound) unsound += 1;
  }
  const ended = new Promise((resolve) => writer.once('exit', resolve));
  writer.postMessage('end');
  await ended;
  expect(unsound).toBe(0);
});

test('a member that a sync changes during a full check is not damage', () => {
  const { filePath, key, ingest } = openTestStore();
  const member = (name: string) => ({ id: 1, first_name: name, last_name: 'Doe', email: 'jo@example.com' });
  ingest('members', [member('Jo')]);
  const database = openRecords(filePath, key, { isReadOnly: true });
  onTestFinished(() => void database.close());
  let changes = 0;
  const check = checkRecords(database, true, ({ doing }) => {
    if (doing !== 'checkingRecords') return;
    changes += 1;
    ingest('members', [member(`Jo ${changes}`)]);
  });
  expect(changes).toBeGreaterThan(0);
  expect(check).toMatchObject({ isSound: true, problems: 0 });
});
