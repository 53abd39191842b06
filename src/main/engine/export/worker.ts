import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Cell, ListQuery } from '../../../contract/query.ts';
import { openAtomicFile } from '../../lib/atomic-file.ts';
import { DeskError, toWireError, type WireError } from '../../lib/errors.ts';
import { buildKeys } from '../store/query/build-query.ts';
import { findField } from '../store/query/list-tables.ts';
import { createRowReader } from '../store/query/read-rows.ts';
import { openRecords } from '../store/record/open-records.ts';
import { headerOf, joinNames, writeRecord } from './csv.ts';
import { toExportError } from './export-error.ts';

export interface ExportWorkerData {
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly query: ListQuery;
  readonly columns: readonly string[];
  readonly isSsnShown: boolean;
  readonly outPath: string;
}
export type ExportMessage =
  | { readonly kind: 'progress'; readonly rows: number; readonly total: number }
  | { readonly kind: 'done'; readonly rows: number; readonly sha256: string }
  | { readonly kind: 'failed'; readonly error: WireError };

const rowsPerChunk = 2_000;

/**
 * Writes one CSV from one read transaction, so that all rows are of the same moment. The file appears complete or not
 * at all.
 */
async function run(post: (message: ExportMessage) => void, isCanceled: () => boolean): Promise<void> {
  const { filePath, key, query, columns, isSsnShown, outPath } = workerData as ExportWorkerData;
  const connection = openRecords(filePath, key, { isReadOnly: true });
  key.fill(0);
  const specs = columns.map((path) => findField(query.entity, path));
  const kinds = specs.map((spec) => spec?.kind ?? 'text');
  const toFile = (cell: Cell, index: number): Cell =>
    typeof cell === 'string' && specs[index]?.isMany === true ? joinNames(cell) : cell;
  const read = createRowReader(connection, query.entity, columns);
  const { text, values } = buildKeys(query);
  connection.exec('BEGIN');
  const keys = connection.prepare(text).pluck().all(values) as number[];
  const hash = createHash('sha256');
  await refuseDevice(outPath);
  const file = await openAtomicFile(outPath, { mode: 0o600 });
  let rows = 0;
  const write = async (chunk: string): Promise<void> => {
    const bytes = Buffer.from(chunk, 'utf8');
    hash.update(bytes);
    await file.write(bytes);
  };
  try {
    await write(
      writeRecord(
        columns.map(headerOf),
        columns.map(() => 'text'),
      ),
    );
    for (let start = 0; start < keys.length; start += rowsPerChunk) {
      let chunk = '';
      for (const rowKey of keys.slice(start, start + rowsPerChunk)) {
        const cells = read(rowKey, { isSsnShown });
        if (cells === null) continue;
        chunk += writeRecord(cells.map(toFile), kinds);
        rows += 1;
      }
      await write(chunk);
      post({ kind: 'progress', rows, total: keys.length });
      await new Promise((resolve) => setImmediate(resolve));
      if (isCanceled()) throw new DeskError('export.canceled');
    }
    await file.commit();
  } catch (thrown) {
    await file.abort();
    throw thrown;
  } finally {
    connection.exec('COMMIT');
    connection.close();
  }
  post({ kind: 'done', rows, sha256: hash.digest('hex') });
}

/** Refuses a target that is a pipe or a device: a file is replaced, so it would be removed. */
async function refuseDevice(path: string): Promise<void> {
  const facts = await stat(path).catch(() => null);
  if (facts !== null && !facts.isFile()) throw new DeskError('export.unwritable');
}

const port = parentPort;
if (port !== null) {
  let isCanceled = false;
  port.on('message', () => {
    isCanceled = true;
  });
  const post = (message: ExportMessage): void => port.postMessage(message);
  run(post, () => isCanceled)
    .catch((thrown) => post({ kind: 'failed', error: toWireError(toExportError(thrown)) }))
    .finally(() => port.close());
}
