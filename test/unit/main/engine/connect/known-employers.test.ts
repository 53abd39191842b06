import { expect, test } from 'vitest';
import { isSameName, mergeEmployers } from '../../../../../src/main/engine/connect/known-employers.ts';
import type { EmployerChoice } from '../../../../../src/main/engine/store/query/employer-choices.ts';

const scope = 's1';
const tenant = { id: 9, name: 'Trust' };
const kept = (id: number, name: string, part: object = {}) => ({
  scope,
  id,
  name,
  tenant,
  systemKey: `K${id}`,
  vendor: 'trust-a',
  ...part,
});
const record = (id: number, part: Partial<EmployerChoice> = {}): EmployerChoice => ({
  id,
  employerId: null,
  name: `Employer no. ${id}`,
  members: 1,
  tenants: [{ id: 9, tenantId: 90, name: 'Trust' }],
  vendorLabels: ['trust-a'],
  memberKeys: [],
  ...part,
});
test('names are equal ignoring case and spaces', () => {
  expect(isSameName(' Acme   Foods, Inc.\u00a0', 'ACME foods, inc.')).toBe(true);
  expect(isSameName('Acme', 'Acme Foods')).toBe(false);
});

test('an employer of the records has the key that Connect knows it by, under either of its numbers', () => {
  const records = [record(1, { employerId: 70 }), record(2, { employerId: 3 }), record(3)];
  const merged = mergeEmployers(records, [kept(70, 'Acme'), kept(3, 'Three')], null);
  expect(merged.map(({ id, otherIds, systemKey }) => ({ id, otherIds, systemKey }))).toEqual([
    { id: 1, otherIds: [70], systemKey: 'K70' },
    { id: 2, otherIds: [3], systemKey: null },
    { id: 3, otherIds: [], systemKey: 'K3' },
  ]);
});

test('one that only Connect named is there too, and one without a name has its number', () => {
  const merged = mergeEmployers([record(1, { name: ' ' })], [kept(10_000, 'Newco')], null);
  expect(merged.map(({ name, tenantNames }) => [name, tenantNames])).toEqual([
    ['Employer 1', ['Trust']],
    ['Newco', ['Trust']],
  ]);
});

test('employers of other tenants are distinguished once the integration’s tenant is known', () => {
  const other = record(2, { tenants: [{ id: 8, tenantId: 80, name: 'Other' }], vendorLabels: ['other-a'] });
  const records = [record(1), other, record(3, { tenants: [] })];
  const elsewhere = (...args: Parameters<typeof mergeEmployers>) =>
    mergeEmployers(...args)
      .filter(({ isOfOtherTenant }) => isOfOtherTenant)
      .map(({ id }) => id);
  expect(elsewhere(records, [], null)).toEqual([]);
  expect(elsewhere(records, [], 'trust-a')).toEqual([2]);
  expect(elsewhere(records, [kept(1, 'One')], null)).toEqual([2]);
  // The tenant's other number identifies it as well.
  expect(elsewhere(records, [kept(1, 'One', { tenant: { id: 90, name: 'Trust' } })], null)).toEqual([2]);
});
