import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import { allowOptions, type Command, parseWhole } from '../parse-command.ts';
import { openSession } from '../session.ts';
import { UsageError } from '../usage.ts';

const entriesPerPage = 500;

/** `claimdesk audit list` (newest first) and `verify`, which exits 1 where the chain is broken. */
export async function runAudit(command: Command, output: Output): Promise<number> {
  const verb = command.words[1];
  if (verb !== 'list' && verb !== 'verify') throw new UsageError('use audit list or audit verify');
  allowOptions(command, verb === 'list' ? ['limit', 'offset'] : [], 2);
  const offset = parseWhole(command.options.offset, '--offset') ?? 0;
  const limit = parseWhole(command.options.limit, '--limit') ?? Number.MAX_SAFE_INTEGER;
  const session = await openSession({ options: command.options, writes: false });
  try {
    if (verb === 'verify') {
      const verdict = await session.call('audit:verify', {});
      await output.json(verdict);
      if (!verdict.isIntact) {
        throw new DeskError('audit.broken', {
          details: { firstBad: verdict.firstBad, reason: verdict.reason },
        });
      }
      return 0;
    }
    for (let at = 0; at < limit; at += entriesPerPage) {
      const { entries } = await session.call('audit:list', {
        offset: offset + at,
        limit: Math.min(entriesPerPage, limit - at),
      });
      for (const entry of entries) await output.json(entry);
      if (entries.length < entriesPerPage) break;
    }
    return 0;
  } finally {
    await session.close();
  }
}
