import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeCondition } from '../../../../../src/contract/filter-words.ts';
import { readCondition } from '../../../../../src/main/engine/store/query/conditions.ts';
import {
  type FilterField,
  filterFields,
  findFilterField,
  formatFilterValue,
  operatorsOf,
  readValues,
  valueCount,
} from '../../../../../src/renderer/domain/list/describe-filter.ts';
import { entities } from '../../../../../src/rules/list-fields.ts';
import { conditionSchema } from '../../../../../src/rules/query.ts';

const fieldOf = (entity: (typeof entities)[number], path: string): FilterField => {
  const field = findFilterField(entity, path);
  if (field === undefined) throw new Error(`${entity} has no ${path}`);
  return field;
};
const samples: Record<FilterField['kind'], string> = {
  id: '12',
  integer: '3',
  number: '1.5',
  money: '$1,250.50',
  text: 'Ada',
  boolean: 'true',
  date: '2025-09-15',
  dateTime: '2025-09-15',
  dateRange: '2025-09-15',
};

describe('readValues', () => {
  it('turns every operator of every column into a condition that the engine accepts', () => {
    for (const field of entities.flatMap(filterFields)) {
      for (const operator of operatorsOf(field)) {
        const typed = Array.from({ length: valueCount(operator) ?? 1 }, () => samples[field.kind]);
        const values = readValues(field, operator, typed);
        expect(values, `${field.path} ${operator}`).not.toBeNull();
        const condition = conditionSchema.parse({ field: field.path, operator, values });
        if (!field.isSsn) expect(() => readCondition(field.kind, condition)).not.toThrow();
      }
    }
  });

  it('reads amounts exactly, and refuses others', () => {
    const billed = fieldOf('claims', 'amount_billed');
    expect(readValues(billed, 'atLeast', ['$1,500.2501'])).toEqual(['1500.2501']);
    expect(readValues(billed, 'is', ['−20'])).toEqual(['-20']);
    for (const text of ['', 'abc', '1.23456', '12 dollars']) {
      expect(readValues(billed, 'atLeast', [text]), text).toBeNull();
    }
    expect(readValues(billed, 'between', ['1'])).toBeNull();
  });

  it('keeps every amount with four decimals to the last digit', () => {
    const billed = fieldOf('claims', 'amount_billed');
    fc.assert(
      fc.property(fc.bigInt({ min: -999999999999n, max: 999999999999n }), (amount) => {
        const digits = (amount < 0n ? -amount : amount).toString().padStart(5, '0');
        const text = `${amount < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
        const [value] = readValues(billed, 'is', [text]) ?? [];
        const [whole = '', fraction = ''] = String(value).replace('-', '').split('.');
        const back = BigInt(whole + fraction.padEnd(4, '0')) * (String(value).startsWith('-') ? -1n : 1n);
        expect(back).toBe(amount);
      }),
    );
  });

  it('requires days of the calendar, and a value if one is asked for', () => {
    for (const path of ['date_of_service', 'date_of_service.first_day']) {
      const days = fieldOf('claims', path);
      expect(readValues(days, 'between', ['2025-09-01', '2025-09-30'])).toEqual(['2025-09-01', '2025-09-30']);
      expect(readValues(days, 'atLeast', ['2025-'])).toBeNull();
    }
    expect(readValues(fieldOf('claims', 'status'), 'isOneOf', [])).toBeNull();
    expect(readValues(fieldOf('claims', 'status'), 'isEmpty', ['x'])).toEqual([]);
  });
});

describe('describeCondition', () => {
  it.each([
    ['status', 'isOneOf', ['Rejected'], 'Status is Denied'],
    ['status', 'isOneOf', ['Rejected', 'Processed'], 'Status is Denied or Processed'],
    ['status', 'isOneOf', ['A', 'B', 'C', 'D'], 'Status is A, B or 2 more'],
    ['amount_billed', 'atLeast', ['1500'], 'Billed at least $1,500.00'],
    ['date_of_service', 'between', ['2025-09-01', '2025-09-30'], 'Dates of service 09/01/2025 – 09/30/2025'],
    ['date_of_service', 'lessThan', ['2025-09-01'], 'Dates of service before 09/01/2025'],
    ['date_of_service.last_day', 'is', ['2025-09-01'], 'Service end on 09/01/2025'],
    ['patient_name', 'contains', ['ada'], 'Patient contains “ada”'],
    ['is_incomplete', 'is', [true], 'Incomplete is yes'],
    ['check_number', 'isEmpty', [], 'Check number is blank'],
    ['network', 'isOneOf', ['IN', 'TIER1'], 'Network is In-network or Tier 1'],
    ['network', 'contains', ['IN'], 'Network contains “IN”'],
  ] as const)('says %s %s %j', (path, operator, values, words) => {
    const field = fieldOf('claims', path);
    const condition = { field: path, operator, values: [...values] };
    expect(describeCondition(field, condition, (value) => formatFilterValue(field, value))).toBe(words);
  });

  it('shows the name if an ID has one', () => {
    const condition = { field: 'members.employer.id', operator: 'is' as const, values: [7] };
    expect(describeCondition(fieldOf('claims', 'members.employer.id'), condition, () => 'Tessel')).toBe(
      'Employer is Tessel',
    );
  });
});
