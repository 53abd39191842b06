import { fieldsOf } from '../../../../rules/list-fields.ts';
import { recordsIn } from './decompose.ts';
import { type JsonObject, type JsonValue, readPath } from './json.ts';

const pathsOf = (entity: keyof typeof fieldsOf): string[][] =>
  fieldsOf[entity].filter((spec) => spec.isSearchable).map((spec) => spec.path.split('.'));

const searchablePaths: Readonly<Record<string, readonly string[][]>> = {
  members: pathsOf('members'),
  dependents: pathsOf('dependents'),
  claims: pathsOf('claims'),
};

/** The search text of a record in the form that the index needs. It never contains an SSN. */
export function searchableText(table: string, record: JsonObject): string {
  const words: string[] = [];
  for (const path of searchablePaths[table] ?? []) {
    const value = readPath(record, path);
    if (typeof value === 'string' && value !== '') words.push(value);
  }
  if (table === 'claims') words.push(String(record.id), ...claimParts(record));
  const text = words.join(' ');
  // With this check, one name with an accent does not cause all other words to be split.
  return beyondAscii.test(text) ? words.map(indexedText).join(' ') : text;
}

/** A claim is also found by its procedures and diagnoses, and by the names of its members. */
function claimParts(claim: JsonObject): string[] {
  const words = new Set<string>();
  const add = (value: JsonValue | undefined): void => {
    if (typeof value === 'string' && value !== '') words.add(value);
  };
  for (const line of recordsIn(claim.claim_medical_lines))
    for (const key of ['procedure_code', 'procedure_name', 'diagnosis_code', 'national_drug_code'])
      add(line[key]);
  for (const member of recordsIn(claim.members)) {
    add(member.first_name);
    add(member.last_name);
  }
  return [...words];
}

const beyondAscii = /[\u0080-\uffff]/;
/** A word: letters and numbers, except some letters of two scripts that the index treats as separators. */
const word = /[[\p{L}\p{N}]--[\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3]]+/gv;

/**
 * The words of a text without case and accents, by the rules of the index for every script. Combining marks are removed
 * before normalization as well: its time grows with the square of a run of marks.
 */
export function splitWords(text: string): string[] {
  const folded = beyondAscii.test(text)
    ? text.replace(/\p{M}/gu, '').normalize('NFD').toLowerCase().replace(/\p{M}/gu, '')
    : text.toLowerCase();
  return folded.match(word) ?? [];
}

/** A character that is part of a name by itself: Chinese, Japanese, or the first of a Korean syllable. */
const ownPart = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u1100-\u115f]/u;
/** The most characters that are indexed from each part of a word: enough for any name. */
const maxPart = 12;

/** Finds where the parts of a word begin that are indexed separately; none for a word in other scripts. */
function findParts(characters: readonly string[]): number[] {
  const isOwn = characters.map((character) => ownPart.test(character));
  return characters.flatMap((_, at) => (at > 0 && (isOwn[at] || isOwn[at - 1]) ? [at] : []));
}

/**
 * The words of a text as they are indexed. Words in Chinese, Japanese, or Korean have no blanks between their parts, so
 * what follows from each part is added as well: any of the characters then finds the word.
 */
const splitForIndex = (text: string): string[] =>
  splitWords(text).flatMap((token) => {
    if (!ownPart.test(token)) return [token];
    const characters = [...token];
    return [token, ...findParts(characters).map((at) => characters.slice(at, at + maxPart).join(''))];
  });

/** Divides a word of a search into pieces that the index can contain: a longer word is divided where parts begin. */
function dividedWord(token: string): string[] {
  const characters = [...token];
  if (characters.length <= maxPart || !ownPart.test(token)) return [token];
  const pieces: string[] = [];
  const parts = findParts(characters);
  for (let at: number | undefined = 0; at !== undefined; ) {
    const end: number = at + maxPart;
    pieces.push(characters.slice(at, end).join(''));
    const begun: number = at;
    at = end >= characters.length ? undefined : parts.findLast((part) => part > begun && part <= end);
  }
  return pieces;
}

/**
 * A text in the form that the index needs. The index would split some words of other scripts, and it can only find
 * single words, so text that is not plain ASCII is split into words first.
 */
export const indexedText = (text: string): string =>
  beyondAscii.test(text) ? splitForIndex(text).join(' ') : text;

/** Separates words of a corrected search of which one suffices (`correctSearch`); as typed it separates words. */
export const alternativeSign = '\u001f';

/** The words of a search, each with its alternatives. */
export const readSearch = (search: string): string[][] =>
  search.includes(alternativeSign)
    ? search.split(' ').map((part) => part.split(alternativeSign).flatMap(splitWords))
    : splitWords(search)
        .flatMap(dividedWord)
        .map((part) => [part]);

/**
 * Converts a search to an FTS5 query: every word must occur, each as a prefix. Null where nothing is left to search
 * for. Words are quoted, so they can't contain operators of the query language.
 */
export function toTextQuery(search: string): string | null {
  const words = readSearch(search).map((parts) => parts.map((part) => `"${part}"*`));
  if (words.length === 0) return null;
  return words.every(({ length }) => length === 1)
    ? words.join(' ')
    : words.map((parts) => `(${parts.join(' OR ')})`).join(' AND ');
}

/**
 * Whether every word of the search begins a word of these texts, by the rules of the index. Lines have no index of
 * their own, because it would be as large as that of all claims: the index of their claims finds candidates, and this
 * function checks them.
 */
export function hasWords(search: string, texts: readonly (string | null)[]): boolean {
  const present = texts.flatMap((text) => (text === null ? [] : splitForIndex(text)));
  return readSearch(search).every((parts) =>
    present.some((candidate) => parts.some((part) => candidate.startsWith(part))),
  );
}
