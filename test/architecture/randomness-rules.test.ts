import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzSeed } from '../support/seeds.ts';
import { findOwnRandomness } from './randomness-rules.ts';

const tests = fileURLToPath(new URL('..', import.meta.url));
/** The two that hand out what is random, and the two that name it here to refuse it. */
const exempt = [
  'support/seeds.ts',
  'support/seed-properties.ts',
  'architecture/randomness-rules.ts',
  'architecture/randomness-rules.test.ts',
];
const sources = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !exempt.includes(path));

it('no test draws anything by chance itself', () => {
  expect(sources.length).toBeGreaterThan(300);
  const found = sources
    .map((path) => [path, ...findOwnRandomness(readFileSync(join(tests, path), 'utf8'))])
    .filter((entry) => entry.length > 1);
  expect(found).toEqual([]);
});

it.each([
  ['const at = Math.random() * 5;'],
  ["import { randomBytes } from 'node:crypto';"],
  ['crypto.getRandomValues(bytes)'],
  ['const folder = join(temporary, randomUUID());'],
  ['fc.assert(property, { seed: Date.now() });'],
  ['const seed = Number(process.hrtime.bigint());'],
  ['const runs = Number(process.env.CLAIMDESK_FUZZ_RUNS ?? 10);'],
  ['fc.configureGlobal({ seed: 5 });'],
])('refuses a planted violation: %s', (source) => {
  expect(findOwnRandomness(source)).not.toEqual([]);
});

it('properties and samples that name no seed have the fixed one', () => {
  expect(fc.readConfigureGlobal()).toMatchObject({ seed: fuzzSeed });
  expect(fc.check(fc.property(fc.integer(), () => true)).seed).toBe(fuzzSeed);
  expect(fc.sample(fc.integer(), 20)).toEqual(fc.sample(fc.integer(), 20));
});
