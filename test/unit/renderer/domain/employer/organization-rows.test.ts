import { expect, test } from 'vitest';
import {
  arrangeOrganizations,
  findOrganizations,
  type OrganizationRow,
} from '../../../../../src/renderer/domain/employer/organization-rows.ts';

const row = (
  id: number,
  name: string | null,
  members: number,
  paid: number | string | null,
): OrganizationRow => ({
  id,
  name,
  members,
  archivedMembers: 1,
  claims: { count: members, billed: null, allowed: null, paid, patientResponsibility: null },
});
const rows = [row(1, 'Bakery', 5, 100), row(2, 'acme', 9, '9007199254740993000'), row(3, null, 2, null)];
const ids = (options: Parameters<typeof arrangeOrganizations>[1]) =>
  arrangeOrganizations(rows, options).map(({ id }) => id);

test('sorted by name ignoring case, those without one last in either direction', () => {
  expect(ids({ search: '', by: 'name', isDescending: false })).toEqual([2, 1, 3]);
  expect(ids({ search: '', by: 'name', isDescending: true })).toEqual([1, 2, 3]);
});

test('sums are compared exactly; rows without one are last', () => {
  expect(ids({ search: '', by: 'paid', isDescending: true })).toEqual([2, 1, 3]);
  expect(ids({ search: '', by: 'paid', isDescending: false })).toEqual([1, 2, 3]);
});

test('found by a part of the name or by the ID', () => {
  expect(ids({ search: ' AK', by: 'name', isDescending: false })).toEqual([1]);
  expect(ids({ search: '3', by: 'name', isDescending: false })).toEqual([3]);
});

test('found by the words of a name in any order, matches from the start first, no more than requested', () => {
  const named = ['North Bakery', 'Bakery of the North', 'Northwind', 'acme', null].map((name, id) => ({
    id,
    name,
  }));
  const found = (typed: string, limit = 9) => findOrganizations(named, typed, limit).map(({ name }) => name);
  expect(found('north')).toEqual(['North Bakery', 'Northwind', 'Bakery of the North']);
  expect(found('bakery NORTH')).toEqual(['Bakery of the North', 'North Bakery']);
  expect(found('north', 1)).toEqual(['North Bakery']);
  expect(found('  ')).toEqual([]);
  expect(found('zzz')).toEqual([]);
});
