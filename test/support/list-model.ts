import type { Database } from '../../src/main/engine/store/file/database.ts';
import { buildKeys, findSort } from '../../src/main/engine/store/query/build-query.ts';
import { readCondition } from '../../src/main/engine/store/query/conditions.ts';
import {
  claimOf,
  findLink,
  linkSources,
  readLink,
} from '../../src/main/engine/store/query/link-conditions.ts';
import { columnOf, findField, listTables } from '../../src/main/engine/store/query/list-tables.ts';
import { monthColumn, monthPath } from '../../src/main/engine/store/query/range-conditions.ts';
import { readNames } from '../../src/main/engine/store/record/claim-names.ts';
import { sumColumns, toTotals } from '../../src/main/engine/store/record/exact-sums.ts';
import { toPlainJson } from '../../src/main/engine/store/record/json.ts';
import { createRecordReader } from '../../src/main/engine/store/record/record-reader.ts';
import { normalizeSsn } from '../../src/main/engine/store/record/ssn-hash.ts';
import { type DaySpan, matchesDays, type RangeOperator, readDays } from '../../src/rules/date-range.ts';
import type { Entity } from '../../src/rules/list-fields.ts';
import { isUnreadAmount, readTenThousandths } from '../../src/rules/money/amounts.ts';
import type { Condition, ListQuery } from '../../src/rules/query.ts';
import { decidingRuleField, idFields, readIdFilter, runField } from '../../src/rules/review/id-filter.ts';

type Value = string | number | null;

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
const fold = (text: string): string => text.replace(/[A-Z]/g, (sign) => sign.toLowerCase());

/** Whether a value meets a condition, evaluated without SQL. */
function meets(kind: Parameters<typeof readCondition>[0], condition: Condition, value: Value): boolean {
  const predicate = readCondition(kind, condition);
  if (predicate.kind === 'empty')
    return (value === null || (predicate.countsBlank && value === '')) !== predicate.isNot;
  if (predicate.kind === 'part') {
    const [text, part] = [fold(String(value)), fold(predicate.text)];
    return value !== null && (predicate.isPrefix ? text.startsWith(part) : text.includes(part));
  }
  const isWithin = predicate.ranges.some(({ from, to, isFromOpen, isToOpen }) => {
    if (value === null) return false;
    const [low, high] = [from as string | number | null, to as string | number | null];
    const isAfter =
      low === null || compare(value, low) > 0 || (isFromOpen !== true && compare(value, low) === 0);
    const isBefore =
      high === null || compare(value, high) < 0 || (isToOpen !== true && compare(value, high) === 0);
    return isAfter && isBefore;
  });
  return isWithin !== predicate.isNot;
}

/** A list computed row by row in this program, to compare the store's lists with. Only searches use SQLite. */
export function modelList(database: Database, query: ListQuery) {
  // An invalid query fails in the same way.
  buildKeys(query);
  const { entity, conditions = [], sort = [] } = query;
  const { table, alias, key, joins, missingKeys } = listTables[entity];
  const read = (sql: string): Map<number, Value> =>
    new Map(database.prepare(sql).raw().all() as [number, Value][]);
  const columns = new Map<string, Map<number, Value>>();
  const column = (expression: string): Map<number, Value> => {
    const known =
      columns.get(expression) ??
      read(`SELECT ${alias}.${key}, ${expression} FROM ${table} ${alias} ${joins}`);
    columns.set(expression, known);
    return known;
  };
  const isMet = (condition: Condition): ((row: number) => boolean) => {
    const spec = findField(entity, condition.field) ?? findLink(entity, condition.field);
    if (spec === undefined) throw new Error(condition.field);
    if (idFields.includes(spec.path)) {
      const ids = condition.values.map((value) => readIdFilter(String(value)).id);
      const ofRules =
        spec.path === decidingRuleField
          ? "SELECT claim_id, rule_id, '' FROM claim_reviews"
          : "SELECT id, proposed_by, '' FROM claim_facts";
      const ofRuns = 'SELECT claim_id, run_id, state FROM claim_runs';
      const rows = database
        .prepare(spec.path === runField ? ofRuns : ofRules)
        .raw()
        .all();
      const own = (rows as [number, string, string][]).filter(
        ([, id, state]) => ids.includes(id) && state !== 'inOther',
      );
      return (row) => own.some(([claimId]) => claimId === row);
    }
    const source = linkSources[spec.path];
    if (source !== undefined || spec.isMany === true) {
      const linked = new Map<number, Value[]>();
      if (source !== undefined) {
        const rows = database
          .prepare(`SELECT claim_members.parent, ${source.value} FROM ${source.from}`)
          .raw()
          .all();
        for (const [parent, value] of rows as [number, Value][])
          linked.set(parent, [...(linked.get(parent) ?? []), value]);
      } else {
        for (const [row, names] of column(columnOf(entity, spec.path)))
          linked.set(row, names === null ? [] : readNames(String(names)));
      }
      const { wanted, isWithout } = readLink(condition);
      const claims = source === undefined ? null : column(claimOf(entity));
      return (row) =>
        (linked.get(Number(claims === null ? row : claims.get(row))) ?? []).some(
          (value) => value !== '' && meets(spec.kind, wanted, value),
        ) !== isWithout;
    }
    const values = column(spec.path === monthPath ? monthColumn(entity) : columnOf(entity, spec.path));
    const ownOf = (row: number): Value => values.get(row) ?? null;
    if (spec.kind === 'dateRange') {
      const [from = '', to = from] = condition.values.map((value) => String(value).slice(0, 10));
      const spanOf = (value: Value): DaySpan | null => (value === null ? null : readDays(String(value)));
      return (row) => matchesDays(spanOf(ownOf(row)), condition.operator as RangeOperator, from, to);
    }
    if (spec.sensitivity === 'ssn' && condition.values.length > 0) {
      const wanted = condition.values.map((value) => normalizeSsn(String(value)));
      return (row) => {
        const own = ownOf(row);
        const isFound = own !== null && wanted.includes(normalizeSsn(String(own)) ?? 'none');
        return isFound !== (condition.operator === 'isNot');
      };
    }
    return (row) => meets(spec.path === monthPath ? 'text' : spec.kind, condition, ownOf(row));
  };

  const tests = conditions.map(isMet);
  if (query.includesMissing !== true) {
    const missing = new Set(database.prepare(missingKeys).pluck().all());
    tests.push((row) => !missing.has(row));
  }
  if (entity === 'members' && query.includesArchived !== true) {
    const archived = column('m.archived');
    tests.push((row) => archived.get(row) !== 1);
  }
  if (query.search !== undefined) {
    const { text, values } = buildKeys({
      entity,
      search: query.search,
      includesArchived: true,
      includesMissing: true,
    });
    const found = new Set(database.prepare(text).pluck().all(values));
    tests.push((row) => found.has(row));
  }
  const rows = [...column(`${alias}.${key}`).keys()].filter((row) => tests.every((test) => test(row)));

  const last = sort.at(-1)?.direction === 'desc' ? -1 : 1;
  const orders = sort.map(({ field, direction, nulls }) => {
    const values = column(columnOf(entity, findSort(entity, field).path));
    const nullOrder = nulls === 'first' ? -1 : 1;
    return (a: number, b: number): number => {
      const [x, y] = [values.get(a) ?? null, values.get(b) ?? null];
      if (x === null || y === null) return (Number(x === null) - Number(y === null)) * nullOrder;
      return compare(x, y) * (direction === 'desc' ? -1 : 1);
    };
  });
  rows.sort((a, b) => orders.reduce((order, by) => order || by(a, b), 0) || (a - b) * last);
  return { keys: rows, totals: hasSums(entity) ? sum(rows) : null };

  /** A sum over the records as they were sent. */
  function sum(own: readonly number[]) {
    const records = createRecordReader(database);
    const sent = own.map((row) => toPlainJson(records[entity](row)?.record ?? {}) as Record<string, unknown>);
    const sums = sumColumns.map((name) => {
      const amounts = sent
        .map((record) => readTenThousandths(record[name]))
        .filter((amount) => amount !== null);
      return {
        cells: amounts.length === 0 ? null : amounts.reduce((all, amount) => all + BigInt(amount), 0n),
        notCounted: sent.filter((record) => isUnreadAmount(record[name])).length,
      };
    });
    return toTotals(own.length, sums);
  }
}

const hasSums = (entity: Entity): boolean => entity === 'claims' || entity === 'lines';
