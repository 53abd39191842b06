/** Names that are not written in capitals alone: "McDonald" and "O'Neil" from all capitals or none. */
function capitalize(word: string): string {
  const lower = word.toLowerCase();
  return lower
    .replace(/(^|[-'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    .replace(/^Mc(\p{L})/u, (_, letter: string) => `Mc${letter.toUpperCase()}`);
}

const hasOneCase = (text: string): boolean => text === text.toUpperCase() || text === text.toLowerCase();

/** Generations and degrees stand after a comma too, and are no first names. */
const suffixes = /^(jr|sr|ii|iii|iv|v|md|phd)\.?$/i;

/**
 * A person's name in the one form that screens show, "Margaret Edwards", whatever carrier it came from:
 * "EDWARDS, MARGARET" is turned around, all capitals become a capital each. A name in mixed case keeps it. Only
 * for what is shown: raw data, filters, copies and files have it as it was sent.
 */
export function formatPersonName(sent: string): string {
  const text = sent.trim().replace(/\s+/g, ' ');
  const [last = '', first = '', ...rest] = text.split(',').map((part) => part.trim());
  const isTurned = rest.length === 0 && first !== '' && last !== '' && !suffixes.test(first);
  const ordered = isTurned ? `${first} ${last}` : text;
  return hasOneCase(ordered) ? ordered.split(' ').map(capitalize).join(' ') : ordered;
}
