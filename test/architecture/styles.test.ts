import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const renderer = fileURLToPath(new URL('../../src/renderer', import.meta.url));

/**
 * Finds selectors of any element after any other. With one in a style sheet, the browser computes the styles of all
 * rows of a list again whenever one of them is added or removed.
 */
const findAnySiblings = (css: string): string[] =>
  css.match(/[^{}\n]*(?<![\w\])-])\*\s*[+~]\s*\*[^{}\n]*/g) ?? [];

it('no style applies to any element after any other', () => {
  const sheets = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.css'),
  );
  expect(sheets.length).toBeGreaterThan(50);
  expect(sheets.flatMap((path) => findAnySiblings(readFileSync(join(renderer, path), 'utf8')))).toEqual([]);
});

it.each(['.wide > * + * {', '* ~ * {', '.wide *+* .row {'])('refuses a planted violation: %s', (css) => {
  expect(findAnySiblings(css)).not.toEqual([]);
});
