import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileRule } from '../../../../../../src/main/engine/store/query/meets-rule.ts';
import { ruleFields } from '../../../../../../src/rules/decide/rule-fields.ts';
import type { Condition } from '../../../../../../src/rules/query.ts';
import type { ReviewedValues } from '../../../../../../src/rules/review/reviewed-values.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns, seedFrom } from '../../../../../support/seeds.ts';

const blankOr = <T>(values: readonly T[]) => fc.constantFrom(null, ...values);
const texts = ['IN', 'OUT', 'Out of network 50%', 'a_b', 'in', ''] as const;
const amounts = [0, 20, 50, 50.01, 50.0001, '20.50', '$1,200.00', 'n/a', -5];
const days = ['2026-01-31', '2026-02-01', '2026-02-01T08:00:00Z', '2026-03-15'];
const name = fc.constantFrom('Acme', 'Beta Works', '', ' Acme ');

const claim = fc.record({
  status: blankOr(['Processed', 'Adjusted']),
  network: blankOr(texts),
  remarks: blankOr(texts),
  is_incomplete: blankOr([true, false]),
  copayment: blankOr(amounts),
  computed_copayment: blankOr([7, 50]),
  patient_responsibility: blankOr(amounts),
  processed_on: blankOr(days),
  service_provider: blankOr(texts),
  service_provider_npi_number: blankOr([1_234_567_893, '1234567893', 42]),
  type: fc.constantFrom(null, { name: 'medical', type_id: 1 }, { name: null, type_id: 2 }),
  date_of_service: fc.constantFrom(
    null,
    { bounds: '[)', start: '2026-02-01', end: '2026-02-03' },
    { bounds: '[]', start: '2026-01-01', end: null },
  ),
  members: fc.array(
    fc.record({
      id: fc.integer({ min: 1, max: 3 }),
      first_name: name,
      last_name: name,
      employer: fc.record({ id: fc.integer({ min: 1, max: 3 }), name }),
    }),
    { maxLength: 2 },
  ),
});

const values = {
  money: [0, 20, 50, '50.01', 50.0001, 1200],
  date: ['2026-02-01', '2026-01-31', '2026-03-01'],
  dateRange: ['2026-02-01', '2026-02-02', '2026-03-01'],
  boolean: [true, false],
  integer: [42, 1_234_567_893],
  text: ['IN', 'in', '50%', '_', 'Acme', 'medical', 'a', 'Beta Works'],
} as const;
const tested =
  'status network remarks is_incomplete copayment patient_responsibility processed_on service_provider service_provider_npi_number type.name date_of_service date_of_service.first_day members.employer.name'.split(
    ' ',
  );

const condition: fc.Arbitrary<Condition> = fc.constantFrom(...tested).chain((field) => {
  const kind = (ruleFields.find(({ path }) => path === field)?.kind ?? 'text') as keyof typeof values;
  const value = fc.constantFrom<string | number | boolean>(...values[kind]);
  const isSearched = kind === 'text' || kind === 'date';
  const one = fc.constantFrom<Condition['operator']>(
    ...(['is', 'isNot', 'atLeast', 'atMost', 'moreThan', 'lessThan'] as const),
    ...(isSearched ? (['contains', 'startsWith'] as const) : []),
  );
  const several = kind === 'dateRange' ? fc.constant('isNotEmpty' as const) : fc.constant('isOneOf' as const);
  return fc.oneof(
    fc.record({ field: fc.constant(field), operator: one, values: value.map((only) => [only]) }),
    fc.record({
      field: fc.constant(field),
      operator: several,
      values: fc.array(value, kind === 'dateRange' ? { maxLength: 0 } : { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      field: fc.constant(field),
      operator: fc.constant('between' as const),
      values: fc.tuple(value, value),
    }),
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom<Condition['operator']>('isEmpty', 'isNotEmpty'),
      values: fc.constant<(string | number)[]>([]),
    }),
  );
});

it('a rule matches the claims in a list with its condition, but none whose column is blank', () => {
  fc.assert(
    fc.property(
      fc.array(claim, { minLength: 1, maxLength: 6 }),
      fc.array(condition, { minLength: 1, maxLength: 8 }),
      (claims, conditions) => {
        const store = openTestStore();
        store.ingest(
          'claims',
          claims.map((one, index) => ({ id: index + 1, ...one })),
        );
        const ids = claims.map((_one, index) => index + 1);
        const read = new Map(
          store.read
            .readReviewedClaims({ claimIds: ids })
            .map(({ claimId, reviewed }) => [claimId, JSON.parse(reviewed) as ReviewedValues]),
        );
        for (const one of conditions) {
          const meets = compileRule({ conditions: [one], employers: [] });
          const listed = new Set(store.list({ entity: 'claims', conditions: [one], includesMissing: true }));
          const isBlank: Condition = { field: one.field, operator: 'isEmpty', values: [] };
          const blank = new Set(
            store.list({ entity: 'claims', conditions: [isBlank], includesMissing: true }),
          );
          for (const id of ids) {
            const own = read.get(id) as ReviewedValues;
            const expected = blank.has(id) ? one.operator === 'isEmpty' : listed.has(id);
            expect([id, one, meets(own)]).toEqual([id, one, expected]);
          }
        }
      },
    ),
    { numRuns: fuzzRuns(40), seed: seedFrom(4848) },
  );
});

it('no column of a rule identifies a person or one claim', () => {
  const paths = ruleFields.map(({ path }) => path);
  for (const path of ['members.name', 'patient_name', 'policy_holder.last_name', 'patient_account_number'])
    expect(paths).not.toContain(path);
  for (const path of ['patient_payer_number', 'vendor_system_id', 'id', 'uuid'])
    expect(paths).not.toContain(path);
  expect(paths).toContain('members.employer.name');
});

it('employers, and all conditions together, decide', () => {
  const own: ReviewedValues = {
    fields: { network: 'IN', copayment: 20 },
    members: [{ id: 1, name: 'Ada', employerId: 3, employer: 'Acme' }],
    provider: { npi: null, tin: null, name: null },
    lines: [],
  };
  const inNetwork: Condition = { field: 'network', operator: 'is', values: ['IN'] };
  const small: Condition = { field: 'copayment', operator: 'lessThan', values: [20] };
  const meets = (conditions: Condition[], employers: number[]) => compileRule({ conditions, employers })(own);
  expect(meets([inNetwork], [])).toBe(true);
  expect(meets([inNetwork], [3, 4])).toBe(true);
  expect(meets([inNetwork], [4])).toBe(false);
  expect(meets([inNetwork, small], [])).toBe(false);
  expect(() =>
    compileRule({ conditions: [{ field: 'facts.open', operator: 'isEmpty', values: [] }], employers: [] }),
  ).toThrow(expect.objectContaining({ code: 'query.invalid' }));
});
