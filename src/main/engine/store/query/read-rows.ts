import { type Entity, type FieldSpec, fieldsOf, unknownNameOf } from '../../../../rules/list-fields.ts';
import { toAmountCell } from '../../../../rules/money/amounts.ts';
import type { Cell, Row } from '../../../../rules/query.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Database } from '../file/database.ts';
import { joinStoredNames } from '../record/claim-names.ts';
import { type SqlValue, toCell } from '../record/decompose.ts';
import { isJsonObject, isRawNumber, type JsonValue, parseJson, readPath } from '../record/json.ts';
import { maskOddValue, maskSsn, maskUnknownField } from '../record/mask.ts';
import { memo } from '../record/memo.ts';
import { columnOf, findColumn, joinedOf, listTables } from './list-tables.ts';

const storedCell = ({ kind, isMany }: FieldSpec, value: SqlValue): Cell =>
  isMany === true && value !== null ? joinStoredNames(String(value), '\n') : toCell(kind, value);

/** Converts a value that no column holds to a cell: digits beyond 2^53 as text, objects as JSON. */
function oddCell(value: JsonValue, isSsnShown: boolean): Cell {
  if (value === null || typeof value !== 'object') return value;
  return isRawNumber(value) ? value.rawJSON : JSON.stringify(isSsnShown ? value : maskOddValue(value));
}

/** The cell of a field that Claimdesk does not recognize; a value that looks like an SSN is masked. */
function unknownCell(extra: JsonValue, name: string): Cell {
  const value = isJsonObject(extra) && Object.hasOwn(extra, name) ? extra[name] : undefined;
  return value === undefined ? null : oddCell(maskUnknownField(name, value), true);
}

/**
 * Reads rows by key, in the order of the keys; null where a row no longer exists.
 * @throws DeskError `export.unknownColumn` for a field that the list lacks
 */
export function createRowReader(database: Database, entity: Entity, paths?: readonly string[]) {
  const { table, alias, key, joins } = listTables[entity];
  const specs = (paths ?? fieldsOf[entity].map((spec) => spec.path)).map((path) => {
    const spec = findColumn(entity, path);
    if (spec === undefined) throw new DeskError('export.unknownColumn', { details: { column: path } });
    return spec;
  });
  const shared = joinedOf(entity, specs);
  const columns = [
    `${alias}.${key}`,
    `${alias}.extra`,
    ...specs.map((spec) => columnOf(entity, spec.path)),
    ...shared.map((object) => `${object.alias}.extra`),
  ];
  const select = database
    .prepare(`SELECT ${columns.join(', ')} FROM ${table} ${alias} ${joins} WHERE ${alias}.${key}=?`)
    .raw();

  return (rowKey: number, options: { isSsnShown: boolean }): Cell[] | null => {
    const values = select.get(rowKey) as SqlValue[] | undefined;
    if (values === undefined) return null;
    const extra = typeof values[1] === 'string' ? parseJson(values[1]) : null;
    const sharedExtras = shared.map((_object, index) => values[specs.length + 2 + index]);
    return specs.map((spec, index) => {
      let cell = storedCell(spec, values[index + 2] as SqlValue);
      if (spec.isDerived === true) return cell;
      const unknown = unknownNameOf(spec.path);
      if (unknown !== null) return unknownCell(extra, unknown);
      let odd = extra === null ? undefined : readPath(extra, spec.path.split('.'));
      const sharedExtra = sharedExtras[shared.findIndex(({ head }) => spec.path.startsWith(`${head}.`))];
      if (typeof sharedExtra === 'string') {
        const sharedOdd = readPath(parseJson(sharedExtra), spec.path.split('.').slice(1));
        if (sharedOdd !== undefined) odd = sharedOdd;
      }
      if (odd !== undefined) cell = oddCell(odd, options.isSsnShown);
      if (odd !== undefined && cell !== null && spec.kind === 'money') cell = toAmountCell(cell);
      if (spec.sensitivity === 'ssn' && !options.isSsnShown && cell !== null) return maskSsn(String(cell));
      return cell;
    });
  };
}

type RowReader = ReturnType<typeof createRowReader>;
/** Caches prepared statements by set of columns: windows request the same few sets repeatedly. */
const readers = new WeakMap<Database, Map<string, RowReader>>();
const maxReaders = 20;

function findReader(database: Database, entity: Entity, paths: readonly string[]): RowReader {
  const databaseReaders = readers.get(database) ?? new Map<string, RowReader>();
  readers.set(database, databaseReaders);
  const name = `${entity} ${paths.join(' ')}`;
  return memo(databaseReaders, name, () => createRowReader(database, entity, paths), maxReaders);
}

/** Since when the service no longer returns these rows, by key; rows that it still returns are not in the map. */
function readMissing(database: Database, entity: Entity, keys: readonly number[]): Map<number, string> {
  const { table, alias, key, missingSince } = listTables[entity];
  const rows = database
    .prepare(
      `SELECT ${alias}.${key}, ${missingSince} AS since FROM json_each(?) wanted
       CROSS JOIN ${table} ${alias} ON ${alias}.${key}=wanted.value WHERE since IS NOT NULL`,
    )
    .raw()
    .all(JSON.stringify(keys));
  return new Map(rows as [number, string][]);
}

/**
 * Rows as objects under the service's names, with `$key`, the row's key. `$missingSince` (ISO time) is present only
 * where the service no longer returns the row, `$isMissing` where the row is no longer in the store.
 */
export function readRows(
  database: Database,
  entity: Entity,
  keys: readonly number[],
  fields: readonly string[] | undefined,
): Row[] {
  const paths = fields ?? fieldsOf[entity].map((spec) => spec.path);
  const read = findReader(database, entity, paths);
  const missing = readMissing(database, entity, keys);
  return keys.map((rowKey) => {
    const cells = read(rowKey, { isSsnShown: false });
    const row: Row = { $key: rowKey };
    if (cells === null) row.$isMissing = true;
    else for (const [index, path] of paths.entries()) row[path] = cells[index] as Cell;
    const missingSince = missing.get(rowKey);
    if (missingSince !== undefined) row.$missingSince = missingSince;
    return row;
  });
}
