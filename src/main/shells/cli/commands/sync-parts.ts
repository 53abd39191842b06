import type { RecordChange } from '../../../../contract/sync.ts';
import type { Output } from '../output.ts';
import { type Command, parseReason } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';

const changesPerCall = 500;

/** `claimdesk sync changes [RUN]`: what a sync changed, one record a line; the newest one unless a run is named. */
export async function runChanges(command: Command, output: Output): Promise<number> {
  const runId = command.words[2];
  const isJson = command.options.json === true;
  const reason = parseReason(command.options);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const engine = await session.getEngine();
    for (let offset = 0; ; offset += changesPerCall) {
      const page = await session.call('sync:listChanges', {
        workspaceId,
        runId,
        offset,
        limit: changesPerCall,
      });
      if (offset === 0)
        await engine.noteListed({
          workspaceId,
          source: { kind: 'changes', runId: page.runId ?? '' },
          rows: page.total,
          reason,
        });
      for (const change of page.changes) {
        if (isJson) await output.json(change);
        else for (const line of sayChange(change)) await output.line(line);
      }
      if (offset + changesPerCall < page.total) continue;
      if (isJson)
        await output.json({ event: 'changes', runId: page.runId, total: page.total, ...page.counts });
      else {
        const { counts } = page;
        output.info(
          `${counts.new} new, ${counts.changed} changed, ${counts.missing} missing, ${counts.confirmed} confirmed missing, ${counts.returned} returned`,
        );
      }
      return 0;
    }
  });
}

function sayChange(change: RecordChange): string[] {
  const head = `${change.list === 'claims' ? 'claim' : 'member'} ${change.id} ${change.change}`;
  const fields = change.fields.map(
    ({ path, before, after }) => `  ${path}: ${before ?? '(absent)'} -> ${after ?? '(absent)'}`,
  );
  return [head, ...fields, ...(change.isCut ? ['  (more not shown)'] : [])];
}
