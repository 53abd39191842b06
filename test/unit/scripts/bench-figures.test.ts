import { expect, test } from 'vitest';
import { judgeRow, putSection, readFigures, readSection } from '../../../scripts/bench-figures.ts';

const row = { what: 'First rows', figure: 1234.5, unit: 'ms', reach: '≤ 2,000', how: 'median of 3' };
const section = { title: 'queries', measured: '2026-11-22, 2 cores, Node v24.0.0.', rows: [row] };

test('figures are read among other lines of a bench', () => {
  const output = `claims 100000\n${JSON.stringify(row)}\n{"bench":"queries.size","bytes":3}\n`;
  expect(readFigures(output)).toEqual([row]);
});

test('a run replaces the section of its bench and keeps the others', () => {
  const before = putSection(putSection('', section), { ...section, title: 'people' });
  const slower = { what: 'a | b', figure: 7, unit: 'ms', how: 'once' };
  const after = putSection(before, { ...section, rows: [slower] });
  expect(after.match(/^## .*/gm)).toEqual(['## people', '## queries']);
  expect(after).toContain('| First rows | 1,234.5 ms |  | ≤ 2,000 | median of 3 |');
  expect(after).toContain('| a \\| b | 7 ms |  |  | once |');
  expect(after.match(/First rows/g)).toHaveLength(1);
  expect(putSection(after, { ...section, rows: [slower] })).toBe(after);
});

test('a bench over another number of claims has a section of its own', () => {
  const page = putSection(putSection('', section), {
    ...section,
    title: 'queries, 400,000 claims',
    rows: [],
  });
  expect(page.match(/^## .*/gm)).toEqual(['## queries', '## queries, 400,000 claims']);
  expect(page).toContain('First rows');
});

test('the last figures of a bench are read from its own section of the document', () => {
  const rows = [row, { what: 'a | b', figure: 7, unit: '', how: 'once' }];
  const page = putSection(putSection('', { ...section, rows }), {
    ...section,
    title: 'queries, 5 claims',
    rows: [],
  });
  expect([...readSection(page, 'queries')]).toEqual([
    ['First rows', { figure: 1234.5 }],
    ['a | b', { figure: 7 }],
  ]);
  expect(readSection(page, 'queries, 5 claims').size).toBe(0);
  expect(readSection(page, 'people').size).toBe(0);
});

test('a figure is ok or below its target, and slower than the last by a quarter', () => {
  expect(judgeRow(row, { figure: 1200 })).toEqual({
    verdict: 'ok',
    line: 'ok            First rows: 1,234.5 ms (reach ≤ 2,000; last 1,200)',
  });
  expect(judgeRow(row, { figure: 900 }).verdict).toBe('ok, slower');
  expect(judgeRow({ ...row, figure: 2001 }, { figure: 1990 }).verdict).toBe('short');
  expect(judgeRow({ ...row, figure: 3000 }, { figure: 1990 }).verdict).toBe('short, slower');
  expect(judgeRow({ ...row, reach: '' }, undefined)).toEqual({
    verdict: '',
    line: '              First rows: 1,234.5 ms (no last figure)',
  });
  const rate = { what: 'First read', unit: 'claims/s', how: 'once' };
  expect(judgeRow({ ...rate, figure: 9_000, reach: '≥ 10,000' }, { figure: 9_100 }).verdict).toBe('short');
  expect(judgeRow({ ...rate, figure: 12_000, reach: '≥ 10,000' }, { figure: 16_000 }).verdict).toBe(
    'ok, slower',
  );
  expect(judgeRow({ ...rate, figure: 12_000 }, { figure: 11_000 }).verdict).toBe('');
  expect(judgeRow({ ...row, figure: 60, reach: '≤ 50, twice its usual' }, { figure: 60 }).verdict).toBe(
    'short',
  );
});

test('times and rates are written and read as multiples of the fixed work, sizes are not', () => {
  const rows = [
    { ...row, workMs: 30 },
    { ...row, what: 'A claim', figure: 145, unit: 'µs', workMs: 30 },
    { ...row, what: 'First read', figure: 10_000, unit: 'claims/s', reach: '', workMs: 30 },
    { ...row, what: 'Memory', figure: 500, unit: 'MB', reach: '≤ 450', workMs: 30 },
  ];
  const page = putSection('', { ...section, rows });
  expect(page).toContain('| First rows | 1,234.5 ms | 41.1 × | ≤ 2,000 | median of 3 |');
  expect(page).toContain('| Memory | 500 MB |  | ≤ 450 | median of 3 |');
  expect([...readSection(page, 'queries')]).toEqual([
    ['First rows', { figure: 1234.5, multiple: 41.1 }],
    ['A claim', { figure: 145, multiple: 0.00483 }],
    ['First read', { figure: 10_000, multiple: 300 }],
    ['Memory', { figure: 500 }],
  ]);
});

test('a section from before the fixed work is read, and its figures are compared unchanged', () => {
  const page =
    '## queries\n\n| what | figure | reach | how measured |\n|---|---|---|---|\n| First rows | 900 ms | ≤ 2 | once |\n';
  const last = readSection(page, 'queries').get('First rows');
  expect(last).toEqual({ figure: 900 });
  expect(judgeRow({ ...row, workMs: 30 }, last).verdict).toBe('ok, slower');
});

test('the multiple of the fixed work is compared: a computer half as fast is not slower', () => {
  const last = { figure: 600, multiple: 41.1 };
  expect(judgeRow({ ...row, workMs: 30 }, last)).toEqual({
    verdict: 'ok',
    line: 'ok            First rows: 1,234.5 ms (reach ≤ 2,000; last 600; 41.1 × work, last 41.1)',
  });
  expect(judgeRow({ ...row, workMs: 15 }, last).verdict).toBe('ok, slower');
  const rate = { what: 'First read', figure: 5_000, unit: 'claims/s', how: 'once' };
  expect(judgeRow({ ...rate, workMs: 60 }, { figure: 10_000, multiple: 300 }).verdict).toBe('');
  expect(judgeRow({ ...rate, workMs: 30 }, { figure: 10_000, multiple: 300 }).verdict).toBe('slower');
});
