import { type Entity, type FieldSpec, fieldsOf } from '../../../../contract/fields.ts';
import type { Condition, ListQuery, Operator } from '../../../../contract/query.ts';
import type { Database } from '../file/database.ts';
import { buildCondition, buildFrom, buildKeys, buildOrder, buildSearch, buildTerms } from './build-query.ts';
import { comparison, type Sql } from './conditions.ts';
import { createRowFinder } from './group-columns.ts';
import { columnOf, findField, listTables, sharedOf } from './list-tables.ts';
import { firstDayPath, lastDayPath, monthPath, rangePath } from './range-conditions.ts';
import { fewRows, readBeside, readByHolder, readByState, unindexed } from './rows-beside.ts';
import { prepareSearch } from './search-text.ts';
import { firstOfWorklist, worklistPath } from './worklist-conditions.ts';

/** How many rows are walked in index order, in growing attempts, before the whole table is read instead. */
const walks = [600, 2_500, 8_000];
/** How many of these a search looks at itself, before it asks the text index. */
const searchedRows = 600;
/** The same for a word that so many claims have: asking takes longer. */
const searchedRowsOfMany = 2_500;
const many = 200_000;
/** Columns with an index of their own, by which a list can be walked in order. */
const walkable: Readonly<Record<Entity, readonly string[]>> = {
  claims: [
    'id',
    'date_of_service',
    'status',
    'amount_billed',
    'patient_name',
    'service_provider',
    'members.name',
    'members.employer.name',
  ],
  members: ['id', 'last_name'],
  dependents: [],
  lines: [],
};

const otherIndexed: ReadonlySet<string> = new Set([
  'members.id',
  'members.employer.id',
  'members.tenant.id',
  'policy_holder.id',
  'ssn',
  worklistPath,
  firstDayPath,
  monthPath,
]);

/** What the index of days has of a claim; read from its row, a range would be worked out each time. */
const heldByDays: ReadonlySet<string> = new Set([firstDayPath, lastDayPath, monthPath]);

const isOfFew = (entity: Entity, path: string): boolean =>
  sharedOf(entity, path) !== null || findField(entity, path)?.isMany === true;

const notByIndex: ReadonlySet<Operator> = new Set(['isNot', 'isEmpty', 'isNotEmpty']);
const ofParts: ReadonlySet<Operator> = new Set(['contains', 'startsWith']);

/**
 * Conditions that an index answers: those on few rows, names and shared objects, to which an index then leads, and
 * values of an indexed column. Not parts of its texts, for which all of it would be read, nor days between the ends of
 * a range.
 */
const isIndexed = (entity: Entity, { field, operator }: Condition): boolean =>
  !notByIndex.has(operator) &&
  (isOfFew(entity, field) ||
    (!ofParts.has(operator) &&
      ((walkable[entity].includes(field) && findField(entity, field)?.kind !== 'dateRange') ||
        otherIndexed.has(field) ||
        field.startsWith('$'))));

/** Walks at most `rows` rows in the requested order and checks each. */
function walk(database: Database, query: ListQuery, terms: readonly Sql[], rows: number, limit: number) {
  const { table, alias, key } = listTables[query.entity];
  const order = buildOrder(query.entity, query.sort);
  const walked = `SELECT ${alias}.${key} FROM ${table} ${alias} ${order} LIMIT ${rows}`;
  const from = buildFrom(query, [
    { text: `${alias}.${key} IN (${walked})`, values: [] },
    ...terms.map(unindexed),
  ]);
  return database
    .prepare(`SELECT ${alias}.${key} ${from.text} ${order} LIMIT ${limit}`)
    .pluck()
    .all(from.values) as number[];
}

/** Whether a list can be walked in its order by an index. */
function isWalkable({ entity, sort = [] }: ListQuery): boolean {
  const [first] = sort;
  if (sort.length > 1) return false;
  return first === undefined || (walkable[entity].includes(first.field) && first.nulls !== 'first');
}

/** Conditions on a carrier that no claim without one meets. */
const wantsCarrier: ReadonlySet<Operator> = new Set([
  'is',
  'isOneOf',
  'contains',
  'startsWith',
  'isNotEmpty',
]);

/**
 * The first keys of claims sorted by carrier: carrier after carrier in the order of the list, each by the index of its
 * connections, then the claims without one. Null for other sorts and for searches.
 */
function readByCarrier(database: Database, query: ListQuery, limit: number): number[] | null {
  const [sort, ...more] = query.sort ?? [];
  if (query.entity !== 'claims' || sort?.field !== 'carrier' || sort.nulls === 'first') return null;
  if (more.length > 0 || query.search !== undefined) return null;
  const direction = sort.direction === 'desc' ? 'DESC' : 'ASC';
  const conditions = query.conditions ?? [];
  const onCarrier = conditions.filter(({ field }) => field === 'carrier');
  const others = buildTerms({ ...query, conditions: conditions.filter(({ field }) => field !== 'carrier') });
  const read = (terms: readonly Sql[], count: number): number[] => {
    const from = buildFrom(query, terms);
    return database
      .prepare(`SELECT c.id ${from.text} ORDER BY c.id ${direction} LIMIT ${count}`)
      .pluck()
      .all(from.values) as number[];
  };
  const wanted = onCarrier.map((condition) =>
    comparison(findField('claims', 'carrier') as FieldSpec, 'carrier', condition),
  );
  const carriers = database
    .prepare(
      `SELECT DISTINCT carrier FROM connection_carriers WHERE ${['1', ...wanted.map(({ text }) => text)].join(' AND ')}
       ORDER BY carrier ${direction}`,
    )
    .pluck()
    .all(wanted.flatMap(({ values }) => values)) as string[];
  const idsOf = database
    .prepare(
      // The plus has SQLite follow the few connections of the carrier instead of all claims in order.
      `SELECT claim.id FROM connection_carriers one JOIN policy_holders holder ON holder.id=one.policy_holder_id
         JOIN claims claim ON claim.policy_holder_ref=holder.ref
       WHERE one.carrier=? ORDER BY +claim.id ${direction}`,
    )
    .pluck();
  const found: number[] = [];
  for (const carrier of carriers) {
    const ids = idsOf.all(carrier) as number[];
    let step = walks[0] as number;
    for (let at = 0; at < ids.length && found.length < limit; at += step, step *= 2) {
      const some = JSON.stringify(ids.slice(at, at + step));
      const isOne = { text: 'c.id IN (SELECT value FROM json_each(?))', values: [some] };
      found.push(...read([isOne, ...others.map(unindexed)], limit - found.length));
    }
    if (found.length === limit) return found;
  }
  if (onCarrier.some(({ operator }) => wantsCarrier.has(operator))) return found;
  const without = [...buildTerms(query), { text: 'k.carrier IS NULL', values: [] }];
  return [...found, ...read(without.map(unindexed), limit - found.length)];
}

/**
 * The first keys of claims sorted by their first or last day: of as many claims as are needed, found along the index of
 * days, the last one in order rules out most others, by that index alone. Null for other sorts, and where too few have
 * such a day.
 */
function readByDay(database: Database, query: ListQuery, limit: number): number[] | null {
  const [sort, ...more] = query.sort ?? [];
  if (query.entity !== 'claims' || sort === undefined || sort.nulls === 'first') return null;
  if (sort.field !== firstDayPath && sort.field !== lastDayPath) return null;
  if (more.length > 0 || query.search !== undefined) return null;
  const isDescending = sort.direction === 'desc';
  const byDays: ListQuery = {
    ...query,
    sort: [{ field: rangePath, direction: sort.direction }],
    conditions: [...(query.conditions ?? []), { field: sort.field, operator: 'isNotEmpty', values: [] }],
  };
  const some = readFirstKeys(database, byDays, limit);
  if (some.length < limit) return null;
  const value = columnOf('claims', sort.field);
  const day = database
    .prepare(
      `SELECT ${isDescending ? 'min' : 'max'}(${value}) FROM claims c WHERE c.id IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .get(JSON.stringify(some)) as string;
  const days = columnOf('claims', rangePath);
  const [from, to] = isDescending ? [day, '9'] : ['0', `${day}~`];
  const inTime: Sql =
    sort.field === firstDayPath
      ? { text: `${days} BETWEEN ? AND ?`, values: [from, to] }
      : { text: `${value}${isDescending ? '>' : '<'}=?`, values: [day] };
  const { text, values } = buildFrom(query, [
    { text: `c.id IN (SELECT c.id FROM claims c WHERE ${inTime.text})`, values: inTime.values },
    ...buildTerms(query).map(unindexed),
  ]);
  return database
    .prepare(`SELECT c.id ${text} ${buildOrder('claims', query.sort)} LIMIT ${limit}`)
    .pluck()
    .all(values) as number[];
}

/**
 * The first keys of a list without making all of it: by a condition or search that leaves few rows; else along the
 * index of the sort, for a limited number of rows; else by reading the table once and keeping only the first ones.
 *
 * @throws DeskError `query.invalid`
 */
export function readFirstKeys(database: Database, query: ListQuery, limit: number): number[] {
  const { entity } = query;
  const { table, alias, key, joins } = listTables[entity];
  const order = buildOrder(entity, query.sort);
  const all = (sql: Sql): number[] => database.prepare(sql.text).pluck().all(sql.values) as number[];
  const { search: _search, ...unsearched } = query;
  const terms = buildTerms(unsearched);

  const worklist = firstOfWorklist(
    database,
    query,
    joins,
    buildTerms({
      ...unsearched,
      includesMissing: true,
      conditions: (query.conditions ?? []).filter(({ field }) => field !== worklistPath),
    }).map(unindexed),
    limit,
  );
  if (worklist !== null) return worklist;

  /** Among these rows, in order. */
  const readAmong = (keys: readonly number[], others: readonly Sql[]): number[] => {
    const from = buildFrom(query, [
      { text: `${alias}.${key} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(keys)] },
      ...others.map(unindexed),
    ]);
    return all({ text: `SELECT ${alias}.${key} ${from.text} ${order} LIMIT ${limit}`, values: from.values });
  };
  const whole = buildSearch(query);
  if (whole !== null) {
    const inRow = isWalkable(query) ? buildRowSearch(query) : null;
    const lookAt = (rows: number): number[] | null => {
      const walked = inRow === null ? [] : walk(database, query, [...terms, inRow], rows, limit);
      return walked.length === limit ? walked : null;
    };
    const walked = lookAt(searchedRows);
    if (walked !== null) return walked;
    const asked = entity === 'claims' ? prepareSearch(database, query.search as string) : null;
    const walkedOn = (asked?.atMost ?? 0) >= many ? lookAt(searchedRowsOfMany) : null;
    if (walkedOn !== null) return walkedOn;
    const found =
      asked?.find() ??
      all({
        text: `SELECT ${alias}.${key} FROM ${table} ${alias} WHERE ${whole.text} ORDER BY ${alias}.${key}`,
        values: whole.values,
      });
    if (found.length <= fewRows || !isWalkable(query)) return readAmong(found, terms);
    return walkFound(database, query, found, (some) => readAmong(some, terms), limit);
  }

  const narrow = (query.conditions ?? [])
    .filter((condition) => isIndexed(entity, condition))
    .map((condition) => buildCondition(query, condition));
  for (const term of narrow) {
    const found = all({
      text: `SELECT ${alias}.${key} FROM ${table} ${alias} ${joins} WHERE ${term.text} LIMIT ${fewRows + 1}`,
      values: term.values,
    });
    if (found.length > fewRows) continue;
    return readAmong(
      found,
      terms.filter((other) => other.text !== term.text),
    );
  }

  const byCarrier = readByCarrier(database, query, limit);
  if (byCarrier !== null) return byCarrier;
  const byDay = readByDay(database, query, limit);
  if (byDay !== null) return byDay;
  const byState = readByState(database, query, limit);
  if (byState !== null) return byState;
  const beside = readBeside(database, query, limit);
  if (beside !== null) return beside;
  const byHolder = readByHolder(database, query, limit);
  if (byHolder !== null) return byHolder;
  for (const rows of isWalkable(query) ? walks : []) {
    const found = walk(database, query, terms, rows, limit);
    if (found.length === limit) return found;
  }
  // Without conditions, a column that an index holds is read from there.
  if ((query.conditions ?? []).length === 0) {
    const whole = buildKeys(query);
    return all({ text: `${whole.text} LIMIT ${limit}`, values: whole.values });
  }
  // By an index only what it holds itself: where its first rows were too few, all others would be looked up one by one.
  const sorted = query.sort?.[0]?.field;
  const isHeld = (query.conditions ?? []).some(
    ({ field }) => field === sorted || (sorted === rangePath && heldByDays.has(field)),
  );
  const from = buildFrom(query, terms.map(unindexed), isHeld ? 'byIndex' : 'byRow');
  return all({ text: `SELECT ${alias}.${key} ${from.text} ${order} LIMIT ${limit}`, values: from.values });
}

/**
 * The first of the found rows, which ascend, in the order of an index, which is read from its beginning: many were
 * found, so that the first of them come soon. `check` returns those of a few that meet the other conditions, in order.
 */
function walkFound(
  database: Database,
  query: ListQuery,
  found: readonly number[],
  check: (some: readonly number[]) => number[],
  limit: number,
): number[] {
  const { table, alias, key } = listTables[query.entity];
  const inOrder = database
    .prepare(`SELECT ${alias}.${key} FROM ${table} ${alias} ${buildOrder(query.entity, query.sort)}`)
    .pluck()
    .iterate() as IterableIterator<number>;
  const findRow = createRowFinder(Float64Array.from(found));
  const first: number[] = [];
  let some: number[] = [];
  for (const rowKey of inOrder) {
    if (findRow(rowKey) < 0) continue;
    some.push(rowKey);
    if (some.length < limit) continue;
    first.push(...check(some));
    some = [];
    if (first.length >= limit) break;
  }
  return [...first, ...check(some)].slice(0, limit);
}

/** A search of claims as a term on the row itself, by which words that many rows have are found early. */
function buildRowSearch(query: ListQuery): Sql | null {
  if (query.entity !== 'claims') return null;
  const own = fieldsOf.claims
    .filter((spec) => spec.isSearchable)
    .map((spec) => columnOf('claims', spec.path));
  return {
    text: `has_words(?, c.id||'', ${own.join(', ')},
      (SELECT group_concat(concat_ws(' ', procedure_code, procedure_name, diagnosis_code, national_drug_code), ' ')
        FROM claim_lines WHERE parent=c.id),
      (SELECT group_concat(concat_ws(' ', first_name, last_name), ' ')
        FROM claim_members JOIN claim_member_records USING (ref) WHERE claim_members.parent=c.id))`,
    values: [query.search as string],
  };
}
