import { editDistance } from '../../../../rules/edit-distance.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { ListQuery } from '../../../../rules/query.ts';
import type { Database } from '../file/database.ts';
import { alternativeSign, splitWords } from '../record/text-index.ts';
import { buildKeys } from './build-query.ts';
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
/** From this many letters on, two of them may be wrong. */
const lettersOfTwo = 6;
/** The words most like a typed one that are searched instead of it. */
const maxAlike = 40;

/** The words of the index of people that are up to two letters away, the nearest first. */
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
 * The same query, in whose search a word that no record has is replaced by those one letter away that some have, so that
 * "margret" finds Margaret. Words with digits stay: another number is another claim or person. Each word costs a look into
 * the list of words, a wrong one some hundred. Where no record has all of these words, each word may also be one that is
 * spelled like it, and a long name of a person have two wrong letters: "jon smtih" finds Joan Smith where no Jon is one.
 * Returns the same object where nothing was corrected.
 */
export function correctSearch(database: Database, query: ListQuery): ListQuery {
  const { entity, search } = query;
  if (query.findsSimilar !== true || search === undefined || valueSearch(query) !== null) return query;
  const isIndexed = database
    .prepare(`SELECT EXISTS (SELECT 1 FROM ${wordsOf[entity]} WHERE term>=? AND term<?)`)
    .pluck();
  // A brace is after the last letter, an exclamation mark before the first.
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
  // Claims only where a word was wrong: finding one with all of these words is slow where there are many.
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
