import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { type Column, type ColumnKind, flatColumnsOf, type ListShape, type Shape } from './shapes.ts';

export type SqlValue = string | number | null;

/** A record taken apart: values of its row, values beside the row, and its lists. */
export interface Decomposed {
  /** In the order of flatColumnsOf(shape). */
  values: SqlValue[];
  shared: { column: string; shape: Shape; object: JsonObject | null }[];
  lists: { list: ListShape; items: JsonObject[] }[];
  maps: { table: string; entries: [string, string][] }[];
  /** Fields that no column holds exactly: unknown ones, unexpected types, finer amounts. */
  extra: JsonObject | null;
  /** Keys that were absent (`key`), and objects or lists that were null (`key=null`). */
  markers: string[];
}

const unfit = Symbol('unfit');
type Fitted = SqlValue | typeof unfit;

/** A cell of the column's type, or `unfit`. One switch for speed: it runs sixty times a record. */
function fitCell(kind: ColumnKind, value: JsonValue): Fitted {
  if (kind === 'text') return typeof value === 'string' && value.isWellFormed() ? value : unfit;
  if (kind === 'boolean') return typeof value === 'boolean' ? Number(value) : unfit;
  if (typeof value !== 'number' || Object.is(value, -0)) return unfit;
  if (kind === 'real') return value;
  if (kind === 'integer') return Number.isSafeInteger(value) ? value : unfit;
  const tenThousandths = Math.round(value * 10_000);
  return Number.isSafeInteger(tenThousandths) && tenThousandths / 10_000 === value ? tenThousandths : unfit;
}

/** An amount finer than a ten-thousandth gets a rounded cell, so that sums include it; the original is in extra. */
function approximate(column: Column, value: JsonValue): SqlValue {
  if (column.kind !== 'money' || typeof value !== 'number') return null;
  const tenThousandths = Math.round(value * 10_000);
  return Number.isSafeInteger(tenThousandths) ? tenThousandths + 0 : null;
}

/**
 * Takes a record apart by its shape, without loss: compose() gives back a value equal as JSON. Pure; null and absent
 * stay different, and an unexpected value never fails the record.
 */
export function decompose(shape: Shape, record: JsonObject): Decomposed {
  const result: Decomposed = { values: [], shared: [], lists: [], maps: [], extra: null, markers: [] };
  const keep = (key: string, value: JsonValue): void => {
    result.extra ??= {};
    defineKey(result.extra, key, value);
  };
  let known = 0;
  // Keys come from shapes and JSON has no undefined, so undefined means absent.
  const read = (key: string): JsonValue | undefined => {
    const value = record[key];
    if (value === undefined) result.markers.push(key);
    else known += 1;
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
    result.values.push(fitted === unfit ? approximate(column, value) : fitted);
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
      const items = Array.isArray(value) && value.every(isJsonObject) ? value : null;
      if (items === null) keep(list.key, value);
      result.lists.push({ list, items: items ?? [] });
    }
  }
  if (known < Object.keys(record).length) keepUnknown(shape, record, keep);
  return result;
}

/** Like assignment, but correct for a key named `__proto__` as well. */
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
    if (fitted === unfit) {
      isExact = false;
      return null;
    }
    return fitted;
  });
  return { values, isExact };
}

function isTextMap(value: JsonValue): value is Record<string, string> {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(
      ([key, inner]) => typeof inner === 'string' && inner.isWellFormed() && key.isWellFormed(),
    )
  );
}

const knownKeys = new WeakMap<Shape, ReadonlySet<string>>();

function knownKeysOf(shape: Shape): ReadonlySet<string> {
  let keys = knownKeys.get(shape);
  if (keys === undefined) {
    keys = new Set(
      [...shape.columns, ...shape.inline, ...shape.shared, ...shape.lists].map((part) => part.key),
    );
    knownKeys.set(shape, keys);
  }
  return keys;
}

function keepUnknown(shape: Shape, record: JsonObject, keep: (key: string, value: JsonValue) => void): void {
  const keys = knownKeysOf(shape);
  for (const key of Object.keys(record)) {
    if (!keys.has(key)) keep(key, record[key] as JsonValue);
  }
}

/** The parts of a row as a reader collected them, to be composed again. */
export interface Gathered {
  /** In the order of flatColumnsOf(shape). */
  values: readonly SqlValue[];
  shared: ReadonlyMap<string, JsonObject | null>;
  lists: ReadonlyMap<string, JsonValue>;
  extra: JsonObject | null;
  markers: readonly string[];
}

/** A value of a typed column as the record has it. */
export function decodeCell(kind: ColumnKind, value: SqlValue): JsonValue {
  if (value === null) return null;
  if (kind === 'money') return (value as number) / 10_000;
  if (kind === 'boolean') return value === 1;
  return value;
}

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
    for (const column of object.columns) {
      whole[column.key] = decodeCell(column.kind, parts.values[index++] as SqlValue);
    }
    if (absent.has(`${object.key}=null`)) record[object.key] = null;
    else if (!absent.has(object.key)) record[object.key] = whole;
  }
  for (const shared of shape.shared) {
    if (!absent.has(shared.key)) record[shared.key] = parts.shared.get(shared.key) ?? null;
  }
  for (const list of shape.lists) {
    if (absent.has(`${list.key}=null`)) record[list.key] = null;
    else if (!absent.has(list.key))
      record[list.key] = parts.lists.get(list.key) ?? (list.kind === 'map' ? {} : []);
  }
  if (parts.extra !== null) {
    for (const key of Object.keys(parts.extra)) defineKey(record, key, parts.extra[key] as JsonValue);
  }
  return record;
}

/** The names of all columns that hold a row of this shape, in writing order, without those that identify the row. */
export function storedColumnsOf(shape: Shape): string[] {
  return [
    ...flatColumnsOf(shape).map((column) => column.column),
    ...shape.shared.map((shared) => shared.column),
    'extra',
    'shape_id',
  ];
}
