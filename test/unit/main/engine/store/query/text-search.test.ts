import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasWords, toTextQuery } from '../../../../../../src/main/engine/store/record/text-index.ts';
import { oddTexts } from '../../../../../support/engine-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const claims = [
  {
    id: 101,
    patient_name: 'José Nuñez-García',
    service_provider: 'Boston MRI Center',
    check_number: 'CHK-0042',
    remarks: 'Deductible applied.\nSee letter',
    policy_holder: { first_name: 'Ann', last_name: 'O’Neil' },
    members: [{ first_name: 'Søren', last_name: 'Müller', email: 'soren@example.com' }],
    claim_medical_lines: [
      { id: 1, procedure_code: '70551', procedure_name: 'MRI brain', diagnosis_code: 'G43.909' },
      { id: 2, procedure_code: '99213 - Office visit', national_drug_code: '00093-7146-56' },
    ],
  },
  { id: 202, patient_name: 'Zoe\u0308 Smith', service_provider: 'Clinic 名古屋 ЖИЗНЬ', remarks: null },
  { id: 303, patient_name: 'Anna Smithson', x_secret: 'hidden words' },
];

function givenRecords() {
  const store = openTestStore();
  store.ingest('claims', claims);
  store.ingest('members', [
    {
      id: 1,
      first_name: 'José',
      last_name: 'Nuñez',
      email: 'jose.nunez@example.com',
      ssn: '123-45-6789',
      date_of_birth: '1980-05-06',
      employer: { id: 5, name: 'Acme Widgets' },
      dependents: [{ id: 11, first_name: 'Léa', last_name: 'Nuñez', ssn: '987-65-4321' }],
    },
  ]);
  return store;
}

test.each<[string, number[]]>([
  ['jose', [101]],
  ['JOSÉ', [101]],
  ['Jose\u0301', [101]],
  ['nunez', [101]],
  ['garcia', [101]],
  ['garc mri', [101]],
  ['mri garc bost', [101]],
  ['garcia xray', []],
  ['zoe', [202]],
  ['zoë', [202]],
  ['smith', [202, 303]],
  ['smiths', [303]],
  ['mit', []],
  // A word that no record has: those one letter away.
  ['mith', [202, 303]],
  ['smihtson', [303]],
  ['smithosn anna', [303]],
  ['gacria nunez', [101]],
  ['gracia offise', [101]],
  ['smiffson', []],
  // Where no record has all of the words, one letter may be wrong in each, also in one that others have.
  ['smihtson anne', [303]],
  ['smihtson jose', []],
  ['0043', []],
  ['chk-0043', []],
  ['ann', [101, 303]],
  ['0042', [101]],
  ['chk-0042', [101]],
  ['70551', [101]],
  ['office', [101]],
  ['g43.909', [101]],
  ['00093 7146', [101]],
  ['muller', [101]],
  ['letter', [101]],
  ['名古屋', [202]],
  ['жизнь', [202]],
  ['303', [303]],
  ['hidden', []],
  ['', [101, 202, 303]],
  [' !? ', [101, 202, 303]],
])('a search for %j finds claims %j', (search, expected) => {
  expect(givenRecords().list({ entity: 'claims', search, findsSimilar: true })).toEqual(expected);
});

test('lines are found by their own words, folded like in the index', () => {
  const store = givenRecords();
  const found = (search: string): (string | undefined)[] =>
    store.texts('lines', store.list({ entity: 'lines', search })).map((text) => text?.slice(0, 8));
  expect(found('mri')).toHaveLength(1);
  expect(found('MRI bra')).toHaveLength(1);
  expect(found('office')).toHaveLength(1);
  expect(found('nunez')).toHaveLength(0);
  expect(found('mri office')).toHaveLength(0);
});

test.each(['678', '45 6789', '123-45', '123-45-678', '123.45.6789', '45-6789', '432', '45', '1234'])(
  'an SSN is found only by all of it and by the last four digits, which lists show: %s',
  (search) => {
    const store = givenRecords();
    for (const entity of ['members', 'dependents'] as const)
      expect(store.list({ entity, search, includesArchived: true })).toEqual([]);
    expect(store.database.prepare('SELECT count(*) FROM members').pluck().get()).toBe(1);
  },
);

test('members and dependents are found by name and email', () => {
  const store = givenRecords();
  expect(store.list({ entity: 'members', search: 'jose acme' })).toEqual([1]);
  expect(store.list({ entity: 'members', search: 'nunez@example.com' })).toEqual([1]);
  expect(store.list({ entity: 'dependents', search: 'lea' })).toHaveLength(1);
});

test.each([
  ['alexnadre wislon', [2]],
  ['alexandro wilsen', [2]],
  ['margrat wilson', [3]],
  ['jose wilsom', [4]],
  ['nunez acme', [1]],
])('a search for people with wrong letters, %j, finds %j', (search, expected) => {
  const store = givenRecords();
  store.ingest('members', [
    { id: 2, first_name: 'Alexander', last_name: 'Wilson' },
    { id: 3, first_name: 'Margaret', last_name: 'Wilson' },
    { id: 4, first_name: 'Josie', last_name: 'Wilson' },
  ]);
  expect(store.list({ entity: 'members', search, findsSimilar: true })).toEqual(expected);
  // A file, or a command, has exact matches only.
  expect(store.list({ entity: 'members', search })).toEqual(search === 'nunez acme' ? expected : []);
});

test('what was changed is found by its new words and no longer by the old ones', () => {
  const store = givenRecords();
  store.ingest('claims', [{ id: 101, patient_name: 'Renamed Person', claim_medical_lines: [] }]);
  store.ingest('members', [{ id: 1, first_name: 'Renamed', dependents: [] }]);
  expect(store.list({ entity: 'claims', search: 'garcia' })).toEqual([]);
  expect(store.list({ entity: 'claims', search: 'renamed' })).toEqual([101]);
  expect(store.list({ entity: 'lines', search: 'mri' })).toEqual([]);
  expect(store.list({ entity: 'members', search: 'jose' })).toEqual([]);
  expect(store.list({ entity: 'dependents', search: 'lea' })).toEqual([]);
});

test('whatever is typed is a search and not a fault', () => {
  const store = givenRecords();
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(
          ...oddTexts,
          'a OR b',
          'NOT x',
          '"',
          '*',
          '^a',
          'body:x',
          '{a b}:c',
          '\u0301',
          'a\u0301',
          '½',
        ),
      ),
      (search) => {
        for (const entity of ['claims', 'lines', 'members', 'dependents'] as const) {
          expect(() => store.list({ entity, search })).not.toThrow();
        }
      },
    ),
    { numRuns: fuzzRuns(300) },
  );
});

test('any word of a name finds it by each of its beginnings', () => {
  const word = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿĀ-ž]{1,12}$/);
  const store = openTestStore();
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.nat(), (words, at) => {
      store.ingest('claims', [
        { id: 1, patient_name: words.join(' '), claim_medical_lines: [{ procedure_name: words.join('-') }] },
      ]);
      const chosen = words[at % words.length] as string;
      for (let length = 1; length <= chosen.length; length += 1) {
        const search = chosen.slice(0, length);
        expect(store.list({ entity: 'claims', search })).toEqual([1]);
        expect(store.list({ entity: 'lines', search })).toHaveLength(1);
      }
    }),
    { numRuns: fuzzRuns(60) },
  );
});

test('every letter, number and mark of every script is searched as part of single words', () => {
  const store = givenRecords();
  const find = store.database.prepare('SELECT count(*) FROM claims_text WHERE claims_text MATCH ?').pluck();
  let words: string[] = [];
  let tried = 0;
  const ask = (): void => {
    expect(find.get(toTextQuery(words.join(' ')))).toBe(0);
    tried += words.length;
    words = [];
  };
  for (let code = 0; code < 0x11_0000; code += 1) {
    const sign = String.fromCodePoint(code);
    if (!/[\p{L}\p{N}\p{M}]/u.test(sign)) continue;
    words.push(`xq${sign}q`);
    if (words.length === 1000) ask();
  }
  ask();
  expect(tried).toBeGreaterThan(100_000);
});

test('the index finds what hasWords finds, in any script and however many words begin with what was typed', () => {
  const store = openTestStore();
  const unit = fc.constantFrom(
    ...('aAbB1 -.é王小明한국かガ\u0301İßﬁ½名हिन्दीкй\u19b0\u1ab0\ua7cd\u{1fabb}\u{1e900}\ue000\0'.match(
      /./gsu,
    ) ?? []),
  );
  const text = fc.array(unit, { maxLength: 8 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 30 }),
      fc.array(text, { minLength: 5 }),
      (names, searches) => {
        const records = Array.from({ length: 30 }, (_none, index) => ({
          id: 7_000 + index,
          patient_name: names[index] ?? null,
        }));
        store.ingest('claims', records);
        for (const search of [...searches, ...names, 'aaa', 'aab', '7', '700', '7000', '70001']) {
          const expected = records.filter(({ id, patient_name }) =>
            hasWords(search, [String(id), patient_name]),
          );
          const ids = expected.map(({ id }) => id);
          expect(store.list({ entity: 'claims', search })).toEqual(ids);
          expect([...store.lists.makeList({ entity: 'claims', search }).keys]).toEqual(ids);
        }
      },
    ),
    { numRuns: fuzzRuns(40) },
  );
});

test.each([
  ['王小明', ['王', '小', '明', '王小', '小明', '王小明'], ['明小', '王明', '李']],
  ['김민수', ['김', '민', '수', '민수', '김민'], ['민김', '박']],
  ['山田タロウ', ['山', '田', 'タ', 'ロウ', '田タロウ'], ['ロタ']],
  ['ABC商店2号', ['abc', '商', '店', '店2', '2号', '号'], ['c商']],
  ['東京都立広尾病院附属看護専門学校', ['病院附属看護', '都立広尾病院附属看護専門学校', '学校'], ['学院']],
])('%s is found by any of its characters, in their sequence', (name, found, others) => {
  const store = openTestStore();
  store.ingest('claims', [{ id: 1, patient_name: name }]);
  for (const search of found) {
    expect(store.list({ entity: 'claims', search }), search).toEqual([1]);
    expect(hasWords(search, [name]), search).toBe(true);
  }
  for (const search of others) expect(store.list({ entity: 'claims', search }), search).toEqual([]);
});

test('a query of the index has quoted prefixes only', () => {
  expect(toTextQuery('garcia mri')).toBe('"garcia"* "mri"*');
  expect(toTextQuery('a" OR "b')).toBe('"a"* "or"* "b"*');
  expect(toTextQuery('...')).toBeNull();
});

test.each<[string, (string | null)[], boolean]>([
  ['mri', ['Brain MRI'], true],
  ['bra mri', ['Brain', null, 'MRI'], true],
  ['rain', ['Brain'], false],
  ['', [null], true],
  ['x', [null], false],
])('%j among %j: %s', (search, texts, expected) => {
  expect(hasWords(search, texts)).toBe(expected);
});
