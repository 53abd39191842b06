import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allowed, findBanned, isAllowed, stillToDo, type Violation } from './banned-phrases.ts';
import { collectStrings, readProse, readStrings } from './user-facing-strings.ts';

const root = join(import.meta.dirname, '../..');

/** Where texts for people are written: the window, errors and findings, commands, what the engine says. */
const sources = [
  'src/renderer',
  'src/rules',
  'src/contract',
  'src/carrier-form',
  'src/main/desk',
  'src/main/doctor',
  'src/main/keys',
  'src/main/lock',
  'src/main/rotation',
  'src/main/sample',
  'src/main/shells',
  'src/main/workspaces',
  'src/main/engine/connect',
  'src/main/engine/doctor',
  'src/main/engine/export',
  'src/main/engine/review',
  'src/main/engine/state',
  'src/main/engine/sync',
  'src/main/engine/team',
];
const documents = ['README.md', 'docs/admin-guide.md', 'docs/data-on-this-computer.md', 'docs/errors.md'];

const strings = [
  ...collectStrings(root, sources),
  ...documents.flatMap((document) => readProse(root, document)),
];
const violations = findBanned(strings);

const report = ({ file, line, phrase, instead, text }: Violation): string => {
  const at = Math.max(0, text.indexOf(phrase) - 60);
  return `${file}:${line} says "${phrase}" for "${instead}": ${text.slice(at, at + 160)}`;
};

test('no text that people read has a banned phrase', () => {
  const isToDo = ({ file }: Violation) => stillToDo.some((path) => file.startsWith(path));
  const left = violations.filter((violation) => !isAllowed(violation) && !isToDo(violation));
  expect(left.map(report)).toEqual([]);
});

test('every allowance is still needed', () => {
  const isUsed = (one: (typeof allowed)[number]) =>
    violations.some(({ file, phrase }) => file === one.file && phrase === one.phrase);
  expect(allowed.filter((one) => !isUsed(one))).toEqual([]);
});

test('the texts of every part were read', () => {
  expect(strings.length).toBeGreaterThan(2500);
  const texts = new Set(strings.map(({ text }) => text));
  for (const text of [
    'Search or jump to…',
    'Can’t reach the claims service.',
    'Check the list below. The most likely reason is first.',
    'Carrier claim no.',
    '--public-token is required',
    '{} is ready to be imported.',
  ]) {
    expect(texts, text).toContain(text);
  }
  for (const source of sources) {
    expect(strings.filter(({ file }) => file.startsWith(source)).length, source).toBeGreaterThan(0);
  }
});

const planted: readonly (readonly [string, string, string])[] = [
  ['shown by JSX', '<p>Read it anew</p>', 'anew'],
  ['shown over two lines', '<p>\n  Go\n  on now\n</p>', 'Go on'],
  ['around a value', '<p>Bring {name} in and go on</p>', 'go on'],
  ['an attribute of one word', '<Field label="payer" />', 'payer'],
  ['an attribute that is computed', "<Field title={isOn ? 'Desk mode' : 'Off'} />", 'Desk mode'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the planted source has a template
  ['a template', '`The connection ${name} stands`', 'stands'],
  ['a property', "({ message: 'Nothing given' })", 'Nothing given'],
  ['in a table that satisfies a type', "({ a: 'Not proven' }) as const satisfies Words", 'proven'],
  ['in a list', "['Claims', 'Policy holder']", 'Policy holder'],
  ['a typographic apostrophe', "'The page couldn’t open, or the page can’t be had'", 'can’t be had'],
  ['an abbreviation in lower case', "'Report the request id'", 'id'],
];

test.each(planted)('a planted phrase is found: %s', (_where, code, phrase) => {
  const found = findBanned(readStrings('planted.tsx', `export const x = ${code};`));
  expect(found.map((one) => one.phrase)).toContain(phrase);
});

test('names for programs are no texts', () => {
  const code = `
    import { payers } from './desk mode.ts';
    type Word = 'policy holder';
    export const copayment = call('payer', { payer: 'copayment', 'birth date': 1 });
    export const x = <Box className="payer stands" key="go on" />;
    // Meanwhile the payer stands.
  `;
  expect(findBanned(readStrings('planted.tsx', code))).toEqual([]);
});

test('options of commands and paths of fields are no texts', () => {
  const code = "'Use --payer with members.id or policy_holder.id, then run it'";
  expect(findBanned(readStrings('planted.tsx', `export const x = ${code};`))).toEqual([]);
});

test('what cannot be parsed is an error, not passed over', () => {
  expect(() => readStrings('planted.tsx', 'export const = ;')).toThrow('planted.tsx cannot be parsed');
});
