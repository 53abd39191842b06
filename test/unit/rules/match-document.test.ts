import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CandidateClaim, rankClaims, readDocumentFacts } from '../../../src/rules/match-document.ts';

const claim = (claimId: number, values: Partial<CandidateClaim> = {}): CandidateClaim => ({
  claimId,
  number: null,
  patient: 'POWELL, ERIC',
  providers: ['Nelson Orthopedics & Sports', null],
  days: '2025-10-28/2025-10-28',
  amounts: [482_000, 250_000],
  ...values,
});
const receipt = `Nelson Orthopedics & Sports
RECEIPT  printed 11/28/2026
Patient: Eric J. Powell   Date of service: 10/28/2025
Total $48.20`;
const match = (text: string, ...claims: CandidateClaim[]) => rankClaims(readDocumentFacts(text), claims);

test('reads days, amounts and numbers in the forms of documents', () => {
  const facts = readDocumentFacts(
    'On 2025-01-02, 1/3/25, 01-04-2025, Jan 5, 2025, January 6th, 2025, 7 Feb. 2025, not 13/45/2025 or 2025-02-30. ' +
      '$1,234.56, 48.20, 0.00, 1.234.56 and 7.5. Claim no. 42, claim C000097632-01, e40683424, phone 614-555-0132.',
  );
  expect(facts.days.toSorted()).toEqual([
    ...['2025-01-02', '2025-01-03', '2025-01-04', '2025-01-05', '2025-01-06', '2025-02-07'],
  ]);
  expect(facts.amounts).toEqual([12_345_600, 482_000]);
  expect(facts.numbers).toEqual(expect.arrayContaining(['42', 'C000097632-01', 'E40683424']));
});

test.each([
  ['Patient Eric Powell', 'Eric Powell'],
  ['patient: ERIC POWELL, born', 'Eric Powell'],
  ['Powell, Eric', 'Eric Powell'],
  ['Eric Powell', 'POWELL, ERIC'],
  ['Eric J. Powell', 'Eric Powell'],
  ['POWELL ERIC J', 'Powell, Eric J'],
  ['Maria De La Cruz', 'De La Cruz, Maria'],
  ["Ann O'Neil", "O'NEIL, ANN"],
])('%s is searched as %s', (text, stored) => {
  expect(readDocumentFacts(text).names).toContain(stored);
});

test('a receipt is matched by patient, day, amount and provider, and shows that', () => {
  expect(match(receipt, claim(7))).toEqual([
    { claimId: 7, isByNumber: false, says: 'Patient, day, $48.20, provider agree' },
  ]);
  expect(match(receipt, claim(7, { days: '2025-10-27/2025-10-27' }))[0]?.says).toBe(
    'Patient, $48.20, provider agree; day differs',
  );
  expect(
    match(`${receipt}\nClaim # C000097632`, claim(7, { number: 'C000097632-01', patient: 'Ann Lee' })),
  ).toEqual([
    { claimId: 7, isByNumber: true, says: 'Claim number, day, $48.20, provider agree; patient differs' },
  ]);
});

test('one fact alone, or only the provider with one, is not a match', () => {
  const other = { patient: 'Ann Lee', providers: [], days: null, amounts: [] };
  expect(match(receipt, claim(1, { ...other, patient: 'Eric Powell' }))).toEqual([]);
  expect(
    match(receipt, claim(1, { ...other, amounts: [482_000], providers: ['Nelson Orthopedics'] })),
  ).toEqual([]);
  expect(match('Eric saw Dr. Lee with five others, and Powell', claim(1))).toEqual([]);
  expect(match('', claim(1, { number: '', patient: '', days: '' }))).toEqual([]);
});

test('a day within the days of a claim agrees, even if its end is open', () => {
  const days = (text: string) => match(receipt, claim(1, { days: text }))[0]?.says.includes('day,');
  expect(days('2025-10-01/2025-10-31')).toBe(true);
  expect(days('2025-10-28/..')).toBe(true);
  expect(days('2025-10-29/2025-10-31')).toBe(false);
});

const bare = { patient: null, providers: [], days: null, amounts: [] };

test.each([
  ['Patient account 104417  Invoice 220418 Zip 432150001', 104417],
  ['SSN 123456789', 123456789],
  ['Total due $123456.78', 123456],
  ['Claim no. 123456.78', 123456],
  ['Printed 112825', 112825],
  ['We received your claim 2 weeks ago. Claim 14 days', 2],
  ['We received your claim 2 weeks ago. Claim 14 days', 14],
])('%s does not name claim %d', (text, claimId) => {
  expect(match(text, claim(claimId, bare))).toEqual([]);
});

test('the ID of a claim counts after "claim number", and a short one after "claim" if something else agrees', () => {
  for (const text of ['Claim number 7', 'claim no. 7,', 'Claim #7.', 'CLAIM ID: 7 of 3'])
    expect(match(text, claim(7, bare)), text).toMatchObject([{ isByNumber: true }]);
  expect(match('Explanation of benefits, claim 40002793', claim(40_002_793, bare))).toHaveLength(1);
  expect(match('Claim 7', claim(7))).toEqual([]);
  expect(match('Claim 7 of 10/28/2025', claim(7))).toMatchObject([{ isByNumber: true }]);
});

test.each([
  ['Claim number C000097632-02', 'C000097632-01', false],
  ['Claim number CLM-2025-002', 'CLM-2025-001', false],
  ['Claim number 12-3', '12-4', false],
  ['Phone 614-555-013', '614-555', false],
  ['Claim number C000097632', 'C000097632-01', true],
  ['Claim number C000097632-01', 'C000097632', true],
])('%s is the number %s: %s', (text, number, isSame) => {
  expect(match(text, claim(7, { ...bare, number })).length === 1).toBe(isSame);
});

test.each([
  ['Thomas paid', 'Thomas Thomas', false],
  ['You will pay this; may we help?', 'MAY, WILL', false],
  ['Grant price of visit', 'Price, Grant', false],
  ['Patient: Ann Powell, subscriber Eric Smith', 'POWELL, ERIC', false],
  ['Patient: Eric Powell Jr', 'POWELL SR, ERIC', false],
  ['Patient: Eric Powell Jr', 'POWELL JR, ERIC', true],
  ['Patient: Eric Powell', 'POWELL SR, ERIC', true],
  ['Patient: Thomas Thomas', 'Thomas Thomas', true],
  ['Patient: E. Powell', 'E Powell', true],
  ['Patient: Jose\u0301 Nu\u0301n\u0303ez', 'NUNEZ, JOSE', true],
])('%s names %s: %s', (text, patient, isNamed) => {
  const values = { ...bare, patient, days: '2025-10-28/2025-10-28' };
  expect(match(`${text} 10/28/2025`, claim(7, values)).length === 1).toBe(isNamed);
});

test('codes and versions are not amounts, and only months have the names of months', () => {
  const facts = readDocumentFacts(
    'Dx E11.65, M54.50, Z00.01, ver 12.31, Version 4.20, 12 Marion 2025, Sept. 3, 2025',
  );
  expect(facts.amounts).toEqual([]);
  expect(facts.days).toEqual(['2025-09-03']);
});

test('a claim without days and amounts differs in neither', () => {
  expect(match('Claim number 7 of 10/28/2025, $48.20', claim(7, bare))[0]?.says).toBe('Claim number agrees');
});

const texts = fc.array(
  fc.oneof(fc.string(), fc.constantFrom(...receipt.split(' '), 'Claim', '$12.00', '10/28/2025')),
);
const claims = fc.array(
  fc.record({
    number: fc.option(fc.constantFrom('C1', 'C000097632', 'X9')),
    patient: fc.option(fc.constantFrom('Eric Powell', 'POWELL, ERIC', 'Ann Lee', '')),
    days: fc.option(fc.constantFrom('2025-10-28/2025-10-28', '2025-10-01/..')),
    amounts: fc.array(fc.option(fc.constantFrom(482_000, 120_000, 0)), { maxLength: 4 }),
  }),
  { maxLength: 8 },
);

const numbers = fc.constantFrom('K55667788', 'ab12-345678', '2026/000123-01', 'x_88_7766', '1.23.456');

test('the claim whose number is in a text is first, whatever else it says and however claims are ordered', () => {
  fc.assert(
    fc.property(texts, texts, claims, numbers, (before, after, others, number) => {
      const all = [...others.map((values, at) => claim(900_000 + at, values)), claim(77, { number })];
      const text = [...before, number, ...after].join(' ');
      expect(readDocumentFacts(text).numbers).toContain(number);
      const ranked = match(text, ...all);
      expect(ranked[0]).toMatchObject({ claimId: 77, isByNumber: true });
      expect(match(text, ...all.toReversed())).toEqual(ranked);
      expect(ranked.length).toBeLessThanOrEqual(3);
    }),
  );
});

test('no text takes long', () => {
  for (const part of [
    'claim ',
    ' ',
    '\n',
    '1,',
    '1.23.',
    'Eric ',
    'A-',
    '12/',
    'x',
    '\u0301',
    '\u0316\u0301',
    'claim no ',
    'A\u0316',
    'Claim#:',
    '1-1',
  ]) {
    const text = `${part.repeat(200_000 / part.length)} Powell`;
    const from = performance.now();
    match(text, claim(1));
    expect(performance.now() - from, part).toBeLessThan(2_000);
  }
});
