import { expect, test } from 'vitest';
import { findUnknownFields } from '../../../../../../src/main/engine/store/record/unknown-fields.ts';

test('fields that the contract does not list are listed by their path', () => {
  const claim = {
    id: 1,
    status: 'Rejected',
    x_text: 1,
    date_of_service: { bounds: '[)', start: null, end: null, zone: 'UTC' },
    type: { name: 'rx', type_id: 3, x: 1 },
    policy_holder: { id: 1, first_name: null, last_name: null, middle: 'x' },
    members: [
      { id: 1, phone: 'x', system_key: { anything: 'goes' } },
      { id: 2, employer: { id: 1, ceo: 'x' } },
    ],
    claim_medical_lines: [{ id: 1 }, { claim_medical_line_id: 1, x_line: [] }],
  };
  expect(findUnknownFields('claims', claim)).toEqual([
    'claim_medical_lines[].x_line',
    'date_of_service.zone',
    'members[].employer.ceo',
    'members[].phone',
    'policy_holder.middle',
    'type.x',
    'x_text',
  ]);
});

test('a member lists those of dependents, tenants and payers', () => {
  const member = {
    id: 1,
    gender: 'x',
    dependents: [{ relationship: 'child' }],
    tenant: { vendor_tenants: [{ vendor: { id: 1, logo: 'x' } }] },
    employer: { payers: [{ id: 1, retriever: 'r' }], eligible_payers: [{ country: 'US' }] },
    vendor_members: [{ key: 'k', vendor_tenant: { id: 1 } }],
  };
  expect(findUnknownFields('members', member)).toEqual([
    'dependents[].relationship',
    'employer.eligible_payers[].country',
    'gender',
    'tenant.vendor_tenants[].vendor.logo',
  ]);
});

test('odd values in known fields are not unknown fields', () => {
  const odd = {
    id: '1',
    date_of_service: 'x',
    type: 3,
    members: 'nobody',
    policy_holder: [],
    claim_medical_lines: [1],
  };
  expect(findUnknownFields('claims', odd)).toEqual([]);
  expect(findUnknownFields('claims', {})).toEqual([]);
});
