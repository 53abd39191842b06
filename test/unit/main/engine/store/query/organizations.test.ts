import { expect, test } from 'vitest';
import { openTestStore } from '../../../../../support/engine-store.ts';

const acme = {
  id: 70,
  employer_id: 700,
  name: 'Acme',
  support_email_derived: 'benefits@acme.example',
  payers: [{ id: 1, name: 'Buckeye', short_name: 'B' }],
  eligible_payers: [{ id: 2, name: 'Lakes', short_name: 'L', retriever: 'portal' }],
  founded: 1947,
};
const tenant = { id: 9, tenant_id: 90, name: 'Trust', partner_key_enabled: true, vendor_tenants: [] };
const member = (id: number, more: object = {}) => ({ id, archived: false, employer: acme, tenant, ...more });
const claim = (id: number, employer: object) => ({
  id,
  amount_billed: 10.5,
  members: [{ id: 1, employer }],
});

test('an employer is read from its members’ version, not the short one in claims', () => {
  const store = openTestStore();
  store.ingest('members', [member(1), member(2, { archived: true })]);
  store.ingest('claims', [claim(100, { id: 70, name: 'Acme' })]);
  const found = store.read.readEmployer({ id: 70 });
  expect(JSON.parse(found?.employer ?? 'null')).toEqual(acme);
  expect(found?.tenants).toEqual([{ id: 9, name: 'Trust', members: 2 }]);
});

test('one that only claims have is read too', () => {
  const store = openTestStore();
  store.ingest('claims', [claim(100, { id: 71, name: 'Elsewhere' })]);
  expect(store.read.readEmployer({ id: 71 })).toEqual({
    employer: JSON.stringify({ id: 71, name: 'Elsewhere' }),
    tenants: [],
  });
});

test('an unknown one is null', () => {
  const store = openTestStore();
  expect(store.read.readEmployer({ id: 1 })).toBeNull();
  expect(store.read.readTenant({ id: 1 })).toBeNull();
});

test('a tenant lists the employers of its members, most members first', () => {
  const store = openTestStore();
  const other = { id: 80, name: 'Bakery' };
  store.ingest('members', [member(1), member(2, { employer: other }), member(3, { employer: other })]);
  const found = store.read.readTenant({ id: 9 });
  expect(JSON.parse(found?.tenant ?? 'null')).toEqual(tenant);
  expect(found?.employers).toEqual([
    { id: 80, name: 'Bakery', members: 2 },
    { id: 70, name: 'Acme', members: 1 },
  ]);
});

test('lists have each organization by ID, with its newest name, and count members, archived ones, and claims’ totals', () => {
  const store = openTestStore();
  const renamed = { id: 70, name: 'Acme Inc' };
  store.ingest('members', [
    member(1),
    member(2, { archived: true, employer: renamed }),
    member(3, { employer: null }),
    member(4, { employer: { id: 80, name: null }, tenant: null }),
  ]);
  const ofBoth = {
    ...claim(100, acme),
    members: [
      { id: 1, employer: acme },
      { id: 2, employer: renamed },
    ],
  };
  store.ingest('claims', [ofBoth, claim(101, acme)]);
  const nothing = { count: 0, billed: null, allowed: null, paid: null, patientResponsibility: null };
  const claims = { ...nothing, count: 2, billed: 210_000 };
  expect(store.lists.listEmployers(null)).toEqual([
    { id: 70, name: 'Acme Inc', members: 2, archivedMembers: 1, claims },
    { id: 80, name: null, members: 1, archivedMembers: 0, claims: nothing },
  ]);
  expect(store.lists.listTenants(null)).toEqual([
    { id: 9, name: 'Trust', employers: 1, members: 3, archivedMembers: 1, claims },
  ]);
});
