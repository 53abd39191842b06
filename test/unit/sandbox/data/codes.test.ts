import { describe, expect, it } from 'vitest';
import { CLAIM_TYPES, DIAGNOSES, DRUGS, npiFrom, PROCEDURES } from '../../../../src/sandbox/data/codes.ts';

describe('npiFrom', () => {
  it('gives the check digit of the published example (123456789 → 1234567893)', () => {
    expect(npiFrom(123_456_789)).toBe(1_234_567_893);
  });

  it('always passes the Luhn check over 80840', () => {
    for (let body = 100_000_000; body < 300_000_000; body += 1_234_567) {
      const digits = [...`80840${npiFrom(body)}`].map(Number).reverse();
      const sum = digits.reduce((total, digit, place) => {
        const value = place % 2 === 1 ? digit * 2 : digit;
        return total + (value > 9 ? value - 9 : value);
      }, 0);
      expect(sum % 10).toBe(0);
    }
  });
});

describe('code lists', () => {
  it('contain no CPT (five digits) and no CDT (D and four digits) code', () => {
    const codes = Object.values(PROCEDURES)
      .flat()
      .map(([code]) => code);
    expect(codes.length).toBeGreaterThan(40);
    for (const code of codes) expect(code).toMatch(/^[ACEGHJLPQSTV]\d{4}$/);
  });

  it('list each procedure once', () => {
    const codes = Object.values(PROCEDURES)
      .flat()
      .map(([code]) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('have the forms of ICD-10-CM and of an 11-digit NDC', () => {
    for (const code of Object.values(DIAGNOSES).flat())
      expect(code).toMatch(/^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/);
    for (const [code] of DRUGS) expect(code).toMatch(/^\d{5}-\d{4}-\d{2}$/);
  });

  it('cover every claim type', () => {
    expect(CLAIM_TYPES.map((type) => type.type_id)).toEqual([1, 2, 3, 4, 5]);
    for (const { name } of CLAIM_TYPES) expect(DIAGNOSES[name].length).toBeGreaterThan(3);
  });
});
