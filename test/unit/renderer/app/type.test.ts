import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = 'src/renderer';
const styles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));
const valuesOf = (property: string): string[] =>
  [...new Set(styles.flatMap((css) => [...css.matchAll(new RegExp(`${property}: ([^;]+);`, 'g'))]))].map(
    ([, value]) => value ?? '',
  );

it('type has four sizes, one for keys and one for the amount of a page, on paper those of print, and two weights', () => {
  const sizes = ['0.6875rem', '0.75rem', '0.8125rem', '0.9375rem', '1.375rem', '1.75rem'];
  const shown = valuesOf('font-size').filter(
    (size) => !/^(\d+pt|var\(--mantine-font-size-\w+\))$/.test(size),
  );
  expect([...new Set(shown)].sort()).toEqual(sizes);
  expect([...new Set(valuesOf('font-weight'))].sort()).toEqual(['400', '600']);
});
