import { expect, onTestFinished, test, vi } from 'vitest';
import { columnName, createSheet, escapeText } from '../../../../../src/main/engine/export/sheet-xml.ts';

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %i is %s', (index, name) => {
  expect(columnName(index)).toBe(name);
});

test.each([
  ['plain', 'plain'],
  ['<a> & "b"', '&lt;a&gt; &amp; "b"'],
  ['a\u0001\u009b\u007f', 'a\ufffd\ufffd\ufffd'],
  ['Ann\u202eeoJ', 'Ann[U+202E]eoJ'],
  ['_x0041_', '_x005F_x0041_'],
  ['a\r\nb', 'a_x000D_\nb'],
  ['\ud800', '\ufffd'],
])('%j is written %j', (text, xml) => {
  expect(escapeText(text)).toBe(xml);
});

test('a text too long for a cell is cut and counted; a date before Excel’s first stays text', () => {
  const sheet = createSheet([
    { path: 'a', label: 'A', kind: 'text' },
    { path: 'b', label: 'B', kind: 'date' },
  ]);
  const xml = sheet.write([['x'.repeat(40_000), '1899-12-31']]);
  expect(xml).toContain(`<t>${'x'.repeat(32_767)}</t>`);
  expect(xml).toContain('<t>1899-12-31</t>');
  expect(sheet.countCut()).toBe(1);
});

test('the last row adds up the rows that a filter shows; the filter itself ends above it', () => {
  const sheet = createSheet([
    { path: 'a', label: 'A', kind: 'money' },
    { path: 'b', label: 'B', kind: 'text' },
    { path: 'c', label: 'C', kind: 'money' },
  ]);
  sheet.write([
    [125_000, 'x', null],
    [5_000, 'y', null],
  ]);
  const end = sheet.end(new Map([['a', '13']]));
  expect(end).toContain('<c r="A4" s="8"><f>SUBTOTAL(109,A2:A3)</f><v>13</v></c>');
  expect(end).toMatch(/<c r="B4"[^>]*><is><t[^>]*>Total</);
  expect(end).not.toContain('r="C4"');
  expect(end).toContain('<autoFilter ref="A1:C3"/>');
  expect(createSheet([{ path: 'b', label: 'B', kind: 'text' }]).end(new Map())).not.toContain('<row');
});

test('codes are the words of the screen', () => {
  const sheet = createSheet([
    { path: 'claim.network', label: 'Network', kind: 'text' },
    { path: 'review.outcome', label: 'Outcome', kind: 'text' },
  ]);
  const xml = sheet.write([
    ['OUT', 'partlyEligible'],
    ['OTHER', null],
  ]);
  expect([...xml.matchAll(/<t>([^<]*)<\/t>/g)].map(([, text]) => text)).toEqual([
    'Out-of-network',
    'Partly eligible',
    'OTHER',
  ]);
});

test('names of people are in the form of the screen, even several in a cell; other texts as they were sent', () => {
  const sheet = createSheet([
    { path: 'claim.patient_name', label: 'Patient', kind: 'text' },
    { path: 'members.name', label: 'Member', kind: 'text', isMany: true },
    { path: 'service_provider', label: 'Provider', kind: 'text' },
  ]);
  const row = ['EDWARDS, MARGARET', 'DIAZ, ANA; van der Berg, Lee', 'SUMMIT RIDGE, PA'];
  const xml = sheet.write([row, row, [null, null, null]]);
  const shown = ['Margaret Edwards', 'Ana Diaz; Lee van der Berg', 'SUMMIT RIDGE, PA'];
  expect([...xml.matchAll(/<t>([^<]*)<\/t>/g)].map(([, text]) => text)).toEqual([...shown, ...shown]);
});

test('a time is local, on the day that screens show, and its column has its label', () => {
  vi.stubEnv('TZ', 'America/Chicago');
  onTestFinished(() => void vi.unstubAllEnvs());
  const sheet = createSheet([{ path: 'review.at', label: 'Reviewed', kind: 'dateTime' }]);
  expect(sheet.begin()).toContain('>Reviewed<');
  // Standard time is six hours behind UTC, daylight time five.
  const xml = sheet.write([['2026-11-23T05:30:00.000Z'], ['2026-07-01T05:30:00Z']]);
  const [winter, summer] = [...xml.matchAll(/<v>([^<]*)<\/v>/g)].map(([, value]) => Number(value));
  const day = (text: string) => Date.parse(text) / 86_400_000 + 25_569;
  expect(winter).toBeCloseTo(day('2026-11-22T23:30:00Z'), 6);
  expect(summer).toBeCloseTo(day('2026-07-01T00:30:00Z'), 6);
});
