import { createHash } from 'node:crypto';
import {
  type ExportedFile,
  type ExportFormat,
  type ExportResult,
  isOfPages,
  maxSelected,
  maxSheetRows,
  signatureExtension,
  type TableSource,
} from '../../../contract/export.ts';
import type { ExportColumn } from '../../../contract/export-columns.ts';
import {
  answerDaysOf,
  type Letter,
  letterEmployerOf,
  lettersOf,
  makeLetter,
  type StoredLetters,
} from '../../../contract/letters.ts';
import type { MemberRecord } from '../../../contract/records.ts';
import { standardOutput } from '../../../contract/save-target.ts';
import { localDayOf } from '../../../rules/days.ts';
import { writeDecimals } from '../../../rules/money/amounts.ts';
import type { Cell } from '../../../rules/query.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import { answerBy } from '../../lib/channel.ts';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { serveThread } from '../../lib/thread.ts';
import { type Database, openDatabase } from '../store/file/database.ts';
import { toPlainJson } from '../store/record/json.ts';
import { maskSsnsIn } from '../store/record/known-ssns.ts';
import { openRecords } from '../store/record/open-records.ts';
import { createRecordReader } from '../store/record/record-reader.ts';
import { readReceipts } from '../store/sync/sync-state.ts';
import { type CsvStyle, createCsv, excelStyle, systemStyle, wordsOf } from './csv.ts';
import { createSum } from './exact-amount.ts';
import { toExportError } from './export-error.ts';
import { type DataState, makeNotes, type NameOf } from './notes.ts';
import { type OutputFile, openOutputFile, partPaths, removeLeftovers } from './output-file.ts';
import { openTable, type TableOptions, type TableReader, titleOf } from './read-table.ts';
import type { StatementFacts } from './statement/read-facts.ts';
import { createXlsx } from './xlsx.ts';

export interface ExportWorkerData extends Omit<TableOptions, 'userData'> {
  readonly filePath: string;
  /** The database key, 32 bytes; wiped by the thread, as is that of the user data. */
  readonly key: Uint8Array;
  readonly format: ExportFormat;
  /** The locale by which Excel on this computer reads a CSV; the system's where undefined. */
  readonly locale: string | undefined;
  /** The delimiter of a CSV for systems; a comma where undefined. */
  readonly delimiter: string | undefined;
  /** The most rows of one file; null: as many as its format can hold. */
  readonly split: number | null;
  readonly outPath: string;
  /** Whether a signature is written beside each file. */
  readonly isSigned: boolean;
  /** The facts for statements and letters; null for other files. */
  readonly pages: {
    readonly workspace: string;
    readonly settings: SettingsOfService;
    readonly letters: StoredLetters;
  } | null;
  /** The user data file, which holds the payments, and its key; null: not needed, or there is none. */
  readonly userData: { readonly filePath: string; readonly key: Uint8Array } | null;
  /** ISO date-time. */
  readonly at: string;
  /** The name of the computer's account. */
  readonly by: string | null;
  readonly reason: string | null;
}

export interface WrittenExport {
  readonly rows: number;
  readonly files: ExportedFile[];
  /**
   * How many amounts the sum of a column leaves out because they can't be numbers, by the column's path; absent where
   * none.
   */
  readonly notCounted?: Record<string, number>;
  readonly leftOut?: NonNullable<ExportResult['leftOut']>;
}
export interface MadeOfClaim {
  readonly claimId: number;
  readonly act: Extract<ReviewAct, { kind: 'letter' }>;
}
/** The calls that the thread makes to the one that started it. */
export interface ExportHost {
  progress(rowCounts: { readonly rows: number; readonly total: number }): void;
  /** Signatures over the SHA-512 of each file, in hexadecimal. */
  sign(digests: readonly string[]): Promise<readonly string[]>;
  /** Records the letters of the files before these appear; an export that fails afterwards undoes it. */
  record(letters: readonly MadeOfClaim[]): Promise<void>;
}

/** A file that is being written. */
interface RowWriter {
  write(rows: readonly (readonly Cell[])[]): Promise<void>;
  end(rows: number, part: string | null): Promise<void>;
  abort(): Promise<void>;
}

function createSums(columns: readonly ExportColumn[]) {
  const amounts = columns.flatMap((column, index) =>
    column.kind === 'money' ? [{ column, index, sum: createSum() }] : [],
  );
  return {
    add(rows: readonly (readonly Cell[])[]): void {
      for (const { index, sum } of amounts) for (const row of rows) sum.add(row[index] as Cell);
    },
    read: (): { column: ExportColumn; sum: string }[] =>
      amounts.flatMap(({ column, sum }) => {
        const total = sum.read();
        return total === null ? [] : [{ column, sum: writeDecimals(total) }];
      }),
    /** Columns with amounts that can't be numbers, and how many. */
    readLeftOut: (): { column: ExportColumn; count: number }[] =>
      amounts
        .map(({ column, sum }) => ({ column, count: sum.countLeftOut() }))
        .filter(({ count }) => count > 0),
  };
}

/** The state of a running export. */
interface Job {
  readonly database: Database;
  readonly userData: Database | null;
  readonly wanted: ExportWorkerData;
  readonly nameOf: NameOf;
  readonly title: string;
  readonly data: DataState;
  readonly maskKnown: <T>(value: T) => T;
  /** The path of each part, and how many rows it holds at most. */
  readonly paths: readonly string[];
  readonly perFile: number;
  readonly files: { path: string; rows: number; output: OutputFile }[];
  readonly letters: MadeOfClaim[];
  readonly leftOut: NonNullable<ExportResult['leftOut']>;
  readonly host: ExportHost;
  readonly canceled: AbortSignal;
  writer: RowWriter | null;
}

async function openText({ wanted }: Job, output: OutputFile, style: CsvStyle): Promise<RowWriter> {
  const csv = createCsv(wanted.columns, style);
  await output.write(Buffer.from(csv.header, 'utf8'));
  return {
    write: (rows) => output.write(Buffer.from(csv.write(rows), 'utf8')),
    end: async () => undefined,
    abort: async () => undefined,
  };
}

async function openWorkbook(job: Job, output: OutputFile): Promise<RowWriter> {
  const { wanted, title } = job;
  const { columns } = wanted;
  const sums = createSums(columns);
  const at = new Date(wanted.at);
  const xlsx = createXlsx({ columns, title, at, write: (bytes) => output.write(bytes) });
  await xlsx.begin();
  return {
    async write(rows) {
      sums.add(rows);
      await xlsx.write(rows);
    },
    end(rows, part) {
      const columnSums = sums.read();
      const ofSums = columnSums.map(({ column, sum }) => [wordsOf(column), sum] as const);
      const totals = new Map(columnSums.map(({ column, sum }) => [column.path, sum]));
      const notCounted = sums.readLeftOut().map(({ column, count }) => [wordsOf(column), count] as const);
      const notes = makeNotes({ ...wanted, ...job, rows, part, sums: ofSums, notCounted });
      const isPlain = wanted.source.kind === 'report' && wanted.source.isPlain === true;
      return xlsx.end(notes, isPlain ? new Map() : totals);
    },
    abort: () => xlsx.abort(),
  };
}

/** Reads what statements and letters need of their claims. Loaded late: no other export needs the libraries. */
async function openPages({ wanted, database, userData }: Job) {
  const { pages, workspaceId, at } = wanted;
  if (pages === null) throw new DeskError('internal.fault');
  const { createStatementReader } = await import('./statement/read-facts.ts');
  const today = localDayOf(new Date(at));
  const { settings } = pages;
  const read = createStatementReader(database, { userData, workspaceId, settings, today });
  const readRows = (rows: readonly (readonly Cell[])[]) => read(rows.map(([key]) => Number(key)));
  return { pages, today, readRows };
}

/** The rows of statements and letters are the keys of their claims. */
async function openPdf(job: Job, output: OutputFile): Promise<RowWriter> {
  const { wanted, data } = job;
  const { source, at, by } = wanted;
  const { pages, today, readRows } = await openPages(job);
  const { createPagesPdf } = await import('./statement/statement-pdf.ts');
  const pdf = createPagesPdf({ title: job.title, at, write: (bytes) => output.write(bytes) });
  const { workspace } = pages;
  return {
    async write(rows) {
      for (const facts of readRows(rows)) {
        if (source.kind === 'letters') {
          const letter = makeOne(job, source, facts, today);
          if (letter !== null) await pdf.writeLetter(letter);
        } else await pdf.writeStatement(facts, { data, workspace, at, by });
      }
    },
    end: () => pdf.end(),
    abort: async () => pdf.abort(),
  };
}

/** Letters as text for mail: each with its address, and a line between two. */
async function openMail(job: Job, output: OutputFile): Promise<RowWriter> {
  const { source } = job.wanted;
  if (source.kind !== 'letters') throw new DeskError('internal.fault');
  const { today, readRows } = await openPages(job);
  return {
    async write(rows) {
      for (const facts of readRows(rows)) {
        const letter = makeOne(job, source, facts, today);
        if (letter === null) continue;
        const { addressee, text } = letter;
        const divider = job.letters.length === 1 ? '' : `\n${'-'.repeat(72)}\n\n`;
        await output.write(Buffer.from(`${divider}${addressee.join('\n')}\n\n${text}\n`, 'utf8'));
      }
    },
    end: async () => undefined,
    abort: async () => undefined,
  };
}

/** Makes the letter of one claim, and keeps what its event needs; null: it lacks a part, so the claim is left out. */
function makeOne(
  { wanted, database, letters, leftOut }: Job,
  source: Extract<TableSource, { kind: 'letters' }>,
  facts: StatementFacts,
  today: string,
): Letter | null {
  const { letter: kind, typed } = source;
  const { claim } = facts;
  const memberId = claim.members?.[0]?.id;
  const member = typeof memberId === 'number' ? createRecordReader(database).members(memberId) : null;
  const { address } = (member === null ? {} : toPlainJson(member.record)) as MemberRecord;
  const { pages } = wanted;
  if (pages === null) throw new DeskError('internal.fault');
  const { settings } = lettersOf(pages.letters, letterEmployerOf(claim));
  const answerDays = answerDaysOf(claim, pages.settings);
  const letterFacts = { ...facts, address: address ?? null, answerDays };
  const letter = makeLetter(kind, letterFacts, { settings, typed, today });
  if (letter.missing.length > 0) {
    leftOut.push({ claimId: claim.id, missing: letter.missing.join(' ') });
    return null;
  }
  const digest = createHash('sha256').update(letter.text, 'utf8').digest('hex');
  letters.push({ claimId: claim.id, act: { kind: 'letter', letter: kind, digest, said: letter.said } });
  return letter;
}

/**
 * The most rows of one file without its header, after how many rows the export checks whether it was
 * canceled, and how a file is written, for each format.
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
  xlsx: { maxRows: maxSheetRows - 2, rowsPerProgress: 2_000, open: openWorkbook },
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
  // Longer ones take viewers long to open.
  pdf: { maxRows: 10_000, rowsPerProgress: 1, open: openPdf },
  text: { maxRows: 10_000, rowsPerProgress: 1, open: openMail },
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
  await job.writer?.end(files.at(-1)?.rows ?? 0, part);
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

async function writeRows(job: Job, table: TableReader, all: ReturnType<typeof createSums>): Promise<number> {
  job.writer = await openWriter(job);
  let [rows, reportedRows] = [0, 0];
  for (const batch of table.batches()) {
    all.add(batch);
    await writeBatch(job, batch);
    rows += batch.length;
    if (rows - reportedRows < forms[job.wanted.format].rowsPerProgress && rows < table.total) continue;
    reportedRows = rows;
    job.host.progress({ rows, total: table.total });
    await new Promise((resolve) => setImmediate(resolve));
    job.canceled.throwIfAborted();
  }
  await endWriter(job);
  return rows;
}

/** Writes the signatures beside the files, and returns all files with the paths of their signatures. */
async function signFiles({ files, host }: Job): Promise<ExportedFile[]> {
  const written = files.map((file) => ({ ...file, ...file.output.readDigest() }));
  const digests = written.flatMap(({ sha512 }) => (sha512 === null ? [] : [sha512]));
  const signatures = digests.length === 0 ? [] : await host.sign(digests);
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
 * Writes one export from one read transaction, so that all rows are of the same moment. Either all of its files appear,
 * complete, or none.
 */
async function run(
  wanted: ExportWorkerData,
  host: ExportHost,
  canceled: AbortSignal,
): Promise<WrittenExport> {
  const { columns, format, source, outPath } = wanted;
  const database = openRecords(wanted.filePath, wanted.key, { isReadOnly: true });
  wanted.key.fill(0);
  database.exec('BEGIN');
  let userData: Database | null = null;
  let job: Job | null = null;
  try {
    if (wanted.userData !== null) {
      userData = openDatabase(wanted.userData.filePath, wanted.userData.key, { isReadOnly: true });
      wanted.userData.key.fill(0);
      userData.exec('BEGIN');
    }
    const data = readReceipts(database);
    const table = openTable(database, { ...wanted, userData });
    if (isOfPages(source) && table.total === 0) throw new DeskError('export.noClaims');
    const perFile = wanted.split ?? forms[format].maxRows;
    const paths = partPaths(outPath, Math.max(1, Math.ceil(table.total / perFile)));
    if (paths.length > 1 && outPath === standardOutput) throw new DeskError('export.cannotSplit');
    if (outPath !== standardOutput) await removeLeftovers(outPath, Date.parse(wanted.at));
    const title = titleOf(source);
    const nameOf: NameOf = (list, id) => {
      const name = database.prepare(`SELECT one.name FROM ${list} one WHERE one.id=?`).pluck().get(id);
      return typeof name === 'string' ? name : undefined;
    };
    const maskKnown = <T>(value: T): T => maskSsnsIn(database, value);
    const texts = { nameOf, title, data, maskKnown };
    const empty = { files: [], letters: [], leftOut: [], writer: null };
    job = { wanted, database, userData, ...texts, paths, perFile, host, canceled, ...empty };
    const all = createSums(columns);
    const read = await writeRows(job, table, all);
    const [without] = job.leftOut;
    if (source.kind === 'letters' && job.letters.length === 0 && without !== undefined)
      throw new DeskError('letter.incomplete', {
        details: { claim: without.claimId, missing: without.missing },
      });
    const files = await signFiles(job);
    const sumsWithout = all.readLeftOut().map(({ column, count }) => [column.path, count]);
    const notCounted = sumsWithout.length === 0 ? {} : { notCounted: Object.fromEntries(sumsWithout) };
    const leftOut = without === undefined ? {} : { leftOut: job.leftOut.slice(0, maxSelected) };
    if (job.letters.length > 0) await host.record(job.letters);
    for (const { output } of job.files) await output.commit();
    return { rows: read - job.leftOut.length, files, ...notCounted, ...leftOut };
  } catch (thrown) {
    await job?.writer?.abort();
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
    run: (wanted: ExportWorkerData) =>
      run(wanted, host, canceling.signal).catch((thrown) => {
        throw toExportError(thrown);
      }),
    cancel: () => canceling.abort(new DeskError('export.canceled')),
  }),
);
const host: ExportHost = {
  progress: (counts) => notify('progress', counts),
  record: (letters) => call('record', letters) as ReturnType<ExportHost['record']>,
  sign: (digests) => Promise.race([call('sign', digests) as ReturnType<ExportHost['sign']>, canceled]),
};
