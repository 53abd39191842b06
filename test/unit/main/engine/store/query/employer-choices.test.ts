import { expect, test } from 'vitest';
import { openTestStore } from '../../../../../support/engine-store.ts';

const vendor = { id: 1, code: 'hris', name: 'People Records' };
const [labelA, labelB] = [
  { id: 91, label: 'trust-a', key_enabled: true, vendor },
  { id: 92, label: 'trust-b', key_enabled: false, vendor },
];
const tenant = { id: 9, tenant_id: 90, name: 'Trust', vendor_tenants: [labelA, labelB] };
const acme = { id: 70, employer_id: 700, name: 'Acme' };
const member = (id: number, more: object = {}) => ({
  id,
  email: `m${id}@acme.example`,
  first_name: 'Dana',
  last_name: null,
  last_name_derived: 'Reyes',
  employer: acme,
  tenant,
  ...more,
});
const keyed = (key: string, { label, id }: { label: string; id: number }) => ({
  vendor_members: [{ key, vendor_tenant: { id, label, vendor } }],
});

test('an employer includes both numbers, its tenants, and labels, those for which its members have keys first', () => {
  const store = openTestStore();
  store.ingest('members', [member(1, keyed('K2', labelB)), member(2, keyed('K1', labelB)), member(3)]);
  store.ingest('claims', [{ id: 100, members: [{ id: 8, employer: { id: 71, name: 'Elsewhere' } }] }]);
  expect(store.read.listEmployerChoices(null)).toEqual([
    {
      id: 70,
      employerId: 700,
      name: 'Acme',
      members: 3,
      tenants: [{ id: 9, tenantId: 90, name: 'Trust' }],
      vendorLabels: ['trust-b', 'trust-a'],
      memberKeys: [{ label: 'trust-b', memberKey: 'K1' }],
    },
    {
      id: 71,
      employerId: null,
      name: 'Elsewhere',
      members: 0,
      tenants: [],
      vendorLabels: [],
      memberKeys: [],
    },
  ]);
});

test('an employer and a tenant whose records changed appear once, by the newest name', () => {
  const store = openTestStore();
  store.ingest('members', [member(1)]);
  store.ingest('members', [
    member(2, { employer: { ...acme, name: 'Acme Inc.' }, tenant: { ...tenant, name: 'New Trust' } }),
  ]);
  expect(store.read.listEmployerChoices(null)).toMatchObject([
    { id: 70, name: 'Acme Inc.', members: 2, tenants: [{ id: 9, name: 'New Trust' }] },
  ]);
});

test('members are found by email ignoring case, even for letters beyond ASCII', () => {
  const store = openTestStore();
  store.ingest('members', [
    member(1, { email: ' Dana.Reyes@Acme.example' }),
    member(2, { email: 'ZOË@acme.example', employer: null }),
    member(3, { email: null }),
  ]);
  const find = (email: string) => store.read.findMembersByEmail({ email });
  expect(find('dana.reyes@ACME.example ')).toEqual([
    {
      id: 1,
      email: ' Dana.Reyes@Acme.example',
      firstName: 'Dana',
      lastName: 'Reyes',
      dateOfBirth: null,
      employerId: 70,
    },
  ]);
  expect(find('zoë@acme.example')).toMatchObject([{ id: 2, employerId: null }]);
  expect(find('nobody@acme.example')).toEqual([]);
});
