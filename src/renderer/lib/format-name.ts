import { listNames } from '../../contract/fields.ts';

/** Names that are not written in capitals alone: "McDonald" and "O'Neil" from all capitals or none. */
function capitalize(word: string): string {
  const lower = word.toLowerCase();
  return lower
    .replace(/(^|[-'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    .replace(/^Mc(\p{L})/u, (_, letter: string) => `Mc${letter.toUpperCase()}`);
}

const hasOneCase = (text: string): boolean => text === text.toUpperCase() || text === text.toLowerCase();

interface NamedPerson {
  readonly first_name?: unknown;
  readonly middle_name?: unknown;
  readonly last_name?: unknown;
}

/** First, middle and last name of a person on file, in the form of `formatPersonName`; `otherwise` where there is none. */
export function fullNameOf(person: NamedPerson | null | undefined, otherwise = ''): string {
  const sent = [person?.first_name, person?.middle_name, person?.last_name].filter(Boolean).join(' ');
  return formatPersonName(sent) || otherwise;
}

/**
 * The cell of a list with a name for each of a claim's members: the first, and how many more ("Margaret Edwards +1").
 * `format` brings a name into the form that screens show.
 */
export function formatNames(cell: string, format: (name: string) => string = (name) => name): string {
  const [first = '', ...more] = listNames(cell);
  return more.length === 0 ? format(first) : `${format(first)} +${more.length}`;
}

/** Generations and degrees also follow a comma; they are not first names. */
const suffixes = /^(jr|sr|ii|iii|iv|v|md|phd)\.?$/i;

/**
 * A person's name in the one form that screens show, "Margaret Edwards", whatever the carrier sent: "EDWARDS,
 * MARGARET" is reversed, and all capitals become initial capitals. A name in mixed case is kept. Only for display:
 * raw data, filters, copies and files have the name as it was sent.
 */
export function formatPersonName(sent: string): string {
  const text = sent.trim().replace(/\s+/g, ' ');
  const [last = '', first = '', ...rest] = text.split(',').map((part) => part.trim());
  const isTurned = rest.length === 0 && first !== '' && last !== '' && !suffixes.test(first);
  const ordered = isTurned ? `${first} ${last}` : text;
  return hasOneCase(ordered) ? ordered.split(' ').map(capitalize).join(' ') : ordered;
}
