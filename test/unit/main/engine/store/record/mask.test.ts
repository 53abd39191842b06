import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../../src/main/engine/store/record/json.ts';
import { maskRecord, maskSsn } from '../../../../../../src/main/engine/store/record/mask.ts';
import { anyJson, anyMember, readJson } from '../../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

test.each([
  ['123-45-6789', '***-**-6789'],
  ['123456789', '***-**-6789'],
  ['123 45 6789', '***-**-6789'],
  ['6789', '***'],
  ['123-45-67890', '***'],
  ['', '***'],
  ['unknown', '***'],
])('%j is shown as %s', (value, expected) => {
  expect(maskSsn(value)).toBe(expected);
});

test('no SSN can be read at any depth, and null stays null', () => {
  const record = readJson(
    '{"ssn":"123-45-6789","SSN":123456789,"dependents":[{"ssn":"987-65-4321"},{"ssn":null}],' +
      '"x":{"social_security_number":["111-22-3333"],"Ssn":{"full":"111-22-3333"},"ssn":98765432109876543210}}',
  ) as JsonObject;
  expect(maskRecord(record, 'members')).toEqual({
    ssn: '***-**-6789',
    SSN: '***',
    dependents: [{ ssn: '***-**-4321' }, { ssn: null }],
    x: { social_security_number: '***', Ssn: '***', ssn: '***' },
  });
});

test.each([
  ...[
    'ssn',
    'SSN',
    'subscriber_ssn',
    'subscriberSsn',
    'patientSSN',
    'subscriberssn',
    'ssn_last4',
    'Ssn-Number',
  ],
  ...[
    'social',
    'socialSecurityNumber',
    'social_security_no',
    'taxId',
    'tax_id',
    'TaxID',
    'tax_identifier',
    'itin',
  ],
])('a field named %s contains one, wherever it is', (name) => {
  const record = {
    id: 1,
    [name]: '12-345 6789',
    claim_medical_lines: [{ id: 2, deep: { [name]: 123456789 } }],
  };
  expect(maskRecord(record, 'claims')).toEqual({
    id: 1,
    [name]: '***-**-6789',
    claim_medical_lines: [{ id: 2, deep: { [name]: '***' } }],
  });
});

test.each(['business_name', 'businessname', 'class_name', 'session', 'tax_amount', 'taxonomy', 'isSent'])(
  'a field named %s contains none',
  (name) => {
    const record = { [name]: 'Clinic 12' };
    expect(maskRecord(record, 'claims')).toEqual(record);
  },
);

test('in an unknown field whatever looks like one is masked; known fields keep their nine digits', () => {
  const record = readJson(
    `{"id":123456789,"claim_number":"123456789","check_number":"123-45-6789","service_provider_npi_number":123456789,
      "type":{"type_id":123456789,"name":"123456789","code":"123456789"},
      "policy_holder":{"id":123456789,"first_name":"123456789","holder_no":123456789},
      "members":[{"id":123456789,"system_key":{"north":"123456789"},"badge":"123 45 6789"},"123456789"],
      "remarks":{"text":"123456789"},
      "extra_no":"123456789","note":"her number 123-45-6789, or 987-65-4321.","phone":"555-123-4567","ten":"1234567890",
      "list":[123456789,12345678,1234567890,123456789.0,true,null],"zip":"44114-1234"}`,
  ) as JsonObject;
  const masked = '***-**-6789';
  expect(JSON.parse(JSON.stringify(maskRecord(record, 'claims')))).toEqual({
    id: 123456789,
    claim_number: masked,
    check_number: '123-45-6789',
    service_provider_npi_number: 123456789,
    type: { type_id: 123456789, name: '123456789', code: masked },
    policy_holder: { id: 123456789, first_name: '123456789', holder_no: masked },
    members: [{ id: 123456789, system_key: { north: '123456789' }, badge: masked }, masked],
    remarks: { text: masked },
    extra_no: masked,
    note: 'her number ***-**-6789, or ***-**-4321.',
    phone: '555-123-4567',
    ten: '1234567890',
    list: [masked, 12345678, 1234567890, masked, true, null],
    zip: '44114-1234',
  });
});

/** Nine digits of an unknown field, and what is shown of them. */
const likeSsn = /^\s*(?:\d{9}|\d{3}([-\s.])\d{2}\1\d{4}|\*\*\*-\*\*-\d{4})\s*$/;

test('only SSNs are changed, and the original record is unchanged', () => {
  fc.assert(
    fc.property(anyMember, (record) => {
      const before = JSON.stringify(record);
      const masked = maskRecord(record, 'members');
      expect(JSON.stringify(record)).toBe(before);
      const without = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value), (key, inner) =>
          key.toLowerCase() === 'ssn' || likeSsn.test(String(inner)) ? undefined : inner,
        );
      expect(without(masked)).toEqual(without(record));
    }),
    { numRuns: fuzzRuns(200) },
  );
});

test('a field named __proto__ is kept', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const record = JSON.parse(
        `{"id":1,"__proto__":${JSON.stringify(value)},"x":{"__proto__":1}}`,
      ) as JsonObject;
      expect(JSON.stringify(maskRecord(record, 'members'))).toBe(JSON.stringify(record));
    }),
    { numRuns: fuzzRuns(50) },
  );
});
