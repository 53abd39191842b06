import { editDistance } from '../../../../rules/edit-distance.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { ListQuery } from '../../../../rules/query.ts';
import type { Database } from '../file/database.ts';
import { alternativeSign, splitWords } from '../record/text-index.ts';
import { buildKeys } from './build-query.ts';
import { valueSearch } from './search-values.ts';

/**
 * Shorter words are one letter away from too many others, and words of up to `wholeLetters` letters from too many
 * beginnings of words.
 */
const minLetters = 4;
const wholeLetters = 5;
const letters = 'abcdefghijklmnopqrstuvwxyz';
const wordsOf: Readonly<Record<Entity, string>> = {
  members: 'members_words',
  dependents: 'dependents_words',
  claims: 'claims_words',
  lines: 'claims_words',
};

/** Lists every text with one letter added, removed or changed, or with two letters swapped. */
function listOneAway(word: string): string[] {
  const candidates = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) {
      candidates.add(before + letter + after);
      if (after !== '') candidates.add(before + letter + after.slice(1));
    }
    if (after !== '') candidates.add(before + after.slice(1));
    if (after.length > 1) candidates.add(before + after[1] + after[0] + after.slice(2));
  }
  candidates.delete(word);
  return [...candidates];
}

const isName = (word: string): boolean => word.length >= minLetters && /^[a-z]+$/.test(word);
/** In words with at least this many letters, two may be wrong. */
const lettersOfTwo = 6;
/** The most words similar to a typed one that are searched for instead of it. */
const maxAlike = 40;

/** The words in the index of people that are at most two letters away, the nearest first. */
function listTwoAway(database: Database, entity: 'members' | 'dependents', word: string): string[] {
  const terms = database
    .prepare(
      `SELECT term FROM ${wordsOf[entity]} WHERE term>='a' AND term<'{' AND length(term) BETWEEN ? AND ?`,
    )
    .pluck()
    .all(word.length - 2, word.length + 2) as string[];
  return terms
    .map((term) => ({ term, distance: editDistance(word, term, 2) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxAlike)
    .map(({ term }) => term);
}

/**
 * The same query with its search corrected: a word that no record has is replaced by those one letter away that some
 * records have, so that "margret" finds Margaret. Words with digits stay: another number is another claim or person.
 * Each word costs a lookup in the list of words, a misspelled one about a hundred. Where no record has all of these
 * words, each may also be a similarly spelled one, and a long name of a person may have two wrong letters: "jon smtih"
 * finds Joan Smith if there is no Jon Smith. Returns the same object where nothing was corrected.
 */
export function correctSearch(database: Database, query: ListQuery): ListQuery {
  const { entity, search } = query;
  if (query.findsSimilar !== true || search === undefined || valueSearch(query) !== null) return query;
  const isIndexed = database
    .prepare(`SELECT EXISTS (SELECT 1 FROM ${wordsOf[entity]} WHERE term>=? AND term<?)`)
    .pluck();
  // A brace sorts after the last letter, an exclamation mark before the first.
  const hasBeginning = (text: string): boolean => isIndexed.get(text, `${text}{`) === 1;
  const listNear = (word: string): string[] =>
    listOneAway(word).filter(
      word.length > wholeLetters ? hasBeginning : (text: string) => isIndexed.get(text, `${text}!`) === 1,
    );
  const typed = splitWords(search);
  const corrected = typed.map((word) => {
    const others = isName(word) && !hasBeginning(word) ? listNear(word) : [];
    return others.length === 0 ? word : others.join(alternativeSign);
  });
  const searchFor = (words: readonly string[]): ListQuery => ({
    ...query,
    search: words.join(' '),
    findsSimilar: false,
  });
  const isCorrected = corrected.some((word, at) => word !== typed[at]);
  const once = isCorrected ? searchFor(corrected) : query;
  const isOfPeople = entity === 'members' || entity === 'dependents';
  // For claims, only where a word was wrong: finding one that has all of these words is slow where there are many.
  const maySpread = isOfPeople || (isCorrected && typed.length > 1);
  if (!maySpread || !typed.some(isName) || hasRows(database, once)) return once;
  const wider = typed.map((word) => {
    if (!isName(word)) return word;
    const near =
      isOfPeople && word.length >= lettersOfTwo ? listTwoAway(database, entity, word) : listNear(word);
    return [word, ...near].join(alternativeSign);
  });
  return hasRows(database, searchFor(wider)) ? searchFor(wider) : once;
}

function hasRows(database: Database, { entity, search = '' }: ListQuery): boolean {
  const every = { entity, search, includesArchived: true, includesMissing: true };
  const { text, values } = buildKeys(every);
  return database.prepare(`SELECT EXISTS (${text})`).pluck().get(values) === 1;
}
