/**
 * `hostile` has names, texts, and amounts that may break a program, for tests. `ordinary` is data for a new user:
 * common names, whole cents, no unusual gaps, and reasons for what was not paid.
 */
export const corpora = ['hostile', 'ordinary'] as const;
export type Corpus = (typeof corpora)[number];

let chosen: Corpus = 'hostile';

/** Sets the corpus of the process. Call it before any data is generated: records are computed from it. */
export function chooseCorpus(corpus: Corpus): void {
  chosen = corpus;
}

export const isHostile = (): boolean => chosen === 'hostile';
