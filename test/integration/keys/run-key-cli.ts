import { type CliResult, codeOf, readLines, runCommand } from '../../support/cli-run.ts';

export type KeyCliResult = CliResult & { errorCode: string | null };

/** Runs `claimdesk … --json` in a profile with a vault; `stdin` is what a script would pipe in. */
export async function runKeyCli(profile: string, args: readonly string[], stdin = ''): Promise<KeyCliResult> {
  const result = await runCommand(['--json', ...args], { profile, stdin });
  return { ...result, errorCode: codeOf(result) ?? null };
}

/** The JSON lines of a command that succeeded; throws with its stderr where it did not. */
export async function readKeyCli(
  profile: string,
  args: readonly string[],
  stdin = '',
): Promise<Record<string, unknown>[]> {
  const result = await runKeyCli(profile, args, stdin);
  if (result.code !== 0) throw new Error(`${args.join(' ')} ended with ${result.code}: ${result.stderr}`);
  return readLines(result);
}
