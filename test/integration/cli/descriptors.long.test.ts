import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { givenCheapSecrets, vaultPassphrase } from '../../support/cheap-secrets.ts';
import { olderNode } from '../../support/older-node.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The file that a shell runs as `claimdesk`. */
const commandEntry = join(root, 'src/main/shells/cli/claimdesk.mjs');

/** Tests that a command takes passphrases from descriptors where `wrapper`, a command with arguments, starts it. */
function testDescriptors(name: string, wrapper: readonly string[]): void {
  const folder = givenTempProfile();

  /** Runs a line of bash in which `claimdesk` is a command behind the wrapper. */
  function run(line: string) {
    const profile = join(folder(), 'profile');
    givenCheapSecrets(profile);
    const { HOME, PATH, TMPDIR, LANG } = process.env;
    const script = `wrapper=("$@"); claimdesk() { "\${wrapper[@]}" "$@"; }; ${line}`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...wrapper], {
      cwd: root,
      encoding: 'utf8',
      timeout: 50_000,
      env: {
        ...{ HOME, PATH, TMPDIR, LANG, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
        ...{ CLAIMDESK_PROFILE: profile, typed: join(folder(), 'typed') },
      },
    });
    return { status, stdout, stderr };
  }

  describe(`the passphrase by descriptor, from ${name}`, () => {
    test.each([
      ['a file', 'claimdesk key generate --passphrase-fd 3 3<"$typed"'],
      ['a process', 'claimdesk key generate --passphrase-fd=3 3< <(cat "$typed")'],
      ['a pipe', 'cat "$typed" | claimdesk key generate --passphrase-fd 7 7<&0 </dev/null'],
    ])('in %s', async (_from, line) => {
      await writeFile(join(folder(), 'typed'), vaultPassphrase);
      const { status, stderr } = run(line);
      expect(status, stderr).toBe(0);
    });

    test('two at once are refused, and so is a descriptor that does not exist', async () => {
      await writeFile(join(folder(), 'typed'), vaultPassphrase);
      const two =
        'claimdesk unlock change --passphrase-fd 3 --new-passphrase-fd 5 3<"$typed" 5< <(echo a new long one)';
      const changed = run(two);
      expect(changed.status, changed.stderr).toBe(0);
      for (const descriptor of [3, 5, 99]) {
        const { status, stderr } = run(`claimdesk key generate --passphrase-fd ${descriptor}`);
        expect([status, stderr]).toEqual([2, expect.stringContaining('no such descriptor')]);
      }
    });
  });
}

testDescriptors('this Node', [process.execPath, commandEntry]);
testDescriptors('an older Node', [...olderNode(), commandEntry]);
testDescriptors('npm run', ['npm', 'run', '-s', 'claimdesk', '--']);
