import { totalmem } from 'node:os';
import type { Entity } from '../../../../contract/fields.ts';
import type { Cell, Group, ListQuery, Totals } from '../../../../contract/query.ts';
import type { Database } from '../file/database.ts';
import { createReviewVersionReader, createVersionReader } from '../record/records-version.ts';
import { buildKeys, buildOrderOf, buildSelection, findGroup, hasAmounts } from './build-query.ts';
import { readCondition, type Sql } from './conditions.ts';
import { type Amounts, createRowFinder, readAmounts, readGroupColumn } from './group-columns.ts';
import { type FoundGroup, groupRows, sumRows } from './group-rows.ts';
import { listTables } from './list-tables.ts';
import { listOrganizations } from './organizations.ts';
import { prepareSearch } from './search-text.ts';
import { type GroupOptions, shapeGroups } from './shape-groups.ts';

/** A list as made at one moment: ids in order, and count and sums of the same rows. */
export interface MadeList {
  readonly keys: Float64Array | Uint32Array;
  readonly totals: Totals | null;
  readonly version: number;
}

export interface ListOptions {
  /** Bytes that are kept for the next groups. */
  readonly maxBytes: number;
  /** Up to this many rows are read and sorted by themselves; for more, columns and orders of the whole table are kept. */
  readonly fewRows: number;
}

/** A million claims take 4 MB an order, 4 MB and its values a column, 32 MB for the amounts, and 8 MB for the keys. */
export const defaultListOptions: ListOptions = {
  maxBytes: Math.min(256 * 1024 * 1024, Math.floor(totalmem() / 16)),
  fewRows: 4_000,
};

/** Columns of reviews, which change without the claims. */
const isOfReviews = (path: string): boolean => /^(review|facts)\./.test(path);

/** The rows of a list as indexes into `keys`: those of the whole table, or only its own. */
interface Selection {
  readonly keys: Float64Array;
  readonly rows: Uint32Array;
  readonly isWhole: boolean;
}

/** The rows of a selection whose keys are among these, which ascend as well. */
function findBoth({ keys, rows }: Selection, found: readonly number[]): Uint32Array {
  const both = new Uint32Array(Math.min(rows.length, found.length));
  let count = 0;
  let next = 0;
  for (let index = 0; index < rows.length && next < found.length; index += 1) {
    const row = rows[index] as number;
    const key = keys[row] as number;
    while ((found[next] as number) < key) next += 1;
    if (found[next] === key) both[count++] = row;
  }
  return both.slice(0, count);
}

function keysOf(keys: Float64Array, rows: Uint32Array): Float64Array {
  return Float64Array.from(rows, (row) => keys[row] as number);
}

/**
 * The operations of the one thread that makes whole lists, groups and counts. SQLite alone says which rows meet a
 * filter and how a table is sorted, each by the index that suits it; what both say, put together here, is the list.
 * Every answer is of one read transaction.
 */
export function createListOperations(database: Database, options: ListOptions = defaultListOptions) {
  const readVersion = createVersionReader(database);
  const readReviewVersion = createReviewVersionReader(database);
  const held = new Map<string, { stamp: string; bytes: number; value: unknown }>();
  const versions = new Map<Entity, number>();
  const measure = (): number => [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0);

  /** Reads once for these records; `stamp` says what else the value depends on. */
  const keep = <T>(
    entity: Entity,
    name: string,
    stamp: string,
    read: () => { value: T; bytes: number },
  ): T => {
    const version = readVersion(entity);
    if (versions.get(entity) !== version)
      for (const other of held.keys()) if (other.startsWith(`${entity}/`)) held.delete(other);
    versions.set(entity, version);
    const full = `${entity}/${name}`;
    const known = held.get(full);
    const entry = known?.stamp === stamp ? known : { stamp, ...read() };
    held.delete(full);
    held.set(full, entry);
    let bytes = measure();
    for (const [oldest, old] of held) {
      if (bytes <= options.maxBytes || oldest === full) break;
      bytes -= old.bytes;
      held.delete(oldest);
    }
    return entry.value as T;
  };

  /** What a filter depends on beside the records: the reviews. */
  const stampOf = (query: object): string => `${readReviewVersion()} ${JSON.stringify(query)}`;

  const readKeys = ({ text, values }: Sql): number[] =>
    database.prepare(text).pluck().all(values) as number[];

  const getTableKeys = (entity: Entity): Float64Array =>
    keep(entity, 'keys', '', () => {
      const { table, key } = listTables[entity];
      const value = Float64Array.from(readKeys({ text: `SELECT ${key} FROM ${table}`, values: [] })).sort();
      return { value, bytes: value.byteLength };
    });

  /** Rows of the table, or where they are few these alone. */
  const toSelection = (entity: Entity, found: Float64Array): Selection => {
    if (found.length <= options.fewRows)
      return { keys: found, rows: Uint32Array.from(found, (_key, row) => row), isWhole: false };
    const keys = getTableKeys(entity);
    return { keys, rows: Uint32Array.from(found, createRowFinder(keys)), isWhole: true };
  };
  const keepSelection = (entity: Entity, name: string, stamp: string, find: () => Float64Array): Selection =>
    keep(entity, name, stamp, () => {
      const value = toSelection(entity, find());
      return { value, bytes: value.keys.byteLength + value.rows.byteLength };
    });

  /**
   * The rows of a list. Those of the last filter are kept, for another order, for the groups of a page, and for
   * searches within it while a person types.
   */
  const select = ({ sort: _sort, ...query }: ListQuery): Selection => {
    const { entity } = query;
    if (entity !== 'claims' || query.search === undefined)
      return keepSelection(entity, 'filtered', stampOf(query), () =>
        Float64Array.from(readKeys(buildSelection(query))).sort(),
      );
    const { search, ...filter } = query;
    const filtered = select(filter);
    return keep(entity, 'searched', stampOf(query), () => {
      const asked = prepareSearch(database, search);
      const rows = asked === null ? filtered.rows : findBoth(filtered, asked.find());
      const value =
        rows.length > options.fewRows
          ? { ...filtered, rows }
          : toSelection(entity, keysOf(filtered.keys, rows));
      return { value, bytes: value.keys.byteLength + value.rows.byteLength };
    });
  };

  /** All rows of a table in an order, as indexes into its keys. */
  const getOrder = ({ entity, sort = [] }: ListQuery): Uint32Array =>
    keep(
      entity,
      `order ${JSON.stringify(sort)}`,
      sort.some(({ field }) => isOfReviews(field)) ? String(readReviewVersion()) : '',
      () => {
        const all: ListQuery = { entity, sort, includesMissing: true, includesArchived: true };
        const value = Uint32Array.from(readKeys(buildKeys(all)), createRowFinder(getTableKeys(entity)));
        return { value, bytes: value.byteLength };
      },
    );

  /** The keys of a selection in the order of the list, four bytes each where all of them fit. */
  const putInOrder = (query: ListQuery, { keys, rows, isWhole }: Selection): Float64Array | Uint32Array => {
    const isSmall = (keys[0] ?? 0) >= 0 && (keys.at(-1) ?? 0) <= 0xffff_ffff;
    const ordered = isSmall ? new Uint32Array(rows.length) : new Float64Array(rows.length);
    if (!isWhole) {
      ordered.set(readKeys(buildOrderOf(keys, query)));
      return ordered;
    }
    const isSelected = new Uint8Array(keys.length);
    for (let index = 0; index < rows.length; index += 1) isSelected[rows[index] as number] = 1;
    const order = getOrder(query);
    let count = 0;
    for (let index = 0; index < order.length && count < rows.length; index += 1) {
      const row = order[index] as number;
      if (isSelected[row] === 1) ordered[count++] = keys[row] as number;
    }
    return ordered;
  };

  const getAmounts = (entity: 'claims' | 'lines', { keys, isWhole }: Selection): Amounts => {
    const read = () => readAmounts(database, entity, keys, isWhole);
    const readSized = () => {
      const value = read();
      return { value, bytes: keys.length * 32 + value.odd.length * bytesOfValue };
    };
    return isWhole ? keep(entity, 'amounts', '', readSized) : read();
  };

  const findGroups = (query: ListQuery, path: string, isSummed: boolean): FoundGroup[] => {
    const { entity } = query;
    const selection = select(query);
    const { keys, rows, isWhole } = selection;
    const read = () => readGroupColumn(database, entity, path, keys, isWhole);
    const stamp = isOfReviews(path) ? String(readReviewVersion()) : '';
    const column = isWhole
      ? keep(entity, `column ${path}`, stamp, () => {
          const value = read();
          return { value, bytes: value.bytes };
        })
      : read();
    return groupRows(rows, column, isSummed && hasAmounts(entity) ? getAmounts(entity, selection) : null);
  };

  /** Totals of all claims by employer or tenant of their members. */
  const claimsBy = (by: 'members.employer.id' | 'members.tenant.id'): Map<Cell, Totals> => {
    const { groups } = operations.groupList({
      query: { entity: 'claims' },
      by,
      options: { order: 'value', isDescending: false, offset: 0, limit: Number.MAX_SAFE_INTEGER },
    });
    return new Map(groups.map((group) => [group.value, group.totals]));
  };

  const operations = {
    /** Ids, count and sums of a list. @throws DeskError `query.invalid` */
    makeList: (query: ListQuery): MadeList => {
      const { entity } = query;
      // Checked first, so that an invalid order causes nothing to be read.
      buildKeys(query);
      const selection = select(query);
      const totals = hasAmounts(entity) ? sumRows(selection.rows, getAmounts(entity, selection)) : null;
      return { keys: putInOrder(query, selection), totals, version: readVersion(entity) };
    },
    /** @throws DeskError `query.invalid` */
    groupList: (input: {
      query: ListQuery;
      by: string;
      options: GroupOptions;
    }): { groups: Group[]; total: number } => {
      const { query, by, options: shape } = input;
      findGroup(query.entity, by);
      const found = findGroups(query, by, hasAmounts(query.entity));
      return shapeGroups(database, query.entity, by, found, shape);
    },
    /**
     * The values of a column, those that contain `search`, with how many rows of a list have each. `within` is the
     * list without the conditions on this column; without it, all rows that the service still returns. The last answer
     * for each column is kept: a window that was reloaded asks for the same again.
     *
     * @throws DeskError `query.invalid`
     */
    listValues: (input: {
      entity: Entity;
      field: string;
      search: string;
      limit: number;
      order?: 'value' | 'count';
      within?: Omit<ListQuery, 'entity' | 'sort'> | undefined;
    }) => {
      const { entity, field, search, limit } = input;
      const { kind } = findGroup(entity, field);
      const query: ListQuery = { ...(input.within ?? { includesArchived: true }), entity };
      if (search !== '') readCondition(kind, { field, operator: 'contains', values: [search] });
      return keep(entity, `values ${field}`, stampOf(input), () => {
        const found = findGroups(query, field, false).filter(
          ({ value }) => value !== null && hasPart(String(value), search),
        );
        const order = input.order ?? 'value';
        const shape = { order, isDescending: order === 'count', offset: 0, limit };
        const { groups, total } = shapeGroups(database, entity, field, found, shape);
        const values = groups.map(({ value, totals }) => ({ value, count: totals.count }));
        return { value: { values, total }, bytes: values.length * bytesOfValue };
      });
    },
    listEmployers: (_input: null) => {
      const claims = claimsBy('members.employer.id');
      return listOrganizations(database, 'employers').map(({ organizations: _tenants, ...employer }) => ({
        ...employer,
        claims: claims.get(employer.id) ?? countOnly(0),
      }));
    },
    listTenants: (_input: null) => {
      const claims = claimsBy('members.tenant.id');
      return listOrganizations(database, 'tenants').map(({ organizations: employers, ...tenant }) => ({
        ...tenant,
        employers,
        claims: claims.get(tenant.id) ?? countOnly(0),
      }));
    },
    /** What is held, in bytes. */
    measureColumns: (_input: null): { bytes: number } => ({ bytes: measure() }),
  };

  /** All reads of an operation see one state of the file. */
  const inTransaction = <I, O>(run: (input: I) => O): ((input: I) => O) => {
    const transaction = database.transaction(run as (...args: unknown[]) => unknown);
    return (input) => transaction(input) as O;
  };
  return {
    makeList: inTransaction(operations.makeList),
    groupList: inTransaction(operations.groupList),
    listValues: inTransaction(operations.listValues),
    listEmployers: inTransaction(operations.listEmployers),
    listTenants: inTransaction(operations.listTenants),
    measureColumns: operations.measureColumns,
  };
}

/** What a value with its count takes, about. */
const bytesOfValue = 100;

const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());

/** Whether a text contains another, as the condition `contains` compares. */
const hasPart = (text: string, part: string): boolean => foldAscii(text).includes(foldAscii(part));

const countOnly = (count: number): Totals => ({
  count,
  billed: null,
  allowed: null,
  paid: null,
  patientResponsibility: null,
});

export type ListOperations = ReturnType<typeof createListOperations>;
