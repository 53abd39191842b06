import { showDirectionMarks } from './unsafe-characters.ts';

/** Columns with the names of people, or parts of names, in lists and in files. */
export const personNames: ReadonlySet<string> = new Set([
  'patient_name',
  'member.name',
  'member_name',
  'members.name',
  'first_name',
  'middle_name',
  'last_name',
  'policy_holder.first_name',
  'policy_holder.last_name',
]);

/**
 * Splits a text into words, without case and accents. Ordering many accents of one letter takes time that grows with
 * the square of their number.
 */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{M}{8})\p{M}+/gu, '$1')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Capitalizes names that are in all capitals, such as "McDonald" and "O'Neil". */
function capitalize(word: string): string {
  const lower = word.toLowerCase();
  return lower
    .replace(/(^|[-'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    .replace(/^Mc(\p{L})/u, (_, letter: string) => `Mc${letter.toUpperCase()}`);
}

const hasOneCase = (text: string): boolean => text === text.toUpperCase() || text === text.toLowerCase();

/** Generations and degrees also follow a comma; they are not first names. */
const suffixes = /^(jr|sr|ii|iii|iv|v|md|phd)\.?$/i;

/**
 * Returns a name in the one form that screens show, "Margaret Edwards", whatever the carrier sent: "EDWARDS, MARGARET"
 * is reversed, and all capitals become initial capitals. A name in mixed case is kept. Screens, paper and workbooks use
 * this form; raw data, filters, copies and CSV files have the name as sent.
 */
export function formatPersonName(sent: string): string {
  const text = sent.trim().replace(/\s+/g, ' ');
  const [last = '', first = '', ...rest] = text.split(',').map((part) => part.trim());
  const isTurned = rest.length === 0 && first !== '' && last !== '' && !suffixes.test(first);
  const ordered = isTurned ? `${first} ${last}` : text;
  return showDirectionMarks(hasOneCase(ordered) ? ordered.split(' ').map(capitalize).join(' ') : ordered);
}
