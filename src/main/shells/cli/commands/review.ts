import type { Output } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { UsageError } from '../usage.ts';
import { runWorklist } from './review-worklist.ts';

/** `claimdesk review …`: claims that wait for a person. */
export async function runReview(command: Command, output: Output): Promise<number> {
  if (command.words[1] === 'worklist') return runWorklist(command, output);
  throw new UsageError('review needs worklist');
}
