import fc from 'fast-check';
import { fuzzSeed } from './seeds.ts';

// Runs before every test file (vitest.config.ts): properties without a seed of their own use this one instead of the
// clock.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: fuzzSeed });
