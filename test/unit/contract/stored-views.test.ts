import { expect, test } from 'vitest';
import {
  storedSessionSchema,
  storedViewFileSchema,
  storedViewSchema,
} from '../../../src/contract/stored-views.ts';
import { settingsOf } from '../../../src/renderer/domain/list/saved-views.ts';

/** A list as version 0.1 kept it: the start stood for the whole range. */
const old = {
  search: '',
  conditions: [
    { field: 'date_of_service.start', operator: 'between', values: ['2025-08-01', '2025-08-31'] },
    { field: 'date_of_service.end', operator: 'lessThan', values: ['2025-08-20'] },
    { field: 'date_of_service', operator: 'is', values: ['2025-08-13'] },
    { field: 'date_of_service.month', operator: 'is', values: ['2025-08'] },
    { field: 'date_of_service.bounds', operator: 'is', values: ['[)'] },
    { field: 'status', operator: 'is', values: ['Rejected'] },
  ],
  includesArchived: false,
  ['includesGone' as string]: true,
  sort: [
    { field: 'date_of_service.start', direction: 'desc' },
    { field: 'date_of_service.end', direction: 'asc', nulls: 'first' },
  ],
  columns: ['id', 'date_of_service.start', 'date_of_service.end', 'date_of_service.bounds', 'status'],
  frozen: ['id', 'date_of_service.start'],
  widths: { id: 84, 'date_of_service.start': 150 },
  groupBy: 'date_of_service.month',
};
const unchanged = Object.fromEntries(
  Object.entries(old).filter(([name]) => name !== 'includesGone'),
) as typeof old;
const expected = {
  ...unchanged,
  includesMissing: true,
  conditions: [
    { field: 'date_of_service.first_day', operator: 'between', values: ['2025-08-01', '2025-08-31'] },
    { field: 'date_of_service.last_day', operator: 'lessThan', values: ['2025-08-20'] },
    ...old.conditions.slice(2),
  ],
  sort: [
    { field: 'date_of_service', direction: 'desc' },
    { field: 'date_of_service.last_day', direction: 'asc', nulls: 'first' },
  ],
  columns: ['id', 'date_of_service', 'date_of_service.last_day', 'date_of_service.bounds', 'status'],
  frozen: ['id', 'date_of_service'],
  widths: { id: 84, date_of_service: 150 },
};

test.each(['claims', 'lines'] as const)(
  'a saved view of %s from version 0.1 means the days of service',
  (entity) => {
    const saved = { version: 1, kind: 'list', entity, isPinned: true, view: old };
    const read = storedViewSchema.parse(saved);
    expect(read).toEqual({ ...saved, version: 2, view: expected });
    const known = settingsOf(entity, read.view);
    expect(known.columns).toEqual(
      entity === 'claims' ? expected.columns : expected.columns.filter((path) => path !== 'status'),
    );
    expect(known.sort).toEqual(expected.sort);
  },
);

test('so do the lists as they were left, and a view that was handed on', () => {
  const session = {
    version: 1,
    kind: 'session',
    lists: { claims: old, members: { ...old, conditions: [] } },
  };
  expect(storedSessionSchema.parse(session).lists.claims).toEqual(expected);
  const file = {
    format: 'claimdesk.view',
    version: 1,
    name: 'August',
    entity: 'claims',
    leftOut: 0,
    view: old,
  };
  expect(storedViewFileSchema.parse(file)).toEqual({ ...file, version: 2, view: expected });
});

test('in a view of this version the same names are the fields as they were sent', () => {
  const saved = {
    version: 2,
    kind: 'list',
    entity: 'claims',
    isPinned: false,
    view: { ...unchanged, includesMissing: true },
  };
  expect(storedViewSchema.parse(saved)).toEqual(saved);
});
