import type { Database } from '../file/database.ts';
import { toTextQuery } from '../record/text-index.ts';

/** For shorter beginnings the index has a list of its own, or too many words begin with them. */
const minLetters = 3;
/** Up to this many words are searched one by one. */
const maxListed = 8;

/** A prepared search of claims. */
export interface ClaimSearch {
  /** An upper bound of the number of claims it finds; null where unknown. */
  readonly atMost: number | null;
  /** The keys of the claims that it finds, ascending. */
  readonly find: () => number[];
}

/**
 * Null where nothing is left to search for. Where few words of the index begin with the typed text, these words are
 * searched one by one: joining all words with a beginning takes SQLite three to five times as long (700,000 claims: 26
 * instead of 100 ms, and 12 to find the words).
 */
export function prepareSearch(database: Database, search: string): ClaimSearch | null {
  const words = toTextQuery(search);
  if (words === null) return null;
  const parts = words.split(' ').map((part) => ({ part, terms: listTerms(database, part) }));
  const counts = parts.flatMap(({ terms }) =>
    terms === null ? [] : terms.reduce((sum, { doc }) => sum + doc, 0),
  );
  const query = parts.map(({ part, terms }) =>
    terms === null ? part : `(${terms.map(({ term }) => `"${term}"`).join(' OR ')})`,
  );
  const atMost = counts.length === 0 ? null : Math.min(...counts);
  const find = (): number[] =>
    database
      .prepare('SELECT rowid FROM claims_text WHERE claims_text MATCH ?')
      .pluck()
      .all(query.join(' AND ')) as number[];
  return { atMost, find: () => (atMost === 0 ? [] : find()) };
}

/**
 * The words that begin with this part of a search, with the number of claims that have each; null where there are more
 * than `maxListed`.
 */
function listTerms(database: Database, part: string): { term: string; doc: number }[] | null {
  const typed = part.slice(1, -2);
  if (typed.length < minLetters || !/^[a-z0-9]+$/.test(typed)) return null;
  const end = typed.slice(0, -1) + String.fromCharCode(typed.charCodeAt(typed.length - 1) + 1);
  const terms = database
    .prepare(`SELECT term, doc FROM claims_words WHERE term>=? AND term<? LIMIT ${maxListed + 1}`)
    .all(typed, end) as { term: string; doc: number }[];
  return terms.length > maxListed ? null : terms;
}
