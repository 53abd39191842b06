import type { Printer } from '../output.ts';
import type { Command, OptionName } from '../parse-command.ts';
import { runProgram } from '../run-program.ts';

const passedOn = [
  'data',
  'database',
  'tls-cert',
  'tls-key',
  'port',
  'origin',
  'metrics-token-file',
  'password-file',
  'size-limit',
  'documents-limit',
] as const satisfies readonly OptionName[];

/** `claimdesk team-server`: runs the server of a team, which prints its own errors. */
export async function runTeamServer({ words, options }: Command, _output: Printer): Promise<number> {
  const args = passedOn.flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  return (await runProgram('team-server', [...words.slice(1), ...args])) ?? 1;
}
