import { DeskError } from '../../../lib/errors.ts';
import type { Printer } from '../output.ts';
import { type Command, parseWhole } from '../parse-command.ts';
import { runProgram } from '../run-program.ts';

/** `claimdesk sandbox`: runs the sample service. */
export async function runSandbox(command: Command, _output: Printer): Promise<number> {
  const { options } = command;
  const args: string[] = [];
  for (const [name, min] of [
    ['port', 0],
    ['members', 1],
    ['claims', 0],
    ['seed', 0],
  ] as const) {
    const value = parseWhole(options[name], `--${name}`, min);
    if (value !== undefined) args.push(`--${name}`, String(value));
  }
  const code = await runProgram('sandbox', args);
  if (code === 0) return 0;
  throw new DeskError('sandbox.failed', { details: { exitCode: code } });
}
