/**
 * `hostile`: names, texts and amounts that may break a program, for tests. `ordinary`: what a newcomer may see:
 * names as life has them, whole cents, nothing missing that is usually there, reasons for what was turned down.
 */
export const corpora = ['hostile', 'ordinary'] as const;
export type Corpus = (typeof corpora)[number];

let chosen: Corpus = 'hostile';

/** One corpus a process, chosen before anything is generated: records follow from it and the seed alone. */
export function chooseCorpus(corpus: Corpus): void {
  chosen = corpus;
}

export const isHostile = (): boolean => chosen === 'hostile';
