import {
  type ExportedFile,
  type ExportFormat,
  isOfPages,
  maxSelected,
  maxSheetRows,
  signatureExtension,
} from '../../../contract/export.ts';
import { standardOutput } from '../../../contract/save-target.ts';
import { isUnreadCell } from '../../../rules/money/amounts.ts';
import type { Cell } from '../../../rules/query.ts';
import { answerBy } from '../../lib/channel.ts';
import { DeskError } from '../../lib/errors.ts';
import { serveThread } from '../../lib/thread.ts';
import { type Database, openDatabase } from '../store/file/database.ts';
import { maskSsnsIn } from '../store/record/known-ssns.ts';
import { openRecords } from '../store/record/open-records.ts';
import { readReceipts } from '../store/sync/sync-state.ts';
import type { CsvStyle } from './cell-bytes.ts';
import { createCsv, excelStyle, systemStyle } from './csv.ts';
import { toExportError } from './export-error.ts';
import type { ExportCalls, ExportWorkerData, Job, RowWriter, WrittenExport } from './export-job.ts';
import type { NameOf } from './notes.ts';
import { type OutputFile, openOutputFile, partPaths, removeLeftovers } from './output-file.ts';
import { openTable, type TableReader, titleOf } from './read-table.ts';

async function openText({ wanted }: Job, output: OutputFile, style: CsvStyle): Promise<RowWriter> {
  const csv = createCsv(wanted.columns, style);
  await output.write(Buffer.from(csv.header, 'utf8'));
  return {
    write: (rows) => output.write(csv.write(rows)),
  };
}

/** Loaded late: no other export needs these libraries. */
const loadPages = () => import('./write-pages.ts');

/**
 * For each format: the most rows of one file without its header, after how many rows the export checks whether it was
 * canceled, and how a file is written.
 */
const forms: Readonly<
  Record<
    ExportFormat,
    {
      maxRows: number;
      rowsPerProgress: number;
      open: (job: Job, output: OutputFile) => Promise<RowWriter>;
    }
  >
> = {
  // A workbook ends with a row of totals.
  xlsx: {
    maxRows: maxSheetRows - 2,
    rowsPerProgress: 2_000,
    open: async (job, output) => (await import('./xlsx.ts')).openWorkbook(job, output),
  },
  'excel-csv': {
    maxRows: maxSheetRows - 1,
    rowsPerProgress: 2_000,
    open: (job, output) => openText(job, output, excelStyle(job.wanted.locale)),
  },
  csv: {
    maxRows: Number.POSITIVE_INFINITY,
    rowsPerProgress: 2_000,
    open: (job, output) =>
      openText(job, output, { ...systemStyle, delimiter: job.wanted.delimiter ?? systemStyle.delimiter }),
  },
  // Viewers take long to open longer ones.
  pdf: { maxRows: 10_000, rowsPerProgress: 1, open: async (...file) => (await loadPages()).openPdf(...file) },
  text: {
    maxRows: 10_000,
    rowsPerProgress: 1,
    open: async (...file) => (await loadPages()).openMail(...file),
  },
};

async function openWriter(job: Job): Promise<RowWriter> {
  const { wanted, paths, files } = job;
  const path = paths[files.length] as string;
  const output = await openOutputFile(path, wanted.isSigned);
  files.push({ path, rows: 0, output });
  return forms[wanted.format].open(job, output);
}

async function endWriter(job: Job): Promise<void> {
  const { files, paths } = job;
  const part = paths.length === 1 ? null : `${files.length} of ${paths.length}`;
  await job.writer?.end?.(files.at(-1)?.rows ?? 0, part);
  job.writer = null;
}

/** Writes a batch to the open part, and to the following ones when it is full. */
async function writeBatch(job: Job, batch: readonly (readonly Cell[])[]): Promise<void> {
  const { files, perFile } = job;
  for (let from = 0; from < batch.length; ) {
    if (files.at(-1)?.rows === perFile) await endWriter(job);
    job.writer ??= await openWriter(job);
    const file = files.at(-1) as Job['files'][number];
    const isWhole = from === 0 && file.rows + batch.length <= perFile;
    const some = isWhole ? batch : batch.slice(from, from + perFile - file.rows);
    const leftOutBefore = job.leftOut.length;
    await job.writer.write(some);
    file.rows += some.length - (job.leftOut.length - leftOutBefore);
    from += some.length;
  }
}

function countUnread(rows: readonly (readonly Cell[])[], index: number): number {
  let unread = 0;
  for (const row of rows) if (isUnreadCell(row[index])) unread += 1;
  return unread;
}

async function writeRows(
  job: Job,
  table: TableReader,
  amounts: { readonly index: number; unread: number }[],
): Promise<number> {
  job.writer = await openWriter(job);
  let [rows, reportedRows] = [0, 0];
  for (const batch of table.batches()) {
    for (const amount of amounts) amount.unread += countUnread(batch, amount.index);
    await writeBatch(job, batch);
    rows += batch.length;
    if (rows - reportedRows < forms[job.wanted.format].rowsPerProgress && rows < table.total) continue;
    reportedRows = rows;
    job.calls.progress({ rows, total: table.total });
    await new Promise((resolve) => setImmediate(resolve));
    job.canceled.throwIfAborted();
  }
  await endWriter(job);
  return rows;
}

/** Writes the signatures next to the files, and returns all files with the paths of their signatures. */
async function signFiles({ files, calls }: Job): Promise<ExportedFile[]> {
  const written = files.map((file) => ({ ...file, ...file.output.readDigest() }));
  const digests = written.flatMap(({ sha512 }) => (sha512 === null ? [] : [sha512]));
  const signatures = digests.length === 0 ? [] : await calls.sign(digests);
  const done: ExportedFile[] = [];
  for (const [index, { path, rows, bytes, sha256 }] of written.entries()) {
    const signature = signatures[index];
    const signaturePath = signature === undefined ? null : path + signatureExtension;
    done.push({ path, rows, bytes, sha256, signaturePath });
    if (signature === undefined || signaturePath === null) continue;
    const output = await openOutputFile(signaturePath);
    files.push({ path: signaturePath, rows: 0, output });
    await output.write(Buffer.from(signature, 'utf8'));
  }
  return done;
}

/**
 * Writes one export from one read transaction, so that all rows are from the same moment. Either all of its files
 * appear, complete, or none.
 */
async function run(
  request: ExportWorkerData,
  calls: ExportCalls,
  canceled: AbortSignal,
): Promise<WrittenExport> {
  const { columns, format, source, outPath } = request;
  const database = openRecords(request.filePath, request.key, { isReadOnly: true });
  request.key.fill(0);
  database.exec('BEGIN');
  let userData: Database | null = null;
  let job: Job | null = null;
  try {
    if (request.userData !== null) {
      userData = openDatabase(request.userData.filePath, request.userData.key, { isReadOnly: true });
      request.userData.key.fill(0);
      userData.exec('BEGIN');
    }
    const data = readReceipts(database);
    const table = openTable(database, { ...request, userData });
    if (isOfPages(source) && table.total === 0) throw new DeskError('export.noClaims');
    const perFile = request.split ?? forms[format].maxRows;
    const paths = partPaths(outPath, Math.max(1, Math.ceil(table.total / perFile)));
    if (paths.length > 1 && outPath === standardOutput) throw new DeskError('export.cannotSplit');
    if (outPath !== standardOutput) await removeLeftovers(outPath, Date.parse(request.at));
    const title = titleOf(source);
    const nameOf: NameOf = (list, id) => {
      const name = database.prepare(`SELECT one.name FROM ${list} one WHERE one.id=?`).pluck().get(id);
      return typeof name === 'string' ? name : undefined;
    };
    const maskKnown = <T>(value: T): T => maskSsnsIn(database, value);
    const texts = { nameOf, title, data, maskKnown };
    const empty = { files: [], letters: [], leftOut: [], writer: null };
    job = { wanted: request, database, userData, ...texts, paths, perFile, calls, canceled, ...empty };
    const amounts = columns.flatMap(({ kind, path }, index) =>
      kind === 'money' ? [{ path, index, unread: 0 }] : [],
    );
    const read = await writeRows(job, table, amounts);
    const [without] = job.leftOut;
    if (source.kind === 'letters' && job.letters.length === 0 && without !== undefined)
      throw new DeskError('letter.incomplete', {
        details: { claim: without.claimId, missing: without.missing },
      });
    const files = await signFiles(job);
    const unread = amounts.flatMap((amount) => (amount.unread === 0 ? [] : [[amount.path, amount.unread]]));
    const notCounted = unread.length === 0 ? {} : { notCounted: Object.fromEntries(unread) };
    const leftOut = without === undefined ? {} : { leftOut: job.leftOut.slice(0, maxSelected) };
    if (job.letters.length > 0) await calls.record(job.letters);
    for (const { output } of job.files) await output.commit();
    return { rows: read - job.leftOut.length, files, ...notCounted, ...leftOut };
  } catch (thrown) {
    await job?.writer?.abort?.();
    for (const { output } of job?.files ?? []) await output.abort();
    throw thrown;
  } finally {
    database.exec('COMMIT');
    database.close();
    userData?.close();
  }
}

const canceling = new AbortController();
const canceled = new Promise<never>((_none, reject) =>
  canceling.signal.addEventListener('abort', () => reject(canceling.signal.reason)),
);
canceled.catch(() => undefined);
const { call, notify } = serveThread(
  answerBy({
    run: (request: ExportWorkerData) =>
      run(request, calls, canceling.signal).catch((thrown) => {
        throw toExportError(thrown);
      }),
    cancel: () => canceling.abort(new DeskError('export.canceled')),
  }),
);
const calls: ExportCalls = {
  progress: (counts) => notify('progress', counts),
  record: (letters) => call('record', letters) as ReturnType<ExportCalls['record']>,
  sign: (digests) => Promise.race([call('sign', digests) as ReturnType<ExportCalls['sign']>, canceled]),
};
