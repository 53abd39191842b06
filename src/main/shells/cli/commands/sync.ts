import type { SyncReceipt } from '../../../../contract/sync.ts';
import { type DeskError, fromErrorReport } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import { allowOptions, type Command } from '../parse-command.ts';
import { openSession, type Session } from '../session.ts';

/** `claimdesk sync`: exit 0 only where the records are proven complete. */
export async function runSyncCommand(command: Command, output: Output): Promise<number> {
  allowOptions(command, [], 1);
  const session = await openSession({ options: command.options, writes: true });
  try {
    const { id } = await session.findWorkspace();
    const { receipt, error } = await syncWorkspace(session, id, output, command.options.json === true);
    await output.json(summarize(receipt));
    if (error !== null) throw error;
    return 0;
  } finally {
    await session.close();
  }
}

/** The last line of a sync. `seconds` is wall time; counts are of what is here now. */
export function summarize(receipt: SyncReceipt): Record<string, unknown> {
  const { outcome: _outcome, ...rest } = receipt;
  return {
    event: receipt.outcome === 'failed' || receipt.outcome === 'canceled' ? receipt.outcome : 'done',
    ...rest,
  };
}

/** Runs one sync to its end; SIGINT and SIGTERM cancel it, and what had come is kept. */
export async function syncWorkspace(
  session: Session,
  workspaceId: string,
  output: Output,
  tellsProgress: boolean,
): Promise<{ receipt: SyncReceipt; error: DeskError | null }> {
  const engine = await session.getEngine();
  let cancel = (): void => undefined;
  let isCanceled = false;
  const onSignal = (): void => {
    isCanceled = true;
    cancel();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  try {
    const finished = new Promise<{ receipt: SyncReceipt; error: DeskError | null }>((resolve, reject) => {
      engine.subscribe((event) => {
        if (event.name === 'sync:progress') {
          const { phase, read, total, recordsPerSecond, secondsLeft } = event.payload;
          if (tellsProgress) void output.json({ event: 'progress', phase, read, total, secondsLeft });
          else output.note(`${phase} ${read} of ${total ?? '?'} (${recordsPerSecond}/s)`);
        } else if (event.name === 'sync:finished') {
          const { receipt, error } = event.payload;
          resolve({ receipt, error: error === null ? null : fromErrorReport(error) });
        } else if (event.name === 'sync:broken') reject(fromErrorReport(event.payload.error));
      });
    });
    finished.catch(() => undefined);
    await session.call('sync:start', { workspaceId });
    cancel = () => void session.call('sync:cancel', { workspaceId }).catch(() => undefined);
    if (isCanceled) cancel();
    return await finished;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}
