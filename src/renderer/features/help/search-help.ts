import MiniSearch from 'minisearch';
import { type HelpTopic, helpTopics, listPieces } from './help-topics.ts';

export interface HelpMatch {
  readonly topic: HelpTopic;
  /** The piece of the topic that has most of the words; empty where only the title has any. */
  readonly excerpt: string;
}

const fold = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('’', "'");

/** Words of questions, which every topic has. */
const fillers = new Set(
  'a an and can do does for here how i if in is it my of on or the this to what when where why'.split(' '),
);

/** The words that are searched for; an apostrophe is part of its word. */
export function splitWords(typed: string): readonly string[] {
  const words = [...new Set(fold(typed).match(/[\p{L}\p{N}']+/gu) ?? [])];
  const significant = words.filter((word) => !fillers.has(word));
  return significant.length > 0 ? significant : words;
}

/** The part of a text that has a match, as [from, to), for each place where a word begins with one of the words. */
export function findMarks(text: string, words: readonly string[]): readonly (readonly [number, number])[] {
  const marks: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}'’]+/gu)) {
    const folded = fold(word);
    const longest = Math.max(
      0,
      ...words.filter((searchWord) => folded.startsWith(searchWord)).map((searchWord) => searchWord.length),
    );
    if (longest > 0) marks.push([index, index + longest]);
  }
  return marks;
}

const index = new MiniSearch<HelpTopic>({
  fields: ['title', 'text'],
  extractField: (topic, name) =>
    name === 'text' ? listPieces(topic).join('\n') : topic[name as 'id' | 'title' | 'group'],
  tokenize: (text) => fold(text).match(/[\p{L}\p{N}']+/gu) ?? [],
  storeFields: ['group'],
  searchOptions: {
    prefix: true,
    fuzzy: 0.15,
    boost: { title: 4 },
    boostDocument: (_id, _word, stored) => (stored?.group === 'Guide' ? 2 : 1),
  },
});
index.addAll(helpTopics);

const excerptLength = 150;

/** Returns two lines of a piece that contain the match. */
function cut(piece: string, words: readonly string[]): string {
  const first = findMarks(piece, words)[0]?.[0] ?? 0;
  if (piece.length <= excerptLength) return piece;
  const from = first < excerptLength / 2 ? 0 : piece.lastIndexOf(' ', first - 40) + 1;
  const text = piece.slice(from, from + excerptLength);
  const end = from + excerptLength >= piece.length ? text : `${text.slice(0, text.lastIndexOf(' '))} …`;
  return from === 0 ? end : `… ${end}`;
}

/** Finds topics by the words of their titles and texts, best first: those with all of the words, else with any. */
export function searchHelp(typed: string): readonly HelpMatch[] {
  const words = splitWords(typed);
  const search = (combineWith: 'AND' | 'OR') => index.search(words.join(' '), { combineWith });
  const all = search('AND');
  return (all.length > 0 ? all : search('OR')).flatMap(({ id }) => {
    const topic = helpTopics.find((candidate) => candidate.id === id);
    if (topic === undefined) return [];
    const pieces = listPieces(topic).map((text) => ({ text, marks: findMarks(text, words).length }));
    const best = pieces.reduce((most, piece) => (piece.marks > most.marks ? piece : most));
    return [{ topic, excerpt: best.marks === 0 ? '' : cut(best.text, words) }];
  });
}
