import { totalmem } from 'node:os';
import type { Entity, FieldSpec } from '../../../../contract/fields.ts';
import type { Cell, Group, ListQuery, Totals } from '../../../../contract/query.ts';
import type { Connection } from '../file/connection.ts';
import type { SqlValue } from '../record/decompose.ts';
import { buildGroups, buildKeys, findGroup, hasAmounts } from './build-query.ts';
import { amountsPath, type BuiltPart, createColumnCache, isLetterPath } from './column-cache.ts';
import { readCondition } from './conditions.ts';
import { hasPart, matchRanks } from './match-ranks.ts';
import { listOrganizations } from './organizations.ts';
import { type FoundGroup, readCounts, readGroups, readTotals } from './read-totals.ts';
import {
  firstOfSelection,
  makeKeys,
  orderSelection,
  pathsOf,
  selectQuery,
  valuesPath,
} from './select-query.ts';
import { countByRank, countSelected, groupRows, pickRanks, type Selection, totalOf } from './select-rows.ts';
import { type GroupOptions, shapeGroups } from './shape-groups.ts';
import { countValues, readValue } from './typed-columns.ts';
import { type BuildPart, createWarmer } from './warm-columns.ts';

/** A list as made at one moment: ids in order, and count and sums of the same rows. */
export interface MadeList {
  readonly keys: Float64Array | Uint32Array;
  readonly totals: Totals | null;
  readonly version: number;
}

/** The first keys of a list; and the whole list where it is small enough to be made at once. */
export interface FirstKeys {
  readonly first: number[];
  readonly version: number;
  readonly whole: MadeList | null;
}

/** Up to this many rows, the whole list is made with its first keys; that takes a few milliseconds. */
const smallList = 20_000;

export interface ListOptions {
  /** Bytes of columns that are kept in memory. */
  readonly maxBytes: number;
  /** Tables with fewer rows are left to SQLite, which is fast enough for them. */
  readonly minRows: number;
  /** Columns are read when first requested instead of after the answer: for tests and measurements. */
  readonly isEager: boolean;
  /** Reads columns in another thread; null: none are read ahead. */
  readonly build: BuildPart | null;
}

/**
 * A million claims take 8 MB for their keys, 32 MB for the amounts, 4 MB a column for the order of rows, the same
 * again where a second sort needs ranks, and the bytes of the distinct texts (36 MB for UUIDs).
 */
export const defaultListOptions: ListOptions = {
  maxBytes: Math.min(512 * 1024 * 1024, Math.floor(totalmem() / 16)),
  minRows: 3_000,
  isEager: false,
  build: null,
};

/**
 * The operations of the one thread that makes lists: from columns in memory where it has them, else by SQLite, after
 * which it has the columns that were missing read in the background. Every answer is of one read transaction.
 */
export function createListOperations(connection: Connection, options: ListOptions = defaultListOptions) {
  const cache = createColumnCache(connection, options.maxBytes);
  const warmer = createWarmer(connection, cache, options);

  /** Whether all of it is in memory; requests what is not. */
  const isReady = (entity: Entity, paths: readonly string[]): boolean => {
    if (options.isEager) return true;
    const missing = paths.filter((path) => !cache.has(entity, path));
    if (missing.length === 0 && cache.hasTable(entity)) return true;
    warmer.want(entity, missing.length === 0 ? [amountsPath] : missing);
    return false;
  };

  const makeBySql = (query: ListQuery) => {
    const { text, values } = buildKeys(query);
    const found = connection.prepare(text).pluck().all(values) as number[];
    let [smallest, largest] = [0, 0];
    for (const key of found) {
      if (key < smallest) smallest = key;
      if (key > largest) largest = key;
    }
    const keys = makeKeys(found.length, smallest, largest);
    keys.set(found);
    return { keys, totals: hasAmounts(query.entity) ? readTotals(connection, query) : null };
  };

  /** The rows of the last filter, since the first window, the whole list and its groups use the same ones. */
  let last: { filter: string; version: number; selection: Selection } | null = null;
  const select = (query: ListQuery): Selection => {
    const { sort: _sort, ...rest } = query;
    const filter = JSON.stringify(rest);
    const version = cache.readStamp(query.entity);
    if (last?.filter !== filter || last.version !== version) {
      last = { filter, version, selection: selectQuery(connection, cache, query) };
    }
    return last.selection;
  };

  const makeInMemory = (query: ListQuery) => {
    const { keys, rowIndexes } = orderSelection(cache, query, select(query));
    return {
      keys,
      totals: hasAmounts(query.entity) ? totalOf(rowIndexes, cache.getAmounts(query.entity)) : null,
    };
  };

  const groupInMemory = (query: ListQuery, path: string): FoundGroup[] => {
    const column = cache.getColumn(query.entity, path);
    const found = groupRows(
      select(query),
      column,
      hasAmounts(query.entity) ? cache.getAmounts(query.entity) : [],
    );
    return found.map(({ rank, totals }) => ({ value: rank < 0 ? null : readValue(column, rank), totals }));
  };

  const valuesInMemory = (
    query: ListQuery,
    path: string,
    { search, order, limit }: { search: string; order: 'value' | 'count'; limit: number },
  ): { values: CountedValue[]; total: number } => {
    const column = cache.getColumn(query.entity, path);
    const ranges =
      search === ''
        ? [[0, countValues(column)] as const]
        : matchRanks(column, { kind: 'part', text: search, isPrefix: false }).ranges;
    const counts = countByRank(select(query), column, ranges);
    const { ranks, total } = pickRanks(counts, limit, order === 'count');
    const values = ranks.map((rank) => ({ value: readValue(column, rank), count: counts[rank] as number }));
    return { values, total };
  };

  const valuesBySql = (
    query: ListQuery,
    spec: FieldSpec,
    search: string,
  ): { values: CountedValue[]; total: number } => {
    const isMany = spec.isMany === true;
    const part = { field: spec.path, operator: 'contains' as const, values: [search] };
    // A claim with the name may have others: these are left out afterwards.
    const isInQuery = search !== '' && !isMany;
    const narrowed = isInQuery ? { ...query, conditions: [...(query.conditions ?? []), part] } : query;
    const values = readCounts(connection, narrowed, spec.path)
      .filter(({ value }) => value !== null && value !== '')
      .filter(({ value }) => !isMany || hasPart(String(value), search));
    return { values, total: values.length };
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
    /**
     * The first ids of a list, where everything it needs is in memory; null where it is not.
     *
     * @throws DeskError `query.invalid`
     */
    firstKeys: (input: { query: ListQuery; limit: number }): FirstKeys | null => {
      const { query, limit } = input;
      const version = cache.refresh(query.entity);
      buildKeys(query);
      if (!isReady(query.entity, pathsOf(query))) return null;
      const selection = select(query);
      const first = firstOfSelection(cache, query, selection, limit);
      const isSmall = first.length < limit || countSelected(selection) <= smallList;
      return { first, version, whole: isSmall ? { ...makeInMemory(query), version } : null };
    },
    /**
     * Whether only letters of the search are missing in memory and are being read: waiting for them is faster than
     * SQLite.
     */
    isWarming: (query: ListQuery): boolean => {
      cache.refresh(query.entity);
      const missing = pathsOf(query).filter((path) => !cache.has(query.entity, path));
      if (options.isEager || options.build === null || missing.length === 0) return false;
      if (!cache.hasTable(query.entity) || !missing.every(isLetterPath)) return false;
      warmer.wantNow(query.entity, missing);
      return warmer.isBusy();
    },
    /** Ids, count and sums of a list. @throws DeskError `query.invalid` */
    makeList: (query: ListQuery): MadeList => {
      const version = cache.refresh(query.entity);
      // Checked first, so that an invalid query causes no columns to be read.
      buildKeys(query);
      const made = isReady(query.entity, pathsOf(query)) ? makeInMemory(query) : makeBySql(query);
      return { ...made, version };
    },
    /** @throws DeskError `query.invalid` */
    groupList: (input: {
      query: ListQuery;
      by: string;
      options: GroupOptions;
    }): { groups: Group[]; total: number } => {
      const { query, by, options } = input;
      cache.refresh(query.entity);
      buildGroups(query, by);
      const path = valuesPath(findGroup(query.entity, by));
      const isHeld = isReady(query.entity, [...pathsOf(query), path]);
      const found = isHeld ? groupInMemory(query, path) : readGroups(connection, query, by);
      return shapeGroups(connection, query.entity, by, found, options);
    },
    /**
     * The values of a column, those that contain `search`, with how many rows of a list have each. `within` is the
     * list without the conditions on this column; without it, all rows that the service still returns.
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
      cache.refresh(entity);
      const spec = findGroup(entity, field);
      const path = valuesPath(spec);
      const query: ListQuery = { ...(input.within ?? { includesArchived: true }), entity };
      // Checked first, so that an invalid query causes no columns to be read.
      buildKeys(query);
      if (search !== '') readCondition(spec.kind, { field, operator: 'contains', values: [search] });
      const order = input.order ?? 'value';
      const found = isReady(entity, [...(input.within === undefined ? [] : pathsOf(query)), path])
        ? valuesInMemory(query, path, { search, order, limit })
        : valuesBySql(query, spec, search);
      const { groups } = shapeGroups(
        connection,
        entity,
        field,
        found.values.map(({ value, count }) => ({ value, totals: countOnly(count) })),
        { order, isDescending: order === 'count', offset: 0, limit },
      );
      return {
        values: groups.map(({ value, totals }) => ({ value: value as Cell, count: totals.count })),
        total: found.total,
      };
    },
    listEmployers: (_input: null) => {
      const claims = claimsBy('members.employer.id');
      return listOrganizations(connection, 'employers').map(({ organizations: _tenants, ...employer }) => ({
        ...employer,
        claims: claims.get(employer.id) ?? countOnly(0),
      }));
    },
    listTenants: (_input: null) => {
      const claims = claimsBy('members.tenant.id');
      return listOrganizations(connection, 'tenants').map(({ organizations: employers, ...tenant }) => ({
        ...tenant,
        employers,
        claims: claims.get(tenant.id) ?? countOnly(0),
      }));
    },
    /** What is held, in bytes. */
    measureColumns: (_input: null): { bytes: number; isBusy: boolean } => ({
      bytes: cache.bytes,
      isBusy: warmer.isBusy(),
    }),
    /** Reads the amounts and these columns now. */
    warmColumns: (input: { entity: Entity; paths: readonly string[] }): null => {
      cache.refresh(input.entity);
      for (const path of input.paths) cache.getColumn(input.entity, path);
      if (hasAmounts(input.entity)) cache.getAmounts(input.entity);
      return null;
    },
  };

  /** All reads of an operation see one state of the file. */
  const inTransaction = <I, O>(run: (input: I) => O): ((input: I) => O) => {
    const transaction = connection.transaction(run as (...args: unknown[]) => unknown);
    return (input) => transaction(input) as O;
  };
  return {
    firstKeys: inTransaction(operations.firstKeys),
    isWarming: inTransaction(operations.isWarming),
    makeList: inTransaction(operations.makeList),
    groupList: inTransaction(operations.groupList),
    listValues: inTransaction(operations.listValues),
    listEmployers: inTransaction(operations.listEmployers),
    listTenants: inTransaction(operations.listTenants),
    measureColumns: operations.measureColumns,
    warmColumns: inTransaction(operations.warmColumns),
  };
}

interface CountedValue {
  readonly value: SqlValue;
  readonly count: number;
}

const countOnly = (count: number): Totals => ({
  count,
  billed: null,
  allowed: null,
  paid: null,
  patientResponsibility: null,
});

export type ListOperations = ReturnType<typeof createListOperations>;

/** The operations of the thread that reads columns for the one that makes lists. */
export function createBuildOperations(connection: Connection) {
  const cache = createColumnCache(connection, 0);
  return {
    buildPart: connection.transaction(
      (input: { entity: Entity; path: string }): BuiltPart => cache.take(input.entity, input.path),
    ),
  };
}
