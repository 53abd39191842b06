import fc from 'fast-check';
import { fuzzSeed } from './seeds.ts';

// Before every test file (vitest.config.ts): properties that name no seed draw from this one, not from the clock.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: fuzzSeed });
