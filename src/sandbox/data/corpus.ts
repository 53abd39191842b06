/**
 * `hostile`: names, texts and amounts that may break a program, for tests. `ordinary`: what a new user may see:
 * common names, whole cents, no unusual gaps, reasons for what was not paid.
 */
export const corpora = ['hostile', 'ordinary'] as const;
export type Corpus = (typeof corpora)[number];

let chosen: Corpus = 'hostile';

/** Chooses the corpus of the process, before anything is generated: records follow from it and the seed alone. */
export function chooseCorpus(corpus: Corpus): void {
  chosen = corpus;
}

export const isHostile = (): boolean => chosen === 'hostile';
