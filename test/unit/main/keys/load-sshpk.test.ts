import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

// A separate process runs it: other tests here have loaded sshpk already.
const program = `
  import { generateKeyPairSync } from 'node:crypto';
  import { createRequire } from 'node:module';
  const isLoaded = () =>
    Object.keys(createRequire(import.meta.url).cache).some((path) => /[\\\\/]node_modules[\\\\/]sshpk[\\\\/]/.test(path));
  await import('./src/main/desk.ts');
  const { readKeyFacts } = await import('./src/main/keys/key-facts.ts');
  const { normalizeJwk } = await import('./src/main/keys/private-jwk.ts');
  const before = isLoaded();
  const jwk = normalizeJwk(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  const { type } = readKeyFacts(jwk, 'a');
  process.stdout.write(JSON.stringify({ before, type, after: isLoaded() }));
`;

test('main loads sshpk with the first key that needs it', () => {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(JSON.parse(said)).toEqual({ before: false, type: 'ed25519', after: true });
});
