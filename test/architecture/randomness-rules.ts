/** Chance of a test's own, which gives another answer each time. What is random comes from `test/support/seeds.ts`. */
const ownRandomness: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['Math.random', /\bMath\s*\.\s*random\b/],
  [
    'random bytes, numbers or ids',
    /\b(?:randomBytes|randomFill(?:Sync)?|randomInt|randomUUID|getRandomValues)\b/,
  ],
  ['a seed from the clock', /\bseed\w*\b[^\n;]*\b(?:Date\.now|performance\.now|hrtime|process\.pid)\b/i],
  ['a seed from the clock', /\bnew Date\(\)[^\n;]*\bseed\w*\b/i],
  ['the environment of `npm run fuzz`', /\bCLAIMDESK_FUZZ_/],
  ['a seed of all properties', /\b(?:configureGlobal|resetConfigureGlobal)\b/],
];

/** Returns each way in which a test's source draws random values itself; empty: none. */
export function findOwnRandomness(source: string): string[] {
  return ownRandomness.filter(([, pattern]) => pattern.test(source)).map(([reason]) => reason);
}
