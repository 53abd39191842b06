import { expect, test } from 'vitest';
import {
  isSameName,
  listKept,
  mergeEmployers,
} from '../../../../../src/main/engine/connect/known-employers.ts';
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
const member = (email: string, employerId: number, systemKey: string, bootstrappedAt: string) => ({
  scope,
  email,
  firstName: 'Dana',
  lastName: 'Reyes',
  employer: { id: employerId, name: 'Acme' },
  tenant,
  systemKey,
  vendor: 'trust-a',
  memberSystemKey: null,
  supportEmail: null,
  bootstrappedAt,
});

test('names are the same whatever their case and spaces', () => {
  expect(isSameName(' Acme   Foods, Inc.\u00a0', 'ACME foods, inc.')).toBe(true);
  expect(isSameName('Acme', 'Acme Foods')).toBe(false);
});

test('a profile of version 0.1 knows employers by their members, the newest first; what is kept since counts more', () => {
  const members = [
    member('b@acme.example', 70, 'NEW', '2026-03-02T00:00:00Z'),
    member('a@acme.example', 70, 'OLD', '2026-03-01T00:00:00Z'),
    { ...member('c@acme.example', 71, 'OTHER', '2026-03-01T00:00:00Z'), scope: 's2' },
  ];
  expect(listKept({ employers: [], members }, scope)).toEqual([kept(70, 'Acme', { systemKey: 'NEW' })]);
  expect(listKept({ employers: [kept(70, 'Acme')], members }, scope)).toEqual([kept(70, 'Acme')]);
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

test('employers of other tenants are told apart once the integration’s tenant is known', () => {
  const other = record(2, { tenants: [{ id: 8, tenantId: 80, name: 'Other' }], vendorLabels: ['other-a'] });
  const records = [record(1), other, record(3, { tenants: [] })];
  const elsewhere = (...args: Parameters<typeof mergeEmployers>) =>
    mergeEmployers(...args)
      .filter(({ isOfOtherTenant }) => isOfOtherTenant)
      .map(({ id }) => id);
  expect(elsewhere(records, [], null)).toEqual([]);
  expect(elsewhere(records, [], 'trust-a')).toEqual([2]);
  expect(elsewhere(records, [kept(1, 'One')], null)).toEqual([2]);
  // By the other number of the tenant as well.
  expect(elsewhere(records, [kept(1, 'One', { tenant: { id: 90, name: 'Trust' } })], null)).toEqual([2]);
});
