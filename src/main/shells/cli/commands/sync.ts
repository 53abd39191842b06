import type { RecordChange, SyncReceipt } from '../../../../contract/sync.ts';
import { type DeskError, fromErrorReport } from '../../../lib/errors.ts';
import { inWork, type Runner, row } from '../command-row.ts';
import type { Printer } from '../output.ts';
import { type Command, parseId, parseReason } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';

const changesPerCall = 500;

/** `claimdesk sync changes [SYNC]`: what a sync changed, one record a line; the newest sync by default. */
async function runChanges(command: Command, output: Printer): Promise<number> {
  const syncId = command.words[2];
  const isJson = command.options.json === true;
  const reason = parseReason(command.options);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const engine = await session.getEngine();
    for (let offset = 0; ; offset += changesPerCall) {
      const page = await session.call('sync:listChanges', {
        workspaceId,
        syncId,
        offset,
        limit: changesPerCall,
        order: 'logged',
      });
      if (offset === 0)
        await engine.auditListed({
          workspaceId,
          source: { kind: 'changes', syncId: page.syncId ?? '' },
          rows: page.total,
          reason,
        });
      for (const change of page.changes) {
        if (isJson) await output.json(change);
        else for (const line of sayChange(change)) await output.line(line);
      }
      if (offset + changesPerCall < page.total) continue;
      if (isJson)
        await output.json({ event: 'changes', runId: page.syncId, total: page.total, ...page.counts });
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

type Ended = { receipt: SyncReceipt; error: DeskError | null };

/** `claimdesk sync` and `sync quick`: exit 0 only where the records are verified complete. */
async function runSync(command: Command, output: Printer): Promise<number> {
  const { options } = command;
  const [accepts, declines] = [options['accept-loss'] === true, options['decline-loss'] === true];
  if (accepts && declines) throw new UsageError('--accept-loss and --decline-loss can’t be used together');
  return inWorkspace(command, true, async (session, workspaceId) => {
    if (declines) {
      await session.call('sync:answerLoss', { workspaceId, answer: 'decline' });
      await output.json({ event: 'declined' });
      return 0;
    }
    let ended = accepts
      ? await acceptLoss(session, workspaceId)
      : await syncWorkspace(
          session,
          workspaceId,
          output,
          options.json === true,
          command.words[1] === 'quick' ? 'sync:refresh' : 'sync:start',
        );
    // The earlier sync left no question: missing records that this sync finds are accepted as well.
    if (ended === null) {
      ended = await syncWorkspace(session, workspaceId, output, options.json === true);
      if (ended.error?.code === 'sync.suddenLoss') ended = (await acceptLoss(session, workspaceId)) ?? ended;
    }
    await printLeftOut(session, workspaceId, output);
    await output.json(summarize(ended.receipt));
    if (ended.error !== null) throw ended.error;
  });
}

/** `claimdesk sync member ID` and `sync connection ID`: reads one member or connection again. */
const runRefresh = inWork(true, async ({ session, workspaceId, command: { words, options }, output }) => {
  const id = parseId(words[2]);
  const keys = { employerKey: options['employer-key'], memberKey: options['member-key'] };
  const what =
    words[1] === 'member'
      ? { kind: 'member' as const, memberId: id, ...keys, vendorTenantLabel: options['vendor-tenant'] }
      : { kind: 'connection' as const, policyHolderId: id };
  const { syncId: runId, ...done } = await session.call('sync:refreshRecord', { workspaceId, what });
  await output.json({ event: 'done', runId, ...done });
});

/** `claimdesk sync …`. */
export const syncCommands: Readonly<Record<string, Runner>> = {
  '': runSync,
  quick: runSync,
  member: runRefresh,
  connection: runRefresh,
  status: row({
    call: 'sync:getStatus',
    lines: ({ running: _running, ...status }) => [{ event: 'status', ...status }],
  }),
  changes: runChanges,
};

/** Prints, after each sync, how many records were left out because the user removed them here. */
async function printLeftOut(session: Session, workspaceId: string, output: Printer): Promise<void> {
  const { retention } = await session.call('store:getState', { workspaceId });
  const { claimsBefore, memberIds } = retention;
  if (claimsBefore === null && memberIds.length === 0) return;
  await output.json({ event: 'left-out', claimsBefore, memberIds });
  output.info('Skipped because they were removed here; `claimdesk data allow-again` allows them again.');
}

/** Marks the records that the last sync asked about as missing; null where it asked nothing. */
async function acceptLoss(session: Session, workspaceId: string): Promise<Ended | null> {
  if ((await session.call('sync:getStatus', { workspaceId })).lossQuestion === null) return null;
  await session.call('sync:answerLoss', { workspaceId, answer: 'accept' });
  const { lastReceipt } = await session.call('sync:getStatus', { workspaceId });
  return { receipt: lastReceipt as SyncReceipt, error: null };
}

/** The last line of a sync. `seconds` is elapsed time; counts are of the records now stored. */
function summarize(receipt: SyncReceipt): Record<string, unknown> {
  const { outcome, ...rest } = receipt;
  return {
    event: outcome === 'failed' || outcome === 'canceled' ? outcome : 'done',
    ...(outcome === 'refreshed' ? { isQuick: true } : {}),
    ...rest,
  };
}

/** Runs one sync to its end; SIGINT and SIGTERM cancel it, and the records received so far are kept. */
export async function syncWorkspace(
  session: Session,
  workspaceId: string,
  output: Printer,
  showsProgress: boolean,
  procedure: 'sync:start' | 'sync:refresh' = 'sync:start',
): Promise<Ended> {
  const engine = await session.getEngine();
  let cancel = (): void => undefined;
  let isCanceled = false;
  const onSignal = (): void => {
    isCanceled = true;
    cancel();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  let unsubscribe = (): void => undefined;
  try {
    const finished = new Promise<Ended>((resolve, reject) => {
      unsubscribe = engine.subscribe((event) => {
        if (event.name === 'sync:progress') {
          const { phase, read, total, recordsPerSecond, secondsLeft } = event.payload;
          if (showsProgress) void output.json({ event: 'progress', phase, read, total, secondsLeft });
          else output.info(`${phase} ${read} of ${total ?? '?'} (${recordsPerSecond}/s)`);
        } else if (event.name === 'sync:finished') {
          const { receipt, error } = event.payload;
          resolve({ receipt, error: error === null ? null : fromErrorReport(error) });
        } else if (event.name === 'sync:broken') reject(fromErrorReport(event.payload.error));
      });
    });
    finished.catch(() => undefined);
    await session.call(procedure, { workspaceId });
    cancel = () => void session.call('sync:cancel', { workspaceId }).catch(() => undefined);
    if (isCanceled) cancel();
    return await finished;
  } finally {
    unsubscribe();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}
