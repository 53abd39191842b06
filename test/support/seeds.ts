import { createHash } from 'node:crypto';

/**
 * All seeds of tests come from here. In `npm test` they are fixed, so that it gives the same result every time; `npm
 * run fuzz` sets CLAIMDESK_FUZZ_SEED to a fresh number, which is added to every seed.
 */
const readNumber = (name: string): number | null => {
  const value = Number(process.env[name] ?? '');
  return Number.isSafeInteger(value) && value > 0 ? value : null;
};

const askedRuns = readNumber('CLAIMDESK_FUZZ_RUNS');

/** True in `npm run fuzz`. */
export const isFuzz = askedRuns !== null;

/** The number that is added to all seeds: 0 in `npm test`. */
export const fuzzSeed = readNumber('CLAIMDESK_FUZZ_SEED') ?? 0;

/** Runs of a property test: `few` in `npm test`, as many as requested in `npm run fuzz`. */
export const fuzzRuns = (few: number): number => askedRuns ?? few;

/** The seed of a test whose fixed seed is `fixed`: a 32-bit integer. */
export const seedFrom = (fixed: number): number => (fixed + fuzzSeed) | 0;

/** Random bytes that are the same for the same number: keys of test stores, contents of broken files. */
export const testBytes = (length: number, number = 1): Buffer =>
  createHash('shake256', { outputLength: length })
    .update(`${seedFrom(number)}`)
    .digest();
