import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compose,
  decompose,
  type Gathered,
} from '../../../../../../src/main/engine/store/record/decompose.ts';
import type { JsonObject, JsonValue } from '../../../../../../src/main/engine/store/record/json.ts';
import {
  accountShape,
  claimLineShape,
  claimShape,
  dependentShape,
  employerShape,
  memberShape,
  policyHolderShape,
  type Shape,
  tenantShape,
} from '../../../../../../src/main/engine/store/record/record-columns.ts';
import { anyClaim, anyMember, isSameJson, readJson } from '../../../../../support/engine-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

/** Puts a record together from its own parts, as a reader does, without a database between. */
function backAndForth(shape: Shape, record: JsonObject): JsonObject {
  const parts = decompose(shape, record);
  const lists = new Map<string, JsonValue>();
  for (const { list, items } of parts.lists) {
    if (list.kind !== 'map')
      lists.set(
        list.key,
        items.map((item) => backAndForth(list.shape(), item)),
      );
  }
  for (const list of shape.lists) {
    const map = list.kind === 'map' ? parts.maps.find(({ table }) => table === list.table) : undefined;
    if (map !== undefined) lists.set(list.key, Object.fromEntries(map.entries));
  }
  const shared = new Map(
    shape.shared.map((object) => {
      const found = parts.shared.find(({ column }) => column === object.column)?.object ?? null;
      return [object.key, found === null ? null : backAndForth(object.shape(), found)] as const;
    }),
  );
  const gathered: Gathered = {
    values: parts.values,
    shared,
    lists,
    extra: parts.extra === null ? null : (readJson(JSON.stringify(parts.extra)) as JsonObject),
    markers: JSON.parse(JSON.stringify(parts.markers)) as string[],
  };
  return compose(shape, gathered);
}

test.each([
  ['claim', claimShape, anyClaim],
  ['member', memberShape, anyMember],
] as const)('a %s that is split and joined again is equal as JSON', (_name, shape, records) => {
  fc.assert(
    fc.property(records, (record) => {
      const back = backAndForth(shape, structuredClone(record));
      expect(isSameJson(readJson(JSON.stringify(back)), readJson(JSON.stringify(record)))).toBe(true);
    }),
    { numRuns: fuzzRuns(400) },
  );
});

test('a record comes back equal as JSON from the encrypted file, first written and then changed', () => {
  const store = openTestStore();
  fc.assert(
    fc.property(
      fc.array(anyClaim, { minLength: 1, maxLength: 3 }),
      fc.array(anyMember, { minLength: 1, maxLength: 3 }),
      (claims, members) => {
        // The same ids each time: the second record overwrites the first, with lists longer or shorter.
        for (const [kind, records] of [
          ['claims', claims],
          ['members', members],
        ] as const) {
          for (const record of records) {
            const text = JSON.stringify({ ...record, id: 7 });
            store.ingest(kind, `{"data":[${text}]}`);
            const [back] = store.texts(kind, [7]);
            expect(isSameJson(readJson(back ?? 'null'), readJson(text)), text).toBe(true);
          }
        }
      },
    ),
    { numRuns: fuzzRuns(60) },
  );
  expect(store.database.pragma('foreign_key_check')).toEqual([]);
  expect(store.database.pragma('integrity_check', { simple: true })).toBe('ok');
});

/** The fields of docs/service.md, once more and by hand, so that none is forgotten in the shapes. */
const interfaceFields: readonly (readonly [Shape, string])[] = [
  [
    claimShape,
    `amount_allowed amount_billed amount_not_covered amount_paid amount_paid_other check_date check_number
     claim_medical_lines coinsurance_patient copayment discount reduction patient_responsibility incurred_value
     computed_amount_allowed computed_amount_billed computed_amount_paid computed_coinsurance_patient
     computed_copayment computed_patient_responsibility computed_reduction createddate modifieddate date_column
     last_updated_status dataobject_id id date_of_service eob_date processed_on group_name group_number
     is_incomplete recrawl_requested members network patient_account_number patient_name patient_payer_number
     remarks policy_holder service_provider service_provider_address service_provider_billing_address
     service_provider_billing_name service_provider_billing_number service_provider_billing_phone
     service_provider_number service_provider_billing_npi_number service_provider_npi_number status type uuid
     vendor_system_id`,
  ],
  [
    claimLineShape,
    `amount_allowed amount_billed amount_not_covered amount_paid amount_paid_other coinsurance_patient copayment
     discount patient_responsibility reduction total_patient_responsibility date_of_service days_supply id
     prescription_type_id diagnosis_code national_drug_code prescription_type_str procedure_code procedure_name
     vendor_system_id quantity uuid claim_medical_line_id`,
  ],
  [
    memberShape,
    `accounts address first_name last_name email ssn first_name_derived last_name_derived full_name_derived
     partner_key archived can_make_claim_requests can_use_portal archived_date createddate modifieddate
     date_of_birth dependents employer id unread_count tenant vendor_members`,
  ],
  [
    dependentShape,
    `address email first_name middle_name last_name ssn partner_key createddate modifieddate date_of_birth id`,
  ],
  [
    employerShape,
    `archived email_automation eligible_payers payers employer_id id name slug support_email_derived
     support_phone_derived tenant_logo_derived tenant_name_derived`,
  ],
  [tenantShape, 'partner_key_enabled id tenant_id name vendor_tenants'],
  [policyHolderShape, 'first_name id last_name'],
  [accountShape, 'id name'],
];

test.each(interfaceFields.map(([shape, names]) => [shape.table, shape, names] as const))(
  '%s holds every field of the interface, and no other',
  (_table, shape, names) => {
    const parts = [...shape.columns, ...shape.inline, ...shape.shared, ...shape.lists].map(({ key }) => key);
    expect(parts.sort()).toEqual(names.split(/\s+/).sort());
  },
);

test('every typed column of a full claim is filled, and nothing is stored outside the columns', () => {
  const store = openTestStore();
  const fill = (shape: Shape): JsonObject => {
    const record: JsonObject = {};
    const of = { text: 'x', integer: 5, real: 1.5, money: -12.3456, boolean: true };
    for (const column of shape.columns) record[column.key] = of[column.kind];
    for (const object of shape.inline)
      record[object.key] = Object.fromEntries(object.columns.map((column) => [column.key, of[column.kind]]));
    for (const shared of shape.shared) record[shared.key] = fill(shared.shape());
    for (const list of shape.lists)
      record[list.key] = list.kind === 'map' ? { code: 'key' } : [fill(list.shape())];
    return record;
  };
  for (const [kind, shape] of [
    ['claims', claimShape],
    ['members', memberShape],
  ] as const) {
    store.ingest(kind, [fill(shape)]);
    const row = store.database.prepare(`SELECT * FROM ${kind}`).get() as Record<string, unknown>;
    const { gone_since: missingSince, extra, ...filled } = row;
    expect(missingSince).toBeNull();
    expect(extra).toBeNull();
    expect(Object.entries(filled).filter(([, value]) => value === null)).toEqual([]);
  }
  for (const table of [
    'claim_lines',
    'dependents',
    'vendor_members',
    'employers',
    'tenants',
    'vendor_tenants',
  ]) {
    const row = store.database.prepare(`SELECT * FROM ${table}`).get() as Record<string, unknown>;
    const empty = Object.keys(row).filter((name) => row[name] === null);
    expect(empty, table).toEqual(['extra']);
  }
  expect(store.database.prepare('SELECT member_id FROM claim_members').pluck().get()).toBe(5);
  expect(store.database.prepare('SELECT code, key FROM claim_member_system_keys').raw().get()).toEqual([
    'code',
    'key',
  ]);
});

test.each([
  [{ amount_paid: 0 }, 0],
  [{ amount_paid: 1.005 }, 10050],
  [{ amount_paid: -0.01 }, -100],
  [{ amount_paid: 123456789.1234 }, 1234567891234],
  [{ amount_paid: null }, null],
  [{}, null],
  [{ amount_paid: 'twelve' }, null],
  [{ amount_paid: [] }, null],
  [{ amount_paid: true }, null],
  [{ amount_paid: 0.00004 }, 0],
  [{ amount_paid: 12.34567 }, 123457],
  [{ amount_paid: 1e300 }, null],
])('the amount of %j is %s ten-thousandths in its column', (record, expected) => {
  const store = openTestStore();
  store.ingest('claims', [{ id: 1, ...record }]);
  expect(store.database.prepare('SELECT amount_paid FROM claims').pluck().get()).toBe(expected);
  expect(JSON.parse(store.texts('claims', [1])[0] ?? '')).toEqual({ id: 1, ...record });
});

test('digits beyond a double survive in any field and in unknown ones', () => {
  const store = openTestStore();
  const text =
    '{"id":1,"amount_paid":0.123456789012345678901,"dataobject_id":12345678901234567890,"x":{"y":[1e400]},' +
    '"service_provider_npi_number":9007199254740993,"claim_medical_lines":[{"id":99999999999999999999}]}';
  store.ingest('claims', `{"data":[${text}]}`);
  const [back] = store.texts('claims', [1]);
  expect(isSameJson(readJson(back ?? ''), readJson(text))).toBe(true);
  expect(back).toContain('0.123456789012345678901');
  expect(back).toContain('[1e400]');
});

test('a missing field and a null one are distinguished', () => {
  const store = openTestStore();
  const records = [
    { id: 1 },
    { id: 2, remarks: null, type: null, policy_holder: null, members: null, claim_medical_lines: null },
    { id: 3, remarks: '', type: {}, policy_holder: {}, members: [], claim_medical_lines: [] },
    { id: 4, type: { name: null }, members: [{}], claim_medical_lines: [{}, { date_of_service: null }] },
    { id: 5, members: [{ system_key: null }, { system_key: {} }, { system_key: { a: null } }] },
    { id: 6, type: 3, members: 'nobody', policy_holder: [], claim_medical_lines: { a: 1 } },
    { id: 7, members: [null, 1], claim_medical_lines: [[]] },
    { id: 8, 'type=null': 1, 'members=null': null, extra: 1, shape_id: 2, digest: 3, missing_since: 'x' },
  ];
  store.ingest('claims', records);
  expect(store.texts('claims', [1, 2, 3, 4, 5, 6, 7, 8]).map((text) => JSON.parse(text ?? ''))).toEqual(
    records,
  );
});
