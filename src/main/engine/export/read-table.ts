import { type ReportSource, type TableSource, tableOf } from '../../../contract/export.ts';
import type { ExportColumn } from '../../../contract/export-columns.ts';
import { type DaySpan, daysOf, type SentRange } from '../../../rules/date-range.ts';
import type { Entity, FieldSpec } from '../../../rules/fields.ts';
import { readTenThousandths, writeDecimals } from '../../../rules/money/amounts.ts';
import { sumPayments } from '../../../rules/money/reimbursement.ts';
import { type Amount, amountSchema, type Cell, type ListQuery, sumNames } from '../../../rules/query.ts';
import type { Database } from '../store/file/database.ts';
import { buildKeys } from '../store/query/build-query.ts';
import { createListOperations } from '../store/query/list-operations.ts';
import { columnOf, findColumn, joinedOf, listTables } from '../store/query/list-tables.ts';
import { createRowReader } from '../store/query/read-rows.ts';
import { readNames } from '../store/record/claim-names.ts';
import type { SqlValue } from '../store/record/decompose.ts';
import { createCellMask } from '../store/record/known-ssns.ts';
import { maskSsn } from '../store/record/mask.ts';
import { memo } from '../store/record/memo.ts';
import { listChanges } from '../store/sync/change-log.ts';
import { createPaymentReader } from '../store/user-data/fold-claims.ts';
import { plainNumber } from './exact-amount.ts';
import { joinNames, nameSeparator } from './guard.ts';

/**
 * The rows of an export. Amounts are ten-thousandths of a dollar; one that a double cannot hold is decimal text. A row
 * may have more cells than there are columns; the further ones are ignored.
 */
export interface TableReader {
  readonly total: number;
  readonly batches: () => Generator<readonly Cell[][]>;
}

export interface TableOptions {
  readonly source: TableSource;
  readonly columns: readonly ExportColumn[];
  readonly isSsnShown: boolean;
  /** The user data file, which holds the payments, in a read transaction as well; null where there is none. */
  readonly userData: Database | null;
  readonly workspaceId: string;
}

const rowsPerBatch = 250;
const statementsPerBatch = 20;

/**
 * Reads what is exported, a batch of rows at a time. The caller holds a read transaction, so that all rows are of one
 * moment.
 */
export function openTable(database: Database, options: TableOptions): TableReader {
  const table = openSource(database, options);
  if (options.isSsnShown) return table;
  const texts = options.columns.flatMap(({ kind }, index) => (kind === 'text' ? [index] : []));
  const mask = createCellMask(database);
  return {
    total: table.total,
    *batches() {
      for (const rows of table.batches()) {
        for (const index of texts) for (const row of rows) row[index] = mask(row[index] as Cell);
        yield rows;
      }
    },
  };
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
    : openChanges(database, options, source.runId);
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
      for (let start = 0; start < keys.length; start += statementsPerBatch)
        yield keys.slice(start, start + statementsPerBatch).map((key) => [key]);
    },
  };
}

function* sliceKeys(keys: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < keys.length; start += rowsPerBatch)
    yield keys.slice(start, start + rowsPerBatch);
}

function openList(
  database: Database,
  { columns, isSsnShown }: TableOptions,
  query: ListQuery,
  selected: readonly number[] | undefined,
): TableReader {
  const { entity } = query;
  const keys = selected ?? readKeys(database, query);
  const { table, alias, key, joins } = listTables[entity];
  const part = selectPart(
    database,
    entity,
    columns.map(({ path }) => path),
    { at: 0, isSsnShown },
  );
  // CROSS JOIN keeps the order of the keys, without the sort that ORDER BY would add.
  const select = database
    .prepare(
      `SELECT ${part.columns.join(', ')} FROM json_each(?) wanted
       CROSS JOIN ${table} ${alias} ON ${alias}.${key}=wanted.value ${joins}`,
    )
    .raw();
  return {
    total: keys.length,
    *batches() {
      for (const batch of sliceKeys(keys)) {
        const rows = select.all(JSON.stringify(batch)) as SqlValue[][];
        part.finish(rows);
        yield rows as Cell[][];
      }
    },
  };
}

/**
 * Each claim line with the columns of its claim. Amounts of the claim are on its first line only, so that their sum is
 * right.
 */
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
  const claims = selectPart(database, 'claims', paths(ofClaim), { at: 0, isSsnShown });
  const lines = selectPart(database, 'lines', paths(ofLine), { at: claims.columns.length, isSsnShown });
  const { joins } = listTables.claims;
  const select = database
    .prepare(
      `SELECT ${[...claims.columns, ...lines.columns].join(', ')} FROM json_each(?) wanted
       CROSS JOIN claims c ON c.id=wanted.value ${joins}
       LEFT JOIN claim_lines l ON l.parent=c.id ORDER BY wanted.id, l.position`,
    )
    .raw();
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
        const rows = select.all(JSON.stringify(batch)) as SqlValue[][];
        claims.finish(rows);
        lines.finish(rows.filter((row) => row[lines.keyAt] !== null));
        yield rows.map((row) => {
          const claim = row[claims.keyAt] as SqlValue;
          if (claim === last) for (const index of amounts) row[index] = null;
          last = claim;
          return places.map((place) => row[place] as Cell);
        });
      }
    },
  };
}

/** Columns with the first and last day of a date range, which are computed from the stored range. */
const dayOf = { first_day: 'first', last_day: 'last' } as const;
/** The most values that are cached. The same days and names occur in many rows. */
const maxKnown = 20_000;

/**
 * The SQL columns of one record, which begin at index `at` of a row, and a function that converts their values to
 * cells. A record with unknown fields or values that do not fit their columns, which is rare, is read a second time, as
 * for a list.
 */
function selectPart(
  database: Database,
  entity: Entity,
  paths: readonly string[],
  { at, isSsnShown }: { at: number; isSsnShown: boolean },
) {
  const { alias, key } = listTables[entity];
  const specs = paths.map((path) => findColumn(entity, path) as FieldSpec);
  const shared = joinedOf(entity, specs);
  const allDays = specs.flatMap((spec, index) => {
    const suffix = spec.path.slice(spec.path.lastIndexOf('.') + 1);
    const part = spec.isDerived === true && suffix in dayOf ? dayOf[suffix as keyof typeof dayOf] : undefined;
    return part === undefined ? [] : [{ index: at + index, part, head: spec.path.split('.')[0] as string }];
  });
  const heads = [...new Set(allDays.map(({ head }) => head))];
  const days = heads.map((head) => allDays.filter((day) => day.head === head));
  const isDay = new Set(allDays.map(({ index }) => index - at));
  const columns = [
    ...specs.map((spec, index) => (isDay.has(index) ? 'NULL' : columnOf(entity, spec.path))),
    `${alias}.${key}`,
    `${alias}.extra`,
    ...shared.map((object) => `${object.alias}.extra`),
    ...heads.map((head) => {
      const [start, end, bounds] = ['start', 'end', 'bounds'].map((part) => `${alias}.${head}_${part}`);
      return `json_object('start', ${start}, 'end', ${end}, 'bounds', ${bounds})`;
    }),
  ];
  const keyAt = at + specs.length;
  const extras = Array.from({ length: 1 + shared.length }, (_none, index) => keyAt + 1 + index);
  const rangesAt = keyAt + 1 + extras.length;
  const indexesOf = (isWanted: (spec: FieldSpec) => boolean): number[] =>
    specs.flatMap((spec, index) => (isWanted(spec) ? [at + index] : []));
  const flags = indexesOf(({ kind }) => kind === 'boolean');
  const names = indexesOf(({ isMany }) => isMany === true);
  const ssns = isSsnShown ? [] : indexesOf(({ sensitivity }) => sensitivity === 'ssn');
  const readOdd = createRowReader(database, entity, paths);
  const knownRanges = new Map<string, DaySpan | null>();
  const knownNames = new Map<string, string>();
  const writeNames = (stored: string): string => readNames(stored).join(nameSeparator);
  const readRange = (json: string): DaySpan | null => daysOf(JSON.parse(json) as SentRange);
  const fillOddRow = (row: SqlValue[]): void =>
    readOdd(row[keyAt] as number, { isSsnShown })?.forEach((cell, column) => {
      row[at + column] = toOddCell(cell, specs[column] as FieldSpec) as SqlValue;
    });

  return {
    columns,
    keyAt,
    /** Converts the stored values of rows to cells, in place and column by column. */
    finish(all: (SqlValue | boolean)[][]): void {
      const rows = all.filter((row) => extras.every((index) => row[index] === null));
      if (rows.length < all.length)
        for (const row of all) if (extras.some((index) => row[index] !== null)) fillOddRow(row as SqlValue[]);
      const convert = (index: number, toCell: (value: SqlValue) => SqlValue | boolean): void => {
        for (const row of rows) if (row[index] !== null) row[index] = toCell(row[index] as SqlValue);
      };
      for (const index of flags) convert(index, (value) => value === 1);
      for (const index of ssns) convert(index, (value) => maskSsn(String(value)));
      for (const index of names)
        convert(index, (value) => memo(knownNames, String(value), () => writeNames(String(value)), maxKnown));
      for (const [position, ofHead] of days.entries())
        for (const row of rows) {
          const json = row[rangesAt + position] as string;
          const range = memo(knownRanges, json, () => readRange(json), maxKnown);
          for (const { index, part } of ofHead) row[index] = range === null ? null : range[part];
        }
    },
  };
}

/**
 * Converts a cell of a list, whose amounts are dollars, to one of an export. A value that is no number is its text as
 * sent, also where JSON has it as a number.
 */
function toOddCell(cell: Cell, spec: Pick<FieldSpec, 'kind' | 'isMany'>): Cell {
  if (typeof cell === 'string' && spec.isMany === true) return joinNames(cell);
  if (spec.kind !== 'money' || cell === null) return cell;
  const tenThousandths = readTenThousandths(cell);
  if (tenThousandths === null) return String(cell);
  const text = String(cell).trim();
  return plainNumber.test(text) && Number(text) !== tenThousandths / 10_000 ? text : tenThousandths;
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
  const part = selectPart(database, 'claims', ['vendor_system_id', 'patient_name', 'members.name'], {
    at: 0,
    isSsnShown: false,
  });
  const { joins } = listTables.claims;
  const select = database
    .prepare(
      `SELECT ${part.columns.join(', ')} FROM json_each(?) wanted
       CROSS JOIN claims c ON c.id=wanted.value ${joins}`,
    )
    .raw();
  let total = 0;
  for (const slice of sliceKeys(keys)) total += payments.read(slice).length;
  return {
    total,
    *batches() {
      for (const batch of sliceKeys(keys)) {
        const rows = select.all(JSON.stringify(batch)) as SqlValue[][];
        part.finish(rows);
        const claims = new Map(rows.map((row) => [row[part.keyAt] as number, row as Cell[]]));
        yield payments.read(batch).map(({ claimId, payment, amount, day, account, author, at }) => {
          const [number = null, patient = null, member = null] = claims.get(claimId) ?? [];
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
  const kindOf = new Map(columns.map(({ path, kind }) => [path, kind]));
  const rows = groups.map(({ value, label, totals }) => ({
    value: toOddCell(value, { kind: kindOf.get('value') ?? 'text' }),
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

/** Reads what one sync changed: a row per changed field, or one row per record if these are not known. */
function openChanges(database: Database, { columns }: TableOptions, runId: string): TableReader {
  const { changes } = listChanges(database, { runId, offset: 0, limit: 1_000_000 });
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
