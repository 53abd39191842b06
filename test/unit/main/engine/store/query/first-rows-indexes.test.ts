import { expect, test } from 'vitest';
import { buildKeys, buildSelection } from '../../../../../../src/main/engine/store/query/build-query.ts';
import {
  otherIndexed,
  readFirstKeys,
  walkable,
} from '../../../../../../src/main/engine/store/query/first-rows.ts';
import { findField, listTables } from '../../../../../../src/main/engine/store/query/list-tables.ts';
import { type Entity, entities } from '../../../../../../src/rules/list-fields.ts';
import type { Condition, ListQuery } from '../../../../../../src/rules/query.ts';
import { idFields, writeIdFilter } from '../../../../../../src/rules/review/id-filter.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const store = openTestStore;
const planOf = ({ text, values }: { text: string; values: readonly unknown[] }, opened = store()): string =>
  (opened.database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[])
    .map(({ detail }) => detail)
    .join(' | ');

const walked = entities.flatMap((entity) =>
  walkable[entity].map((field): [Entity, string] => [entity, field]),
);

test.each(walked)('%s are read in the order of %s by an index of the schema', (entity, field) => {
  const { alias } = listTables[entity];
  const sort = [{ field, direction: 'asc' as const }];
  const plan = planOf(buildKeys({ entity, sort, includesMissing: true, includesArchived: true }));
  expect(plan).toMatch(new RegExp(`SCAN ${alias}\\b`));
  // Rows with equal names may be put in the order of their keys.
  expect(plan.replace('USE TEMP B-TREE FOR LAST TERM OF ORDER BY', '')).not.toContain('TEMP B-TREE');
});

const someOf = (field: string): string | number => {
  if (field === 'worklist') return 'new';
  if (idFields.includes(field)) return writeIdFilter('0'.repeat(36), 'Payroll');
  if (field === 'ssn') return '123-45-6789';
  if (field === 'date_of_service.month') return '2025-03';
  if (field === 'date_of_service.first_day') return '2025-03-01';
  return 7;
};

test.each([...otherIndexed])('claims, or people, with a value of %s are found by an index', (field) => {
  const entity: Entity = field === 'ssn' ? 'members' : 'claims';
  expect(entity === 'claims' || findField(entity, field) !== undefined).toBe(true);
  const condition: Condition = { field, operator: 'is', values: [someOf(field)] };
  const query: ListQuery = { entity, conditions: [condition], includesMissing: true, includesArchived: true };
  const { alias, table } = listTables[entity];
  const plan = planOf(buildSelection(query));
  expect(plan).not.toMatch(new RegExp(`SCAN (${alias}|${table})\\b`));
  expect(plan).toContain('SEARCH');
});

test('two conditions of the same form are both applied, whichever finds fewer rows', () => {
  const opened = store();
  opened.ingest(
    'claims',
    Array.from({ length: 30 }, (_none, id) => ({
      id,
      members: id < 10 ? [{ id: 7 }] : id < 20 ? [{ id: 7 }, { id: 8 }] : [{ id: 8 }],
    })),
  );
  const member = (id: number): Condition => ({ field: 'members.id', operator: 'is', values: [id] });
  for (const conditions of [
    [member(7), member(8)],
    [member(8), member(7)],
    [member(7), member(7)],
  ]) {
    const query: ListQuery = { entity: 'claims', conditions };
    expect(readFirstKeys(opened.readerConnection, query, 100)).toEqual(opened.list(query));
  }
});
