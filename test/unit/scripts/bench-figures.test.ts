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
  expect(after).toContain('| First rows | 1,234.5 ms | ≤ 2,000 | median of 3 |');
  expect(after).toContain('| a \\| b | 7 ms |  | once |');
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
    ['First rows', 1234.5],
    ['a | b', 7],
  ]);
  expect(readSection(page, 'queries, 5 claims').size).toBe(0);
  expect(readSection(page, 'people').size).toBe(0);
});

test('a figure is ok or short of its reach, and slower than the last by a quarter', () => {
  expect(judgeRow(row, 1200)).toEqual({
    verdict: 'ok',
    line: 'ok            First rows: 1,234.5 ms (reach ≤ 2,000; last 1,200)',
  });
  expect(judgeRow(row, 900).verdict).toBe('ok, slower');
  expect(judgeRow({ ...row, figure: 2001 }, 1990).verdict).toBe('short');
  expect(judgeRow({ ...row, figure: 3000 }, 1990).verdict).toBe('short, slower');
  expect(judgeRow({ ...row, reach: '' }, undefined)).toEqual({
    verdict: '',
    line: '              First rows: 1,234.5 ms (no last figure)',
  });
  const rate = { what: 'First read', unit: 'claims/s', how: 'once' };
  expect(judgeRow({ ...rate, figure: 9_000, reach: '≥ 10,000' }, 9_100).verdict).toBe('short');
  expect(judgeRow({ ...rate, figure: 12_000, reach: '≥ 10,000' }, 16_000).verdict).toBe('ok, slower');
  expect(judgeRow({ ...rate, figure: 12_000 }, 11_000).verdict).toBe('');
  expect(judgeRow({ ...row, figure: 60, reach: '≤ 50, twice its usual' }, 60).verdict).toBe('short');
});
