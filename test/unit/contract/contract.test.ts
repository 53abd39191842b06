import { expect, test } from 'vitest';
import { presetColumns } from '../../../src/contract/export-columns.ts';
import { procedures } from '../../../src/contract/procedures.ts';
import { claimSchema, memberSchema } from '../../../src/contract/records.ts';
import { columnOf, listTables } from '../../../src/main/engine/store/query/list-tables.ts';
import { entities, fieldsOf, linkFieldsOf, splitRanges } from '../../../src/rules/list-fields.ts';
import { listQuerySchema } from '../../../src/rules/query.ts';

test.each(entities)('each column of %s has its own path and a label, and is in the store', (entity) => {
  const paths = fieldsOf[entity].map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  for (const spec of fieldsOf[entity]) {
    expect(spec.label).toMatch(/^[A-Z]/);
    expect(columnOf(entity, spec.path)).toContain('.');
  }
  expect(linkFieldsOf[entity].every(({ path }) => !paths.includes(path))).toBe(true);
});

test.each(entities)('every flat column of the table of %s is offered', (entity) => {
  const { shape } = listTables[entity];
  const paths = new Set(fieldsOf[entity].map(({ path }) => path));
  const flat = [
    ...shape.columns.map(({ key }) => key),
    ...shape.inline.flatMap((object) => object.columns.map(({ key }) => `${object.key}.${key}`)),
  ].filter((path) => path !== 'claim_medical_line_id');
  expect(flat.filter((path) => !paths.has(path))).toEqual([]);
});

const ranges = ['', '.start', '.end', '.bounds'].map((part) => `date_of_service${part}`);

test.each([
  ['members', ['date_of_birth', 'ssn']],
  ['dependents', ['date_of_birth', 'ssn']],
  [
    'claims',
    [
      ranges[0],
      // The columns of what was decided here about a claim, and of what follows from it.
      ...fieldsOf.claims.map(({ path }) => path).filter((path) => /^(review|facts)\./.test(path)),
      ...ranges.slice(1),
      'not_counted',
    ],
  ],
  ['lines', [ranges[0], 'diagnosis_code', ...ranges.slice(1), 'not_counted']],
] as const)('a file of %s has every column except %j by default', (entity, leftOut) => {
  const columns = new Set(presetColumns({ kind: 'list', query: { entity } }, 'standard'));
  const others = fieldsOf[entity].map(({ path }) => path).filter((path) => !columns.has(path));
  expect(others).toEqual(leftOut);
});

test('a date range is written as its first and its last day, once', () => {
  expect(splitRanges('claims', ['id', 'date_of_service', 'date_of_service.last_day', 'status'])).toEqual([
    'id',
    'date_of_service.first_day',
    'date_of_service.last_day',
    'status',
  ]);
  expect(splitRanges('members', ['id', 'last_name'])).toEqual(['id', 'last_name']);
});

test('odd records pass the schemas, which keep unknown fields', () => {
  const claim = { id: 1, type: null, members: [{ x: 1 }], x_new: { y: [] } };
  expect(claimSchema.parse(claim)).toEqual(claim);
  const member = {
    id: 1,
    employer: { ceo: 'x' },
    dependents: [{ relationship: 'child' }],
    tenant: undefined,
  };
  expect(memberSchema.parse(member)).toEqual(member);
});

test.each([
  [{ entity: 'tenants' }],
  [{ entity: 'claims', conditions: [{ field: 'id', operator: 'like', values: [] }] }],
  [{ entity: 'claims', conditions: [{ field: 'id', operator: 'is', values: [{}] }] }],
  [{ entity: 'claims', sort: [{ field: 'id', direction: 'up' }] }],
  [{ entity: 'claims', search: 'x'.repeat(501) }],
  [
    {
      entity: 'claims',
      conditions: Array.from({ length: 51 }, () => ({ field: 'id', operator: 'isEmpty', values: [] })),
    },
  ],
])('%j is not a query', (query) => {
  expect(listQuerySchema.safeParse(query).success).toBe(false);
});

test('no procedure returns a secret, runs SQL or calls an address', () => {
  for (const name of Object.keys(procedures)) {
    expect(name).toMatch(/^[a-z]+:[a-z][a-zA-Z]+$/);
    expect(name).not.toMatch(/secret|private|token|sql|fetch|request|exec/i);
  }
});
