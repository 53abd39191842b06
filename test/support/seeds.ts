import { createHash } from 'node:crypto';

/**
 * The only source of chance in tests. In `npm test` all seeds are fixed, so that it gives the same answer every
 * time; `npm run fuzz` sets CLAIMDESK_FUZZ_SEED to a fresh number, which every seed here is then moved by.
 */
const readNumber = (name: string): number | null => {
  const value = Number(process.env[name] ?? '');
  return Number.isSafeInteger(value) && value > 0 ? value : null;
};

const askedRuns = readNumber('CLAIMDESK_FUZZ_RUNS');

/** True in `npm run fuzz`. */
export const isFuzz = askedRuns !== null;

/** What all seeds are moved by: 0 in `npm test`. */
export const fuzzSeed = readNumber('CLAIMDESK_FUZZ_SEED') ?? 0;

/** Runs of a property test: few by default, as many as asked for in the long form. */
export const fuzzRuns = (few: number): number => askedRuns ?? few;

/** The seed to use where a test has the fixed one `fixed`: a 32-bit integer. */
export const seedFrom = (fixed: number): number => (fixed + fuzzSeed) | 0;

/** Bytes without a pattern, the same for the same number: keys of test stores, contents of broken files. */
export const testBytes = (length: number, number = 1): Buffer =>
  createHash('shake256', { outputLength: length })
    .update(`${seedFrom(number)}`)
    .digest();
