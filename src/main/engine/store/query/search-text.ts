import type { Connection } from '../file/connection.ts';
import { toTextQuery } from '../record/text-index.ts';

/** From how many letters on a word is looked for first: shorter ones are in most claims, and joining them takes long. */
const longWord = 3;

/**
 * The keys of the claims that a search finds, ascending; null where nothing is left to search for. Where the long
 * words find nothing, the short ones are not asked.
 */
export function searchClaims(connection: Connection, search: string): number[] | null {
  const words = toTextQuery(search);
  if (words === null) return null;
  const select = connection.prepare('SELECT rowid FROM claims_text WHERE claims_text MATCH ?').pluck();
  const parts = words.split(' ');
  const long = parts.filter((part) => part.length >= longWord + '""*'.length);
  const isMixed = long.length > 0 && long.length < parts.length;
  if (isMixed && select.get(long.join(' ')) === undefined) return [];
  return select.all(words) as number[];
}
