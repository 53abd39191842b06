import { describe, expect, it } from 'vitest';
import { formatCode } from '../../../../src/contract/code-labels.ts';
import {
  formatSsn,
  formatTimeLeft,
  formatUnknown,
  formatValue,
} from '../../../../src/renderer/lib/format-value.ts';
import { formatCountOf } from '../../../../src/rules/count.ts';

describe('formatValue', () => {
  it('shows each kind as people read it', () => {
    expect(formatValue(12.5, 'money')).toBe('$12.50');
    expect(formatValue('2025-09-15', 'date')).toBe('09/15/2025');
    expect(formatValue(true, 'boolean')).toBe('Yes');
    expect(formatValue(false, 'boolean')).toBe('No');
    expect(formatValue(21268, 'id')).toBe('21268');
    expect(formatValue('9007199254740993', 'integer')).toBe('9007199254740993');
    expect(formatValue(0, 'number')).toBe('0');
  });

  it('shows a dash for missing values of every kind', () => {
    for (const kind of ['id', 'integer', 'number', 'money', 'text', 'boolean', 'date', 'dateTime'] as const) {
      expect(formatValue(null, kind)).toBe('–');
      expect(formatValue(undefined, kind)).toBe('–');
    }
  });
});

describe('formatSsn', () => {
  it('never shows a whole number, even if it receives one', () => {
    expect(formatSsn('•••-••-1234')).toBe('•••-••-1234');
    expect(formatSsn('123-45-6789')).toBe('•••-••-6789');
    expect(formatSsn('123456789')).toBe('•••-••-6789');
    expect(formatSsn(null)).toBe('–');
  });
});

describe('formatTimeLeft', () => {
  it.each([
    [3, 'a few seconds left'],
    [41, 'about 50 seconds left'],
    [60, 'about 1 minute left'],
    [200, 'about 3 minutes left'],
    [7200, 'about 2 hours left'],
  ])('%s seconds: %s', (seconds, text) => {
    expect(formatTimeLeft(seconds)).toBe(text);
  });
});

it('counts one and many', () => {
  expect(formatCountOf(1, 'claim')).toBe('1 claim');
  expect(formatCountOf(2000, 'claim')).toBe('2,000 claims');
});

it('distinguishes null from missing in unknown fields', () => {
  expect(formatUnknown(null)).toBe('null');
  expect(formatUnknown(undefined)).toBe('–');
  expect(formatUnknown({ a: 1 })).toContain('"a": 1');
});

describe('codes of the service', () => {
  it.each([
    ['type.name', 'rx', 'Rx'],
    ['type.name', 'medical', 'Medical'],
    ['network', 'IN', 'In-network'],
    ['network', 'OUT', 'Out-of-network'],
    ['network', 'TIER1', 'Tier 1'],
    ['relationship', 'domestic partner', 'Domestic partner'],
    ['prescription_type_str', 'mail order', 'Mail order'],
  ])('%s %s is read as %s', (path, value, text) => {
    expect(formatCode(path, value)).toBe(text);
  });

  it.each([
    ['network', 'TIER9'],
    ['network', 'in'],
    ['network', 'toString'],
    ['patient_name', 'IN'],
    ['__proto__', 'IN'],
    ['network', null],
    ['network', 3],
  ])('%s %s is unchanged', (path, value) => {
    expect(formatCode(path, value)).toBe(value);
  });
});

it('direction marks are shown, not obeyed, in known and unknown fields', () => {
  expect(formatValue('Ann\u202eeoJ', 'text')).toBe('Ann[U+202E]eoJ');
  expect(formatUnknown('Ann\u2066eoJ')).toBe('Ann[U+2066]eoJ');
});
