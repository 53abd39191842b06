import { type ReportSource, type TableSource, tableOf } from '../../../contract/export.ts';
import type { ExportColumn } from '../../../contract/export-columns.ts';
import type { Entity } from '../../../rules/list-fields.ts';
import { writeDecimals } from '../../../rules/money/amounts.ts';
import { sumPayments } from '../../../rules/money/reimbursement.ts';
import { type Amount, amountSchema, type Cell, type ListQuery, sumNames } from '../../../rules/query.ts';
import type { Database } from '../store/file/database.ts';
import { buildKeys } from '../store/query/build-query.ts';
import { createListOperations } from '../store/query/list-operations.ts';
import { listTables } from '../store/query/list-tables.ts';
import type { SqlValue } from '../store/record/decompose.ts';
import { createCellMask } from '../store/record/known-ssns.ts';
import { listChanges } from '../store/sync/change-log.ts';
import { createPaymentReader } from '../store/user-data/fold-claims.ts';
import { selectRecord } from './select-record.ts';

/**
 * The rows of an export. Amounts are ten-thousandths of a dollar; one that a double can't hold is decimal text. A row
 * may have more cells than there are columns; the extra ones are ignored.
 */
export interface TableReader {
  readonly total: number;
  readonly batches: () => Generator<readonly Cell[][]>;
}

export interface TableOptions {
  readonly source: TableSource;
  readonly columns: readonly ExportColumn[];
  readonly isSsnShown: boolean;
  /** The user data file, which contains the payments, in a read transaction as well; null where there is none. */
  readonly userData: Database | null;
  readonly workspaceId: string;
}

const rowsPerBatch = 250;
const statementsPerBatch = 20;

/** Reads what is exported, a batch of rows at a time, in the caller's read transaction, so from one moment. */
export function openTable(database: Database, options: TableOptions): TableReader {
  const table = openSource(database, options);
  if (options.isSsnShown) return table;
  const texts = options.columns.flatMap(({ kind }, index) => (kind === 'text' ? [index] : []));
  const mask = createCellMask(database);
  return {
    total: table.total,
    *batches() {
      for (const rows of table.batches()) {
        for (const index of texts) maskColumn(rows, index, mask);
        yield rows;
      }
    },
  };
}

function maskColumn(rows: readonly Cell[][], index: number, mask: (cell: Cell) => Cell): void {
  for (const row of rows) {
    const cell = row[index] as Cell;
    const masked = mask(cell);
    if (masked !== cell) row[index] = masked;
  }
}

function openSource(database: Database, options: TableOptions): TableReader {
  const { source } = options;
  if (source.kind === 'list') return openList(database, options, source.query, source.keys);
  if (source.kind === 'claimLines') return openClaimLines(database, options, source.query, source.keys);
  if (source.kind === 'payments') return openPayments(database, options, source.query, source.keys);
  if (source.kind === 'statements' || source.kind === 'letters')
    return openKeys(database, source.query, source.keys);
  if (source.kind === 'report') return openReport(options, source);
  return source.kind === 'groups'
    ? openGroups(database, options, source.query, source.by)
    : openChanges(database, options, source.syncId);
}

function readKeys(database: Database, query: ListQuery): number[] {
  const { text, values } = buildKeys(query);
  return database.prepare(text).pluck().all(values) as number[];
}

/** Yields only the keys of the claims; the content of statements is read when they are written. */
function openKeys(
  database: Database,
  query: ListQuery,
  selected: readonly number[] | undefined,
): TableReader {
  const keys = selected ?? readKeys(database, query);
  return {
    total: keys.length,
    *batches() {
      for (const batch of sliceKeys(keys, statementsPerBatch)) yield batch.map((key) => [key]);
    },
  };
}

function* sliceKeys(keys: readonly number[], size = rowsPerBatch): Generator<readonly number[]> {
  for (let start = 0; start < keys.length; start += size) yield keys.slice(start, start + size);
}

/** Prepares a reader of rows in the order of their keys: CROSS JOIN preserves it without ORDER BY's sort. */
function prepareRows(database: Database, entity: Entity, columns: readonly string[], more = '') {
  const { table, alias, key, joins } = listTables[entity];
  const select = database
    .prepare(
      `SELECT ${columns.join(', ')} FROM json_each(?) wanted
       CROSS JOIN ${table} ${alias} ON ${alias}.${key}=wanted.value ${joins} ${more}`,
    )
    .raw();
  return (keys: readonly number[]) => select.all(JSON.stringify(keys)) as SqlValue[][];
}

function openList(
  database: Database,
  { columns, isSsnShown }: TableOptions,
  query: ListQuery,
  selected: readonly number[] | undefined,
): TableReader {
  const { entity } = query;
  const keys = selected ?? readKeys(database, query);
  const paths = columns.map(({ path }) => path);
  const part = selectRecord(database, entity, paths, { at: 0, isSsnShown });
  const readRows = prepareRows(database, entity, part.columns);
  return {
    total: keys.length,
    *batches() {
      for (const batch of sliceKeys(keys)) {
        const rows = readRows(batch);
        part.finish(rows);
        yield rows as Cell[][];
      }
    },
  };
}

/** Each claim line with its claim's columns. The claim's amounts are on its first line only, so that sums are right. */
function openClaimLines(
  database: Database,
  { columns, isSsnShown }: TableOptions,
  query: ListQuery,
  selected: readonly number[] | undefined,
): TableReader {
  const keys = selected ?? readKeys(database, query);
  const ofClaim = columns.filter(({ path }) => path.startsWith('claim.'));
  const ofLine = columns.filter(({ path }) => path.startsWith('line.'));
  const paths = (some: readonly ExportColumn[]): string[] =>
    some.map(({ path }) => path.slice(path.indexOf('.') + 1));
  const claims = selectRecord(database, 'claims', paths(ofClaim), { at: 0, isSsnShown });
  const lines = selectRecord(database, 'lines', paths(ofLine), { at: claims.columns.length, isSsnShown });
  const readRows = prepareRows(
    database,
    'claims',
    [...claims.columns, ...lines.columns, 'c.id'],
    'LEFT JOIN claim_lines l ON l.parent=c.id ORDER BY wanted.id, l.position',
  );
  const count = database
    .prepare(
      `SELECT sum(max(1, (SELECT count(*) FROM claim_lines WHERE parent=wanted.value))) FROM json_each(?) wanted`,
    )
    .pluck();
  let total = 0;
  for (const slice of sliceKeys(keys)) total += (count.get(JSON.stringify(slice)) as number | null) ?? 0;
  const places = columns.map((column) => {
    const at = ofClaim.indexOf(column);
    return at >= 0 ? at : claims.columns.length + ofLine.indexOf(column);
  });
  const amounts = ofClaim.flatMap(({ kind }, index) => (kind === 'money' ? [index] : []));
  return {
    total,
    *batches() {
      let last: SqlValue = null;
      for (const batch of sliceKeys(keys)) {
        const rows = readRows(batch);
        claims.finish(rows);
        lines.finish(rows);
        yield rows.map((row) => {
          const claim = row.at(-1) as SqlValue;
          if (claim === last) for (const index of amounts) row[index] = null;
          last = claim;
          return places.map((place) => row[place] as Cell);
        });
      }
    },
  };
}

/** The payments recorded on this computer for claims, in the order of the claims. */
function openPayments(
  database: Database,
  { columns, userData, workspaceId }: TableOptions,
  query: ListQuery,
  selected: readonly number[] | undefined,
): TableReader {
  if (userData === null) return fromRecords(columns, []);
  const payments = createPaymentReader(userData, workspaceId);
  const paid = payments.listPaid();
  const keys = (selected ?? readKeys(database, query)).filter((key) => paid.has(key));
  const named = ['vendor_system_id', 'patient_name', 'members.name'];
  const part = selectRecord(database, 'claims', named, { at: 1, isSsnShown: false });
  const readRows = prepareRows(database, 'claims', ['c.id', ...part.columns]);
  let total = 0;
  for (const slice of sliceKeys(keys)) total += payments.read(slice).length;
  return {
    total,
    *batches() {
      for (const batch of sliceKeys(keys)) {
        const rows = readRows(batch);
        part.finish(rows);
        const claims = new Map(rows.map((row) => [row[0] as number, row as Cell[]]));
        yield payments.read(batch).map(({ claimId, payment, amount, day, account, author, at }) => {
          const [, number = null, patient = null, member = null] = claims.get(claimId) ?? [];
          const record: Record<string, Cell> = {
            day,
            kind: payment,
            amount: sumPayments([{ kind: payment, amount }]),
            account,
            author,
            recorded_at: at,
            claim_id: claimId,
            claim_number: number,
            patient_name: patient,
            member_name: member,
          };
          return columns.map(({ path }) => record[path] ?? null);
        });
      }
    },
  };
}

const amount = (value: Amount | null): Cell => (typeof value === 'string' ? writeDecimals(value) : value);

function openGroups(
  database: Database,
  { columns }: TableOptions,
  query: ListQuery,
  by: string,
): TableReader {
  const { groups } = createListOperations(database).groupList({
    query,
    by,
    options: { order: 'count', isDescending: true, offset: 0, limit: Number.MAX_SAFE_INTEGER },
  });
  const rows = groups.map(({ value, label, totals }) => ({
    value,
    name: label,
    count: totals.count,
    billed: amount(totals.billed),
    allowed: amount(totals.allowed),
    paid: amount(totals.paid),
    patient_responsibility: amount(totals.patientResponsibility),
    not_counted: sumNames.reduce((sum, name) => sum + (totals.notCounted?.[name] ?? 0), 0),
  }));
  return fromRecords(columns, rows);
}

/** Reads what one sync changed: one row per changed field, or one row per record if the fields are unknown. */
function openChanges(database: Database, { columns }: TableOptions, syncId: string): TableReader {
  const { changes } = listChanges(database, { syncId, offset: 0, limit: 1_000_000 });
  const rows = changes.flatMap(({ list, id, change, at, fields }) =>
    (fields.length === 0 ? [{ path: null, before: null, after: null }] : fields).map((field) => ({
      list,
      id,
      change,
      at,
      field: field.path,
      before: field.before,
      after: field.after,
    })),
  );
  return fromRecords(columns, rows);
}

function openReport({ columns }: TableOptions, report: ReportSource): TableReader {
  const records = report.rows.map((row) =>
    Object.fromEntries(
      report.columns.map(({ path, kind }, index) => {
        const cell = row[index] ?? null;
        return [path, kind === 'money' ? amount(amountSchema.nullable().parse(cell)) : cell];
      }),
    ),
  );
  return fromRecords(columns, records);
}

const fromRecords = (
  columns: readonly ExportColumn[],
  records: readonly Record<string, Cell>[],
): TableReader => ({
  total: records.length,
  *batches() {
    for (let start = 0; start < records.length; start += rowsPerBatch)
      yield records
        .slice(start, start + rowsPerBatch)
        .map((record) => columns.map(({ path }) => record[path] ?? null));
  },
});

/** The title of an export, which is also written into its file. */
export const titleOf = (source: TableSource): string =>
  ({
    members: 'Members',
    dependents: 'Dependents',
    claims: 'Claims',
    lines: 'Claim lines',
    claimLines: 'Claims with lines',
    payments: 'Payments',
    statements: 'Substantiation statements',
    letters: 'Letters',
    groups: 'Groups',
    changes: 'Changes',
    report: 'Report',
    run: 'Reimbursements',
  })[tableOf(source)];
