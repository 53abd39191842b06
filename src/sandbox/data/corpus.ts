/**
 * `hostile`: names, texts and amounts that may break a program, for tests. `ordinary`: data that a new user may see:
 * common names, whole cents, no unusual gaps, reasons for what was not paid.
 */
export const corpora = ['hostile', 'ordinary'] as const;
export type Corpus = (typeof corpora)[number];

let chosen: Corpus = 'hostile';

/**
 * Sets the corpus of the process. To be called before any data is generated, because records are computed from the
 * corpus and the seed.
 */
export function chooseCorpus(corpus: Corpus): void {
  chosen = corpus;
}

export const isHostile = (): boolean => chosen === 'hostile';
