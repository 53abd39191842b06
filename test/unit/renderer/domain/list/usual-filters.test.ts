import { describe, expect, test } from 'vitest';
import { groupings } from '../../../../../src/renderer/domain/list/describe-group.ts';
import { findFilterFields, topicOf } from '../../../../../src/renderer/domain/list/filter-topics.ts';
import {
  toggleCondition,
  toggleValue,
  usualAmounts,
  usualColumns,
  usualDates,
} from '../../../../../src/renderer/domain/list/usual-filters.ts';
import type { Condition } from '../../../../../src/rules/query.ts';

const days = (today: string, planYearStart = 1) =>
  Object.fromEntries(
    usualDates('claims', today, planYearStart).map(({ label, condition }) => [label, condition.values]),
  );

describe('usual dates', () => {
  test('are days before today, both ends included', () => {
    expect(days('2026-11-22')).toEqual({
      'This plan year': ['2026-01-01', '2026-12-31'],
      'Last 30 days': ['2026-10-24', '2026-11-22'],
      'Last quarter': ['2026-07-01', '2026-09-30'],
    });
  });

  test('the quarter before the first of a year is in the previous year', () => {
    expect(days('2026-02-01')['Last quarter']).toEqual(['2025-10-01', '2025-12-31']);
  });

  test('a plan year begins in the month that is set, which may be in the previous year', () => {
    expect(days('2026-03-05', 7)['This plan year']).toEqual(['2025-07-01', '2026-06-30']);
    expect(days('2026-07-01', 7)['This plan year']).toEqual(['2026-07-01', '2027-06-30']);
    expect(days('2026-12-31', 12)['This plan year']).toEqual(['2026-12-01', '2027-11-30']);
  });

  test('lists without dates of service or amounts have none', () => {
    expect(usualDates('members', '2026-11-22', 1)).toEqual([]);
    expect(usualAmounts('dependents')).toEqual([]);
    expect(usualAmounts('lines')).not.toEqual([]);
  });
});

test('claim lines have types and employers ready to press, and are grouped by them', () => {
  const paths = ['type.name', 'members.employer.id'];
  expect(usualColumns('lines').map(({ path }) => path)).toEqual(paths);
  expect(groupings.lines.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
});

const rejected: Condition = { field: 'status', operator: 'isOneOf', values: ['Rejected'] };
const over = (dollars: string): Condition => ({
  field: 'amount_billed',
  operator: 'moreThan',
  values: [dollars],
});

describe('pressing', () => {
  test('another amount replaces the previous one; the same again removes it', () => {
    expect(toggleCondition([rejected, over('100')], over('500'))).toEqual([rejected, over('500')]);
    expect(toggleCondition([over('500'), rejected], over('500'))).toEqual([rejected]);
  });

  test('another value is added to the filter', () => {
    const both = { ...rejected, values: ['Rejected', 'Adjusted'] };
    expect(toggleValue([rejected, over('1')], 'status', 'Adjusted')).toEqual([both, over('1')]);
    expect(toggleValue([both], 'status', 'Adjusted')).toEqual([rejected]);
    expect(toggleValue([rejected, over('1')], 'status', 'Rejected')).toEqual([over('1')]);
    expect(toggleValue([{ ...rejected, operator: 'is' }], 'status', 'Rejected')).toEqual([]);
    expect(toggleValue([{ field: 'status', operator: 'isEmpty', values: [] }], 'status', 'Rejected')).toEqual(
      [rejected],
    );
  });
});

describe('topics', () => {
  test.each([
    ['patient_name', 'text', 'People'],
    ['members.employer.id', 'id', 'People'],
    ['date_of_birth', 'date', 'People'],
    ['amount_billed', 'money', 'Money'],
    ['date_of_service.month', 'text', 'Dates'],
    ['eob_date', 'date', 'Dates'],
    ['status', 'text', 'Status'],
    ['diagnosis_code', 'text', 'Codes'],
    ['network', 'text', 'Provider'],
    ['service_provider_npi_number', 'integer', 'Provider'],
    ['check_number', 'text', 'Identifiers'],
    ['$claim_id', 'id', 'Identifiers'],
    ['something_new', 'text', 'More'],
  ] as const)('%s is about %3$s', (path, kind, topic) => {
    expect(topicOf({ path, kind })).toBe(topic);
  });

  test('every column of claims is found in one topic, and by a part of its label', () => {
    const all = findFilterFields('claims', '').flatMap(({ fields }) => fields.map(({ path }) => path));
    expect(new Set(all).size).toBe(all.length);
    expect(all).toContain('members.employer.id');
    expect(findFilterFields('claims', 'npi').map(({ topic }) => topic)).toEqual(['Provider']);
    expect(findFilterFields('claims', 'mone')[0]?.topic).toBe('Money');
    expect(findFilterFields('claims', 'zzz')).toEqual([]);
  });
});

test.each(['claims', 'lines', 'members', 'dependents'] as const)(
  'no two columns of %s are offered under one name',
  (entity) => {
    const labels = findFilterFields(entity, '').flatMap(({ fields }) => fields.map(({ label }) => label));
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
  },
);
