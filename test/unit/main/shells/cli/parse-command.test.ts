import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseCommand,
  parseEntity,
  parseFilter,
  parseQuery,
  parseSort,
  parseWhole,
  toPath,
  writeFilter,
} from '../../../../../src/main/shells/cli/parse-command.ts';
import { UsageError } from '../../../../../src/main/shells/cli/usage.ts';
import { fuzzRuns } from '../../../../support/seeds.ts';

test.each<[string, object]>([
  ['status=Rejected', { field: 'status', operator: 'is', values: ['Rejected'] }],
  ['status!=Rejected', { field: 'status', operator: 'isNot', values: ['Rejected'] }],
  ['status=', { field: 'status', operator: 'isEmpty', values: [] }],
  ['status!=', { field: 'status', operator: 'isNotEmpty', values: [] }],
  ['status==a|b', { field: 'status', operator: 'is', values: ['a|b'] }],
  ['status==', { field: 'status', operator: 'is', values: [''] }],
  ['status=a|b|c', { field: 'status', operator: 'isOneOf', values: ['a', 'b', 'c'] }],
  ['amount_billed>=1000', { field: 'amount_billed', operator: 'atLeast', values: ['1000'] }],
  ['amount_billed<=-5', { field: 'amount_billed', operator: 'atMost', values: ['-5'] }],
  ['amount_billed>1', { field: 'amount_billed', operator: 'moreThan', values: ['1'] }],
  ['amount_billed<1', { field: 'amount_billed', operator: 'lessThan', values: ['1'] }],
  ['remarks~see = letter', { field: 'remarks', operator: 'contains', values: ['see = letter'] }],
  ['remarks^=A', { field: 'remarks', operator: 'startsWith', values: ['A'] }],
  [
    'date_of_service=2025-01-01..2025-03-31',
    { field: 'date_of_service', operator: 'between', values: ['2025-01-01', '2025-03-31'] },
  ],
  ['policy_holder.id=5', { field: 'policy_holder.id', operator: 'is', values: ['5'] }],
  ['$claim_id=5', { field: '$claim_id', operator: 'is', values: ['5'] }],
  ['remarks=two\nlines', { field: 'remarks', operator: 'is', values: ['two\nlines'] }],
  ['status==x', { field: 'status', operator: 'is', values: ['x'] }],
  ['status===x', { field: 'status', operator: 'is', values: ['=x'] }],
])('the filter %s', (text, expected) => {
  expect(parseFilter(text)).toEqual(expected);
});

test.each(['Rejected', 'a|b', '1..2', '=x', '', '==', '10.5000', 'true'])(
  'the filter written for %j means exactly that',
  (value) => {
    const condition = { field: 'status', operator: 'is' as const, values: [value] };
    expect(parseFilter(writeFilter(condition))).toEqual(condition);
    const empty = { field: 'status', operator: 'isEmpty' as const, values: [] };
    expect(parseFilter(writeFilter(empty))).toEqual(empty);
  },
);

test.each([
  'status=Rejected',
  'status!=Rejected',
  'status!=',
  'status=a|b|c',
  'amount_billed>=1000',
  'amount_billed<1',
  'remarks~see = letter',
  'remarks^=A',
  'date_of_service=2025-01-01..2025-03-31',
])('the filter %s is written as it was read', (text) => {
  expect(writeFilter(parseFilter(text))).toBe(text);
});

test.each(['', 'status', '=x', 'sta tus=x', "a'b=x", 'a;b=x', '!=x', '..=x'.replace('..', '-')])(
  '%j is no filter',
  (text) => {
    expect(() => parseFilter(text)).toThrow(UsageError);
  },
);

test.each([
  ['status', { field: 'status', direction: 'asc' }],
  ['status:asc', { field: 'status', direction: 'asc' }],
  ['amount_billed:desc', { field: 'amount_billed', direction: 'desc' }],
  ['policy_holder.id:desc', { field: 'policy_holder.id', direction: 'desc' }],
  ['status:nulls-first', { field: 'status', direction: 'asc', nulls: 'first' }],
  ['status:desc:nulls-last', { field: 'status', direction: 'desc', nulls: 'last' }],
])('the sort %s', (text, expected) => {
  expect(parseSort(text)).toEqual(expected);
});

test.each(['', ':desc', 'status:down', 'status desc', 'status:DESC', 'a;b', 'a:nulls', 'a:nulls-first:desc'])(
  '%j is not a sort',
  (text) => {
    expect(() => parseSort(text)).toThrow(UsageError);
  },
);

test.each([
  ['0', 0],
  ['25', 25],
  ['999999999999999', 999999999999999],
])('%s is a whole number', (text, expected) => {
  expect(parseWhole(text, '--limit')).toBe(expected);
});

test.each(['-1', '1.5', '1e3', '0x10', '', ' 1', '1 ', 'ten', '9999999999999999'])('%j is none', (text) => {
  expect(() => parseWhole(text, '--limit')).toThrow(UsageError);
});

test('a whole number may have a minimum', () => {
  expect(() => parseWhole('0', '--members', 1)).toThrow(UsageError);
  expect(parseWhole(undefined, '--members', 1)).toBeUndefined();
});

test('the lists are known by name, and no others', () => {
  expect(['members', 'dependents', 'claims', 'lines'].map((word) => parseEntity(word))).toEqual([
    'members',
    'dependents',
    'claims',
    'lines',
  ]);
  for (const word of [undefined, '', 'claim', 'Claims', '__proto__'])
    expect(() => parseEntity(word)).toThrow(UsageError);
});

test('options and words are distinguished in any order; repeated ones are kept', () => {
  const argv = [
    'list',
    '--filter',
    'a=1',
    'claims',
    '--filter=b=2',
    '--json',
    '--sort',
    'a,b:desc',
    '--limit',
    '5',
  ];
  expect(parseCommand(argv)).toEqual({
    words: ['list', 'claims'],
    options: { filter: ['a=1', 'b=2'], json: true, sort: ['a,b:desc'], limit: '5' },
  });
});

test.each([
  ['an unknown option', ['list', 'claims', '--nope']],
  ['a value that is missing', ['list', 'claims', '--limit']],
  ['a value for a switch', ['list', 'claims', '--json=yes']],
  ['a short option', ['list', 'claims', '-x']],
  ['an empty profile', ['list', 'claims', '--profile', '']],
])('%s is wrong usage', (_name, argv) => {
  expect(() => parseCommand(argv)).toThrow(UsageError);
});

test('a query has the search, the filters and the sorts in their order', () => {
  const { options } = parseCommand([
    'list',
    'lines',
    '--search',
    'mri',
    '--filter',
    'claim_id=7',
    '--sort',
    'claim_id:desc,id',
    '--sort',
    'quantity',
  ]);
  expect(parseQuery('lines', options)).toEqual({
    entity: 'lines',
    search: 'mri',
    conditions: [{ field: '$claim_id', operator: 'is', values: ['7'] }],
    sort: [
      { field: '$claim_id', direction: 'desc' },
      { field: 'id', direction: 'asc' },
      { field: 'quantity', direction: 'asc' },
    ],
  });
});

test('members include archived ones unless --active is given', () => {
  expect(parseQuery('members', {})).toEqual({ entity: 'members', includesArchived: true });
  expect(parseQuery('members', { active: true })).toEqual({ entity: 'members', includesArchived: false });
  expect(parseQuery('claims', {})).toEqual({ entity: 'claims' });
});

test('the columns that Claimdesk adds have plain names', () => {
  expect([
    toPath('lines', 'claim_id'),
    toPath('dependents', 'member_id'),
    toPath('claims', 'claim_id'),
  ]).toEqual(['$claim_id', '$member_id', 'claim_id']);
});

test('whatever is on the line is a command or wrong usage, never a fault', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('--json', '--', '-', '--filter', 'list', '='))),
      (argv) => {
        try {
          const command = parseCommand(argv);
          parseQuery('claims', command.options);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(UsageError);
        }
      },
    ),
    { numRuns: fuzzRuns(500) },
  );
});

test('the ID of a computer or a team may begin with dashes', () => {
  const [team, computer] = ['-'.padEnd(22, 'x'), '--'.padEnd(43, 'y')];
  expect(parseCommand(['team', 'approve', computer, '--accept-other-key'])).toMatchObject({
    ...{ words: ['team', 'approve', computer], options: { 'accept-other-key': true } },
  });
  expect(parseCommand(['team', 'recover', '--team', team, '--yes', computer])).toMatchObject({
    ...{ words: ['team', 'recover', computer], options: { team, yes: true } },
  });
  expect(parseCommand(['team', 'revoke', '--', computer]).words).toEqual(['team', 'revoke', computer]);
  expect(() => parseCommand(['team', 'approve', '--accept-others'])).toThrow(UsageError);
});
