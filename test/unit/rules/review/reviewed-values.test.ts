import { expect, test } from 'vitest';
import { fieldsOf } from '../../../../src/rules/list-fields.ts';
import {
  type ReviewedField,
  reviewedFields,
  reviewedLineFields,
} from '../../../../src/rules/review/reviewed-fields.ts';
import {
  compareReviewedValues,
  isAcceptable,
  readReviewedValues,
} from '../../../../src/rules/review/reviewed-values.ts';

type Fields = Record<string, unknown>;

const line: Fields = {
  id: 71,
  claim_medical_line_id: 72,
  date_of_service: { start: '2026-01-05', end: '2026-01-06', bounds: '[)' },
  procedure_code: '99213',
  procedure_name: 'Office visit',
  diagnosis_code: 'M25.511',
  national_drug_code: '00093-0058-01',
  quantity: 1,
  days_supply: 30,
  amount_billed: 120.5,
  discount: 20.5,
  amount_allowed: 100,
  amount_paid: 70,
  amount_paid_other: 1,
  amount_not_covered: 2,
  copayment: 20,
  coinsurance_patient: 5,
  reduction: 5,
  patient_responsibility: 30,
  total_patient_responsibility: 31,
  prescription_type_id: 3,
  prescription_type_str: 'Retail',
  vendor_system_id: 'L1',
  uuid: 'u-line',
};
const secondLine: Fields = { ...line, id: 73, procedure_code: '80053', amount_billed: 40 };
const claim: Fields = {
  id: 7,
  status: 'Approved',
  is_incomplete: false,
  amount_billed: 160.5,
  computed_amount_billed: 160.5,
  discount: 20.5,
  amount_allowed: 140,
  computed_amount_allowed: 140,
  amount_paid: 110,
  computed_amount_paid: 110,
  amount_paid_other: 1,
  amount_not_covered: 2,
  reduction: 5,
  computed_reduction: 5,
  copayment: 20,
  computed_copayment: 20,
  coinsurance_patient: 5,
  computed_coinsurance_patient: 5,
  patient_responsibility: 30,
  computed_patient_responsibility: 30,
  incurred_value: 99,
  type: { name: 'Medical', type_id: 2 },
  network: 'IN',
  date_of_service: { start: '2026-01-05', end: '2026-01-06', bounds: '[)' },
  patient_name: 'Dana Cole',
  members: [
    {
      id: 1,
      email: 'd@example.com',
      first_name: 'Dana',
      last_name: 'Cole',
      employer: { id: 4, name: 'North' },
    },
  ],
  service_provider: 'Riverside Imaging',
  service_provider_npi_number: 1234567893,
  service_provider_number: '98-7654321',
  service_provider_address: '1 Main St',
  service_provider_billing_name: 'Riverside Billing',
  service_provider_billing_address: '2 Main St',
  service_provider_billing_number: '11-1111111',
  service_provider_billing_npi_number: 1999999999,
  service_provider_billing_phone: '555-0100',
  claim_medical_lines: [line, secondLine],
  remarks: 'none',
  check_number: 'C1',
  check_date: '2026-02-01',
  eob_date: '2026-02-02',
  processed_on: '2026-02-03',
  vendor_system_id: 'CLM-1',
  group_name: 'Group',
  group_number: 'G1',
  patient_account_number: 'P1',
  patient_payer_number: 'P2',
  policy_holder: { id: 9, first_name: 'Sam', last_name: 'Cole' },
  last_updated_status: '2026-02-04T00:00:00Z',
  uuid: 'u-claim',
  dataobject_id: 5,
  createddate: '2026-01-07T00:00:00Z',
  modifieddate: '2026-01-08T00:00:00Z',
  date_column: '2026-01-09T00:00:00Z',
  recrawl_requested: false,
};

const copy = (): Fields => structuredClone(claim);
const compare = (after: Fields, before: Fields = claim, isMissing = false) =>
  compareReviewedValues(readReviewedValues(before, false), readReviewedValues(after, isMissing));
const reopening = (changes: ReturnType<typeof compare>): string[] =>
  changes.filter(({ effect }) => effect === 'reopen').map(({ name }) => name);
const notedIn = (changes: ReturnType<typeof compare>): string[] =>
  changes.filter(({ effect }) => effect === 'noted').map(({ name }) => name);

/** Another value of the same kind, that no spelling explains. */
function other(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return /^\d{4}-/.test(value) ? `2031${value.slice(4)}` : `${value} other`;
  if (value !== null && typeof value === 'object' && 'start' in value)
    return { ...value, start: '2026-01-03' };
  throw new Error(`nothing else for ${JSON.stringify(value)}`);
}
function setAt(record: Fields, path: string, value: unknown): void {
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) record[head] = value;
  else setAt(record[head] as Fields, rest.join('.'), value);
}
const valueAt = (record: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Fields)[key], record);

const isPlain = ({ comparison }: ReviewedField): boolean =>
  !['provider', 'members', 'lines'].includes(comparison);
const plain = reviewedFields.filter((field) => isPlain(field) && !field.name.startsWith('$'));
const effectOf = (name: string) => reviewedFields.find((field) => field.name === name)?.effect;

test('the table has every field of a claim and of a line, once', () => {
  const inTable = (fields: readonly ReviewedField[]): string[] => fields.flatMap(({ paths }) => paths);
  const sent = (entity: 'claims' | 'lines'): string[] =>
    fieldsOf[entity]
      .filter(
        ({ path, isRaw, isDerived }) =>
          isRaw !== true && (isDerived !== true || path === 'date_of_service') && !path.startsWith('$'),
      )
      .map(({ path }) => path);
  const claimPaths = inTable(reviewedFields);
  expect(claimPaths.toSorted()).toEqual(
    [
      ...sent('claims'),
      'members',
      'claim_medical_lines',
      '$isMissing',
      '$otherClaim',
      '$calculated',
    ].toSorted(),
  );
  expect(inTable(reviewedLineFields).toSorted()).toEqual(
    [...sent('lines'), 'claim_medical_line_id'].toSorted(),
  );
});

test.each(plain.map((field) => [field.label, field] as const))(
  '%s: a change does what the table says',
  (_, field) => {
    const [path = ''] = field.paths;
    const after = copy();
    setAt(after, path, other(valueAt(claim, path)));
    const changes = compare(after);
    if (field.effect === 'ignored') expect(changes).toEqual([]);
    else {
      expect(changes.map(({ name, effect }) => [name, effect])).toEqual([[field.name, field.effect]]);
      expect(compare(claim, after).map(({ name }) => name)).toEqual([field.name]);
    }
    // From a value to none, and back.
    const blank = copy();
    for (const one of field.paths) setAt(blank, one, null);
    const isReopened = field.effect === 'reopen';
    expect(reopening(compare(blank))).toEqual(isReopened ? [field.name] : []);
    expect(reopening(compare(claim, blank))).toEqual(isReopened ? [field.name] : []);
  },
);

test.each(plain.filter(({ paths }) => paths.length === 2).map((field) => [field.label, field] as const))(
  '%s: shown from the first value that is there, else the second',
  (_, field) => {
    const [first = '', second = ''] = field.paths;
    const hidden = copy();
    setAt(hidden, second, other(valueAt(claim, second)));
    expect(reopening(compare(hidden))).toEqual([]);
    const swapped = copy();
    setAt(swapped, first, null);
    setAt(swapped, second, valueAt(claim, first));
    expect(reopening(compare(swapped))).toEqual([]);
    if (second.startsWith('computed_')) expect(notedIn(compare(swapped))).toEqual(['$calculated']);
    const changed = structuredClone(swapped);
    setAt(changed, second, other(valueAt(swapped, second)));
    expect(reopening(compare(changed, swapped))).toEqual([field.name]);
  },
);

test.each(reviewedLineFields.map((field) => [field.label, field] as const))(
  'line, %s: a change does what the table says',
  (_, field) => {
    const [path = ''] = field.paths;
    const after = copy();
    (after.claim_medical_lines as Fields[])[1] = { ...secondLine, [path]: other(secondLine[path]) };
    const changes = compare(after);
    expect(reopening(changes)).toEqual(field.effect === 'reopen' ? ['claim_medical_lines'] : []);
    if (field.effect !== 'reopen') return;
    expect(changes[0]?.lines?.before).toHaveLength(1);
    expect(changes[0]?.lines?.after).toHaveLength(1);
  },
);

test('lines are a set: order does not matter, a line more or less or twice does', () => {
  const withLines = (...lines: Fields[]): Fields => ({ ...copy(), claim_medical_lines: lines });
  expect(compare(withLines(secondLine, line))).toEqual([]);
  expect(reopening(compare(withLines(line)))).toEqual(['claim_medical_lines']);
  expect(reopening(compare(withLines(line, secondLine, secondLine)))).toEqual(['claim_medical_lines']);
  expect(reopening(compare(withLines(line, line), withLines(line, secondLine)))).toEqual([
    'claim_medical_lines',
  ]);
});

test('spaces, capitals, and another notation for the same days are not a change', () => {
  const after = copy();
  Object.assign(after, {
    status: ' approved ',
    patient_name: 'DANA  COLE',
    service_provider: 'riverside imaging',
    remarks: 'NONE',
    date_of_service: { start: '2026-01-05', end: '2026-01-05', bounds: '[]' },
    claim_medical_lines: [{ ...line, procedure_code: ' 99213' }, secondLine],
  });
  expect(compare(after)).toEqual([]);
});

test('a provider is compared by the best identifier that both have', () => {
  const renamed = { ...copy(), service_provider: 'Riverside', service_provider_number: '1' };
  expect(compare(renamed)).toEqual([]);
  expect(reopening(compare({ ...copy(), service_provider_npi_number: 1111111111 }))).toEqual([
    'service_provider',
  ]);
  const withoutNpi = { ...copy(), service_provider_npi_number: null };
  expect(compare(withoutNpi)).toEqual([]);
  expect(reopening(compare({ ...withoutNpi, service_provider_number: '1' }))).toEqual(['service_provider']);
  const nameOnly = { ...withoutNpi, service_provider_number: null };
  expect(compare(nameOnly)).toEqual([]);
  expect(reopening(compare({ ...nameOnly, service_provider: 'Other' }))).toEqual(['service_provider']);
  expect(reopening(compare({ ...nameOnly, service_provider: null }))).toEqual(['service_provider']);
});

test('members are compared by who they are and whom they work for', () => {
  const withMember = (changes: Fields): Fields => ({
    ...copy(),
    members: [{ ...(claim.members as Fields[])[0], ...changes }],
  });
  expect(compare(withMember({ email: 'x', first_name: 'Dan' }))).toEqual([]);
  expect(reopening(compare(withMember({ id: 2 })))).toEqual(['members']);
  expect(compare(withMember({ employer: { id: 5, name: 'South' } }))).toMatchObject([
    { name: 'members', before: 'Dana Cole (North)', after: 'Dana Cole (South)' },
  ]);
  expect(reopening(compare({ ...copy(), members: [] }))).toEqual(['members']);
});

test('a value that is spelled differently is not a change', () => {
  const after = copy();
  Object.assign(after, {
    amount_billed: '160.50',
    is_incomplete: 'false',
    patient_name: 'Dana Co\u0308le',
    service_provider_npi_number: '1234567893',
    service_provider_billing_npi_number: '1999999999',
    service_provider_billing_number: '111111111',
    members: [{ ...(claim.members as Fields[])[0], id: '1', employer: { id: '4', name: 'North' } }],
    claim_medical_lines: [{ ...line, national_drug_code: '00093005801', quantity: '1.0' }, secondLine],
  });
  expect(compare(after, { ...copy(), patient_name: 'Dana C\u00f6le' })).toEqual([]);
  const withoutNpi = { ...copy(), service_provider_npi_number: null };
  expect(compare({ ...withoutNpi, service_provider_number: '987654321' })).toEqual([]);
});

test('members and employers without an ID are compared by name', () => {
  const member = (id: number | null, first_name: string, employer: Fields | null): Fields => ({
    id,
    first_name,
    last_name: 'Cole',
    employer,
  });
  const withMembers = (...members: Fields[]): Fields => ({ ...copy(), members });
  const north = { id: 4, name: 'North' };
  const namesOnly = withMembers(member(null, 'Dana', { id: null, name: 'North' }));
  expect(compare(withMembers(member(null, 'dana ', { id: null, name: 'NORTH' })), namesOnly)).toEqual([]);
  expect(
    reopening(compare(withMembers(member(null, 'Lee', { id: null, name: 'North' })), namesOnly)),
  ).toEqual(['members']);
  expect(
    reopening(compare(withMembers(member(null, 'Dana', { id: null, name: 'South' })), namesOnly)),
  ).toEqual(['members']);
  // A member ID that came or went changes the claim's family.
  expect(reopening(compare(namesOnly))).toEqual(['members']);
  expect(reopening(compare(copy(), namesOnly))).toEqual(['members']);
  // The order does not matter; a name matches one member only.
  const two = withMembers(member(1, 'Dana', north), member(null, 'Lee', north));
  expect(compare(withMembers(member(null, 'Lee', north), member(1, 'Dana', north)), two)).toEqual([]);
  expect(reopening(compare(withMembers(member(1, 'Dana', north), member(null, 'Dana', north)), two))).toEqual(
    ['members'],
  );
  const twice = withMembers(member(1, 'Dana', north), member(2, 'Dana', north));
  expect(
    reopening(compare(withMembers(member(null, 'Dana', north), member(1, 'Dana', north)), twice)),
  ).toEqual(['members']);
});

test('a claim that the service no longer returns is a change, and so is its return', () => {
  expect(reopening(compare(claim, claim, true))).toEqual(['$isMissing']);
  const back = compareReviewedValues(readReviewedValues(claim, true), readReviewedValues(claim, false));
  expect(reopening(back)).toEqual(['$isMissing']);
  expect(effectOf('$isMissing')).toBe('reopen');
});

test('accepting at once skips what changed for the patient', () => {
  expect(isAcceptable(compare({ ...copy(), amount_billed: 170, computed_amount_billed: 170 }))).toBe(true);
  for (const changed of [{ status: 'Rejected' }, { patient_name: 'Lee' }, { patient_responsibility: 31 }])
    expect(isAcceptable(compare({ ...copy(), ...changed }))).toBe(false);
  expect(isAcceptable(compare(claim, claim, true))).toBe(false);
});

test('calculated amounts are listed in the order in which 0.2 stored them, so that none seems to have changed', () => {
  const blank = copy();
  for (const name of ['amount_billed', 'reduction', 'copayment', 'coinsurance_patient'])
    setAt(blank, name, null);
  const { fields } = readReviewedValues(blank, false);
  expect(fields.$calculated).toBe('Billed, Deductible, Copay, Coinsurance');
});
