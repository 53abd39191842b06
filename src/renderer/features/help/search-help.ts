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
  'a an and can do does for how i if in is it my of on or the to what when where'.split(' '),
);

/** The words that are searched for; an apostrophe is part of its word. */
export function splitWords(typed: string): readonly string[] {
  const words = [...new Set(fold(typed).match(/[\p{L}\p{N}']+/gu) ?? [])];
  const telling = words.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : words;
}

/** The part of a text that has a match, as [from, to), for each place where a word begins with one of the words. */
export function findMarks(text: string, words: readonly string[]): readonly (readonly [number, number])[] {
  const marks: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}'’]+/gu)) {
    const folded = fold(word);
    const longest = Math.max(0, ...words.filter((one) => folded.startsWith(one)).map((one) => one.length));
    if (longest > 0) marks.push([index, index + longest]);
  }
  return marks;
}

interface Searched {
  readonly text: string;
  readonly own: readonly string[];
}

const toSearched = (text: string): Searched => ({ text, own: fold(text).match(/[\p{L}\p{N}']+/gu) ?? [] });

/** What is searched, its words told apart once. */
const searched = helpTopics.map((topic) => ({
  topic,
  title: toSearched(topic.title),
  pieces: listPieces(topic).map(toSearched),
}));

const has = ({ own }: Searched, word: string): boolean => own.some((one) => one.startsWith(word));

/** How many of the words a text has, as the beginnings of its own. */
const countFound = (text: Searched, words: readonly string[]): number =>
  words.filter((word) => has(text, word)).length;

const excerptLength = 150;

/** As much of a piece as two lines hold, with what was found in it. */
function cut(piece: string, words: readonly string[]): string {
  const first = findMarks(piece, words)[0]?.[0] ?? 0;
  if (piece.length <= excerptLength) return piece;
  const from = first < excerptLength / 2 ? 0 : piece.lastIndexOf(' ', first - 40) + 1;
  const text = piece.slice(from, from + excerptLength);
  const end = from + excerptLength >= piece.length ? text : `${text.slice(0, text.lastIndexOf(' '))} …`;
  return from === 0 ? end : `… ${end}`;
}

interface Scored extends HelpMatch {
  readonly words: number;
  readonly inTitle: number;
  readonly inPiece: number;
  /** In all pieces together. */
  readonly inPieces: number;
}

/**
 * Finds topics by the words of their titles and texts, best first. Topics with fewer of the words than the best ones
 * are left out, so that one word too many still finds something.
 */
export function searchHelp(typed: string): readonly HelpMatch[] {
  const words = splitWords(typed);
  if (words.length === 0) return [];
  const scored = searched.map(({ topic, title, pieces }): Scored => {
    const counts = pieces.map((piece) => countFound(piece, words));
    const inPiece = Math.max(0, ...counts);
    return {
      topic,
      excerpt: inPiece === 0 ? '' : cut(pieces[counts.indexOf(inPiece)]?.text ?? '', words),
      words: words.filter((word) => [title, ...pieces].some((one) => has(one, word))).length,
      inTitle: countFound(title, words),
      inPiece,
      inPieces: counts.reduce((sum, count) => sum + count, 0),
    };
  });
  const best = Math.max(...scored.map((one) => one.words));
  return scored
    .filter((one) => best > 0 && one.words === best)
    .sort(
      (a, b) =>
        b.inTitle - a.inTitle ||
        b.inPiece - a.inPiece ||
        Number(b.topic.group === 'Guide') - Number(a.topic.group === 'Guide') ||
        b.inPieces - a.inPieces,
    )
    .map(({ topic, excerpt }) => ({ topic, excerpt }));
}
