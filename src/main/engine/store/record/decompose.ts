import type { FieldKind } from '../../../../rules/list-fields.ts';
import { isBlankAmount, readTenThousandths } from '../../../../rules/money/amounts.ts';
import type { Cell } from '../../../../rules/query.ts';
import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, readWhole } from './json.ts';
import { memo } from './memo.ts';
import { type Column, type ColumnKind, flatColumnsOf, type ListShape, type Shape } from './record-columns.ts';

export type SqlValue = string | number | null;

/** The parts of a record: values of its row, of other tables, and of `extra`. */
interface Decomposed {
  /** The values in the order of flatColumnsOf(shape). */
  values: SqlValue[];
  shared: { column: string; shape: Shape; object: JsonObject | null }[];
  lists: { list: ListShape; items: JsonObject[] }[];
  maps: { table: string; entries: [string, string][] }[];
  /** The columns of amounts that are not numbers. */
  unreadAmounts: string[];
  /** Keys at the top level that the shape does not have. */
  unknown: string[];
  /**
   * Fields that no column holds exactly: unknown ones, unexpected types, more precise amounts, and list items that are
   * not records.
   */
  extra: JsonObject | null;
  /**
   * Keys that were absent (`key`), and objects or lists that were null (`key=null`). Lists that were sent as a single
   * object (`key={}`), and lists with items that are not objects (`key[]`); `extra` has these as pairs of position and
   * value.
   */
  markers: string[];
}

const unfit = Symbol('unfit');
type Fitted = SqlValue | typeof unfit;

/** Returns a cell of the column's type, or `unfit`. It is one switch for speed: it runs sixty times per record. */
function fitCell(kind: ColumnKind, value: JsonValue): Fitted {
  if (kind === 'text') return typeof value === 'string' && value.isWellFormed() ? value : unfit;
  if (kind === 'boolean') return typeof value === 'boolean' ? Number(value) : unfit;
  if (typeof value !== 'number' || Object.is(value, -0)) return unfit;
  if (kind === 'real') return value;
  if (kind === 'integer') return Number.isSafeInteger(value) ? value : unfit;
  const tenThousandths = Math.round(value * 10_000);
  return Number.isSafeInteger(tenThousandths) && tenThousandths / 10_000 === value ? tenThousandths : unfit;
}

/**
 * The cell of a value that its column does not hold exactly; the original is in `extra`. An amount sent as text, or
 * with more decimals, is counted with its cell rounded. `unread` gets the column of an amount that is not a number. A
 * whole number sent as text, such as an ID, is read as a number.
 */
function approximate({ column, kind }: Column, value: JsonValue, unread: string[]): SqlValue {
  if (kind === 'integer') return readWhole(value);
  if (kind !== 'money') return null;
  const amount = readTenThousandths(isRawNumber(value) ? value.rawJSON : value);
  if (amount === null && !isBlankAmount(value)) unread.push(column);
  return amount;
}

/**
 * The records of a list: items that are not records are left out, and a single record instead of a list counts as a
 * list of one (docs/service.md, "Lists and values").
 */
export function recordsIn(value: JsonValue | undefined): JsonObject[] {
  if (Array.isArray(value)) return value.every(isJsonObject) ? value : value.filter(isJsonObject);
  return isJsonObject(value) ? [value] : [];
}

/**
 * Splits a record by its shape without loss: compose() returns a value that is equal as JSON. It is a pure function.
 * Null and absent are kept apart, and an unexpected value never causes an error.
 */
export function decompose(shape: Shape, record: JsonObject): Decomposed {
  const result: Decomposed = {
    values: [],
    shared: [],
    lists: [],
    maps: [],
    unreadAmounts: [],
    unknown: [],
    extra: null,
    markers: [],
  };
  const keep = (key: string, value: JsonValue): void => {
    result.extra ??= {};
    defineKey(result.extra, key, value);
  };
  let knownCount = 0;
  // Keys come from shapes and JSON has no undefined, so undefined means absent.
  const read = (key: string): JsonValue | undefined => {
    const value = record[key];
    if (value === undefined) result.markers.push(key);
    else knownCount += 1;
    return value;
  };

  for (const column of shape.columns) {
    const value = read(column.key);
    if (value === undefined || value === null) {
      result.values.push(null);
      continue;
    }
    const fitted = fitCell(column.kind, value);
    if (fitted === unfit) keep(column.key, value);
    result.values.push(fitted === unfit ? approximate(column, value, result.unreadAmounts) : fitted);
  }
  for (const object of shape.inline) {
    const value = read(object.key);
    if (value === null) result.markers.push(`${object.key}=null`);
    const whole = isJsonObject(value) ? fitInline(object.columns, value) : null;
    if (value !== undefined && value !== null && whole?.isExact !== true) keep(object.key, value);
    result.values.push(...(whole?.values ?? object.columns.map(() => null)));
  }
  for (const shared of shape.shared) {
    const value = read(shared.key);
    const object = isJsonObject(value) ? value : null;
    if (object === null && value !== undefined && value !== null) keep(shared.key, value);
    result.shared.push({ column: shared.column, shape: shared.shape(), object });
  }
  for (const list of shape.lists) {
    const value = read(list.key);
    if (value === null) result.markers.push(`${list.key}=null`);
    if (value === undefined || value === null) {
      if (list.kind !== 'map') result.lists.push({ list, items: [] });
    } else if (list.kind === 'map') {
      if (isTextMap(value)) result.maps.push({ table: list.table, entries: Object.entries(value) });
      else keep(list.key, value);
    } else {
      const items = recordsIn(value);
      if (isJsonObject(value)) result.markers.push(`${list.key}={}`);
      else if (!Array.isArray(value)) keep(list.key, value);
      else if (items.length < value.length) {
        result.markers.push(`${list.key}[]`);
        keep(
          list.key,
          value.flatMap((item, position) => (isJsonObject(item) ? [] : [[position, item]])),
        );
      }
      result.lists.push({ list, items });
    }
  }
  if (knownCount < Object.keys(record).length) result.unknown = keepUnknown(shape, record, keep);
  return result;
}

/** Sets a key of an object, including a key named `__proto__`. */
export function defineKey(target: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

function fitInline(columns: readonly Column[], value: JsonObject): { values: SqlValue[]; isExact: boolean } {
  let isExact = Object.keys(value).length === columns.length;
  const values = columns.map((column) => {
    if (!Object.hasOwn(value, column.key)) {
      isExact = false;
      return null;
    }
    const inner = value[column.key] as JsonValue;
    if (inner === null) return null;
    const fitted = fitCell(column.kind, inner);
    if (fitted !== unfit) return fitted;
    isExact = false;
    return column.kind === 'integer' ? readWhole(inner) : null;
  });
  return { values, isExact };
}

const isTextMap = (value: JsonValue): value is Record<string, string> =>
  isJsonObject(value) &&
  Object.entries(value).every(
    ([key, inner]) => typeof inner === 'string' && inner.isWellFormed() && key.isWellFormed(),
  );

const knownKeys = new Map<Shape, ReadonlySet<string>>();
/** The keys of a record that its shape includes. */
export const knownKeysOf = (shape: Shape): ReadonlySet<string> =>
  memo(knownKeys, shape, () => {
    const parts = [...shape.columns, ...shape.inline, ...shape.shared, ...shape.lists];
    return new Set(parts.map(({ key }) => key));
  });

function keepUnknown(
  shape: Shape,
  record: JsonObject,
  keep: (key: string, value: JsonValue) => void,
): string[] {
  const shapeKeys = knownKeysOf(shape);
  const unknown = Object.keys(record).filter((key) => !shapeKeys.has(key));
  for (const key of unknown) keep(key, record[key] as JsonValue);
  return unknown;
}

/** The parts of a row that a reader collected for compose(). */
export interface Gathered {
  /** The values in the order of flatColumnsOf(shape). */
  values: readonly SqlValue[];
  shared: ReadonlyMap<string, JsonObject | null>;
  lists: ReadonlyMap<string, JsonValue>;
  extra: JsonObject | null;
  markers: readonly string[];
}

/** Converts a stored value of a typed column to the cell of a row; an amount is in ten-thousandths of a dollar. */
export const toCell = (kind: ColumnKind | FieldKind, value: SqlValue): Cell =>
  kind === 'boolean' && value !== null ? value === 1 : value;

/** Does the same for the record that the service sent, where an amount is in dollars. */
export const decodeCell = (kind: ColumnKind, value: SqlValue): Cell =>
  kind === 'money' && value !== null ? (value as number) / 10_000 : toCell(kind, value);

/** The reverse of decompose(): the record, equal as JSON to what was sent. */
export function compose(shape: Shape, parts: Gathered): JsonObject {
  const absent = new Set(parts.markers);
  const record: JsonObject = {};
  let index = 0;
  for (const column of shape.columns) {
    const value = parts.values[index++] as SqlValue;
    if (value !== null || !absent.has(column.key)) record[column.key] = decodeCell(column.kind, value);
  }
  for (const object of shape.inline) {
    const whole: JsonObject = {};
    for (const column of object.columns)
      whole[column.key] = decodeCell(column.kind, parts.values[index++] as SqlValue);
    if (absent.has(`${object.key}=null`)) record[object.key] = null;
    else if (!absent.has(object.key)) record[object.key] = whole;
  }
  for (const shared of shape.shared) {
    if (!absent.has(shared.key)) record[shared.key] = parts.shared.get(shared.key) ?? null;
  }
  for (const list of shape.lists) {
    const items = parts.lists.get(list.key) ?? (list.kind === 'map' ? {} : []);
    if (absent.has(`${list.key}=null`)) record[list.key] = null;
    else if (absent.has(`${list.key}={}`)) record[list.key] = (items as JsonObject[])[0] as JsonObject;
    else if (!absent.has(list.key)) record[list.key] = items;
  }
  for (const key of Object.keys(parts.extra ?? {})) {
    const value = (parts.extra as JsonObject)[key] as JsonValue;
    defineKey(record, key, absent.has(`${key}[]`) ? putBack(record[key], value) : value);
  }
  return record;
}

/** Inserts items that are not records at their positions in a list. */
function putBack(items: JsonValue | undefined, odd: JsonValue): JsonValue {
  const whole = [...(items as JsonObject[])] as JsonValue[];
  for (const [position, value] of odd as [number, JsonValue][]) whole.splice(position, 0, value);
  return whole;
}

/** The names of all columns that hold a row of this shape, in writing order, without those that identify the row. */
export const storedColumnsOf = (shape: Shape): string[] => [
  ...flatColumnsOf(shape).map((column) => column.column),
  ...shape.shared.map((shared) => shared.column),
  'extra',
  'shape_id',
];
