import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { givenCheapVault, vaultPassphrase } from '../../support/cheap-vault.ts';

const entry = fileURLToPath(new URL('../../../src/main/shells/cli/claimdesk.mjs', import.meta.url));
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/claimdesk-tests', import.meta.url));

export type KeyCliResult = { code: number | null; stdout: string; stderr: string; errorCode: string | null };

/** Runs `claimdesk key …` in a profile with a vault; `stdin` is what a script would pipe in. */
export function runKeyCli(profileDir: string, args: readonly string[], stdin = ''): Promise<KeyCliResult> {
  givenCheapVault(profileDir);
  const child = spawn(process.execPath, [entry, '--profile', profileDir, '--json', ...args], {
    stdio: 'pipe',
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      CLAIMDESK_VAULT_PASSPHRASE: vaultPassphrase,
    },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  // A command that wants no passphrase ends without reading.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const errorCode = /^([a-z]+\.[a-zA-Z]+): /m.exec(stderr)?.[1] ?? null;
      resolve({ code, stdout, stderr, errorCode });
    });
  });
}

/** The JSON lines of a command that succeeded; throws with its stderr where it did not. */
export async function readKeyCli(
  profileDir: string,
  args: readonly string[],
  stdin = '',
): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await runKeyCli(profileDir, args, stdin);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
