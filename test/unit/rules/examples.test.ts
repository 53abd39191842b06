import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../../src');

/** Every `@example CALL // RESULT` in the docblocks of money and of the protocol of teams. */
const examples = ['rules/money', 'team-protocol'].flatMap((folder) =>
  readdirSync(join(source, folder))
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = join(source, folder, name);
      return [...readFileSync(file, 'utf8').matchAll(/@example (.+?) \/\/ (.+?)(?: \*\/)?$/gm)].map(
        ([, call = '', result = '']) => ({ file, call, result }),
      );
    }),
);

const evaluate = (text: string, names: object): unknown =>
  new Function(...Object.keys(names), `return (${text});`)(...Object.values(names));

test('every exported function of money and of the protocol that fits on one line has an example', () => {
  expect(examples.length).toBeGreaterThan(35);
});

test.each(examples)('$call is $result', async ({ file, call, result }) => {
  const module: object = await import(pathToFileURL(file).href);
  expect(evaluate(call, module)).toEqual(evaluate(result, {}));
});
