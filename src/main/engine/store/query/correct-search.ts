import type { Entity } from '../../../../rules/fields.ts';
import type { ListQuery } from '../../../../rules/query.ts';
import type { Database } from '../file/database.ts';
import { alternativeSign, splitWords } from '../record/text-index.ts';
import { valueSearch } from './search-values.ts';

/** Shorter words are one letter away from too many others; up to `wholeLetters` from too many beginnings of words. */
const minLetters = 4;
const wholeLetters = 5;
const letters = 'abcdefghijklmnopqrstuvwxyz';
const wordsOf: Readonly<Record<Entity, string>> = {
  members: 'members_words',
  dependents: 'dependents_words',
  claims: 'claims_words',
  lines: 'claims_words',
};

/** Every text with one letter more, less or other, or with two letters exchanged. */
function listOneAway(word: string): string[] {
  const found = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) {
      found.add(before + letter + after);
      if (after !== '') found.add(before + letter + after.slice(1));
    }
    if (after !== '') found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after[1] + after[0] + after.slice(2));
  }
  found.delete(word);
  return [...found];
}

/**
 * The same query, in whose search a word that no record has is replaced by those one letter away that some have, so that
 * "margret" finds Margaret. Words with digits stay: another number is another claim or person. Each word costs a look into
 * the list of words, a wrong one some hundred.
 */
export function correctSearch(database: Database, query: ListQuery): ListQuery {
  const { entity, search } = query;
  if (search === undefined || valueSearch(query) !== null) return query;
  const isIndexed = database
    .prepare(`SELECT EXISTS (SELECT 1 FROM ${wordsOf[entity]} WHERE term>=? AND term<?)`)
    .pluck();
  let isCorrected = false;
  const words = splitWords(search).map((word) => {
    // A brace is after the last letter, an exclamation mark before the first.
    const hasBeginning = (text: string): boolean => isIndexed.get(text, `${text}{`) === 1;
    if (word.length < minLetters || !/^[a-z]+$/.test(word) || hasBeginning(word)) return word;
    const isThere =
      word.length > wholeLetters ? hasBeginning : (text: string) => isIndexed.get(text, `${text}!`) === 1;
    const others = listOneAway(word).filter(isThere);
    isCorrected ||= others.length > 0;
    return others.length === 0 ? word : others.join(alternativeSign);
  });
  return isCorrected ? { ...query, search: words.join(' ') } : query;
}
