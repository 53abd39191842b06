import { expect, test } from 'vitest';
import { type Figure, figures } from '../../../../../src/renderer/domain/figure/figures.ts';
import { fieldsOf } from '../../../../../src/rules/list-fields.ts';

const all: readonly (readonly [string, Figure])[] = Object.entries(figures);

test('two figures with one name have one definition', () => {
  for (const [, { name, counts }] of all)
    for (const [other, one] of all) if (one.name === name) expect(one.counts, other).toEqual(counts);
});

test('a figure counts by columns of claims, and explains in a sentence what it contains', () => {
  const known = new Set(fieldsOf.claims.map(({ path }) => path));
  for (const [id, { holds, counts }] of all) {
    expect(holds, id).toMatch(/^[A-Z].*\.$/);
    for (const { field } of counts) expect(known, id).toContain(field);
  }
});

test.each(all)('%s says whether denied claims are in it', (_id, { name, holds, counts }) => {
  const isAboutStatus = counts.some(({ field }) => field === 'status');
  // The fields of decisions, and of what the carrier has not processed, have no status.
  const isOfWork = counts.some(({ field }) => /^(review|facts)\./.test(field));
  if (isAboutStatus) expect(`${name} ${holds}`).toMatch(/denied/i);
  else if (!isOfWork) expect(holds).toMatch(/denied ones included/);
});
