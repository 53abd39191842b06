import { expect, it, test } from 'vitest';
import { type ListSettings, startSettings } from '../../../../../src/renderer/domain/list/list-settings.ts';
import { findHideable, findSameValues } from '../../../../../src/renderer/domain/list/same-columns.ts';

const columns = [
  ...['id', 'date_of_service', 'patient_name', 'service_provider', 'status', 'remarks'],
  ...['review.state', 'amount_billed', 'patient_responsibility'],
];
const initial = startSettings({ columns, frozen: ['id'] });
const hideable = (change: Partial<ListSettings> = {}) =>
  findHideable('claims', { ...initial, ...change }, initial);

test('IDs, days, amounts and what desk mode masks are always shown', () => {
  expect(hideable()).toEqual(['patient_name', 'service_provider', 'status', 'review.state']);
  expect(findHideable('members', initial, initial)).toEqual([]);
  const people = startSettings({ columns: ['id', 'last_name', 'ssn', 'date_of_birth', 'archived'] });
  expect(findHideable('members', people, people)).toEqual(['last_name', 'archived']);
});

it.each<[string, Partial<ListSettings>, string[]]>([
  [
    'sorted by',
    { sort: [{ field: 'status', direction: 'asc' }] },
    ['patient_name', 'service_provider', 'review.state'],
  ],
  [
    'filtered by',
    { conditions: [{ field: 'patient_name', operator: 'is', values: ['Ana'] }] },
    ['service_provider', 'status', 'review.state'],
  ],
  [
    'wide as a person wants it',
    { widths: { status: 200 } },
    ['patient_name', 'service_provider', 'review.state'],
  ],
  ['frozen', { frozen: ['id', 'status'] }, ['patient_name', 'service_provider', 'review.state']],
  ['maybe what was searched for', { search: 'ana' }, []],
  ['chosen', { columns: ['id', 'status'] }, []],
  [
    'chosen, among the default ones',
    { columns: ['status', ...columns.filter((one) => one !== 'status')] },
    [],
  ],
])('a column stays that is %s', (_what, change, left) => {
  expect(hideable(change)).toEqual(left);
});

test('columns with the same value in all rows; a blank text is no value', () => {
  const rows = [
    { id: 1, status: 'Processed', network: '', 'type.name': null, carrier: 'Summit' },
    { id: 2, status: 'Processed', network: null, 'type.name': '', carrier: 'Harbor' },
    { id: 3, status: 'Processed', network: null, carrier: 'Harbor' },
  ];
  const asked = ['id', 'status', 'network', 'type.name', 'carrier'];
  expect(findSameValues(rows, asked)).toEqual({ status: 'Processed', network: null, 'type.name': null });
  expect(findSameValues(rows.slice(0, 2), asked), 'two rows say little').toEqual({});
  expect(findSameValues([], asked)).toEqual({});
});
