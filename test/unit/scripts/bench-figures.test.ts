import { expect, test } from 'vitest';
import { putSection, readFigures } from '../../../scripts/bench-figures.ts';

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
