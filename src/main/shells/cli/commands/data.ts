import type { Removal } from '../../../../contract/store.ts';
import { acquireWriteLock } from '../../../lib/write-lock.ts';
import { type Runner, row } from '../command-row.ts';
import type { Printer } from '../output.ts';
import { type Command, parseDay, parseWhole } from '../parse-command.ts';
import { inSession } from '../run-in-session.ts';
import { findProfile, type Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk data take-over`. */
const runTakeOver: Runner = async ({ options }, output) => {
  const writeLock = await acquireWriteLock(findProfile({ options }).profileDir, { takesOver: true });
  await writeLock.release();
  output.info('This computer can use the profile now.');
  return 0;
};

/** `claimdesk data remove …`: removes permanently with --yes. */
async function runRemove(command: Command, output: Printer): Promise<number> {
  const { options } = command;
  const { 'claims-before': date, member, everything, workspace } = options;
  const chosen = [date, member, everything].filter((option) => option !== undefined);
  if (chosen.length > 1) throw new UsageError('use only one of --claims-before, --member, --everything');
  if (chosen.length === 0 && workspace === undefined)
    throw new UsageError('one of --claims-before DATE, --member ID, --workspace N, --everything is required');
  parseDay(date, '--claims-before');
  const memberId = parseWhole(member, '--member');
  const isSure = options.yes === true;
  return inSession(command, isSure, async (session) => {
    if (everything === true) {
      if (!isSure)
        return sayPlan(
          output,
          'everything',
          'This would remove every workspace, key, note, and setting in this profile.',
        );
      const { folders: backupsLeft } = await session
        .call('backup:getState', {})
        .catch(() => ({ folders: [] as string[] }));
      await session.call('data:removeEverything', { typed: 'remove everything' });
      await output.json({ event: 'removed', what: 'everything', backupsLeft });
      if (backupsLeft.length > 0) output.info('Backups elsewhere stay: delete their folders yourself.');
      return 0;
    }
    const { id, name } = await session.findWorkspace();
    if (date === undefined && memberId === undefined) {
      if (!isSure)
        return sayPlan(
          output,
          'workspace',
          `This would remove every record of ${name} and every note on them.`,
        );
      await session.call('workspaces:remove', { workspaceId: id });
      await removeElsewhere(session);
      await output.json({ event: 'removed', what: 'workspace', id, name });
      return 0;
    }
    const removal: Removal =
      date === undefined ? { kind: 'member', memberId: memberId as number } : { kind: 'claimsBefore', date };
    return await removeSome(session, id, removal, isSure, output);
  });
}

/** Waits until all reachable backups elsewhere are rewritten; the answer to a removal does not wait for that. */
const removeElsewhere = async (session: Session): Promise<unknown> =>
  // Why a backup failed is in the backups' state.
  (await session.getEngine()).backUpIfDue().catch(() => false);

async function removeSome(
  session: Session,
  workspaceId: string,
  removal: Removal,
  isSure: boolean,
  output: Printer,
): Promise<number> {
  if (!isSure) {
    const counts = await session.call('data:planRemoval', { workspaceId, removal });
    return sayPlan(
      output,
      removal.kind,
      'This would permanently remove these records, including backups.',
      counts,
    );
  }
  const typed = removal.kind === 'member' ? String(removal.memberId) : removal.date;
  const counts = await session.call('data:remove', { workspaceId, removal, typed });
  await removeElsewhere(session);
  await output.json({ event: 'removed', ...counts });
  output.info('Syncs skip these records from now on; `claimdesk data allow-again` allows them again.');
  return 0;
}

/** Prints the extent of a removal without --yes, and that nothing was removed. @returns the exit code */
async function sayPlan(
  output: Printer,
  what: string,
  consequence: string,
  counts: object = {},
): Promise<number> {
  await output.json({ event: 'planned', what, ...counts });
  output.info(`${consequence} Nothing was removed. Add --yes to remove.`);
  return 0;
}

/** `claimdesk data …`. */
export const dataCommands: Readonly<Record<string, Runner>> = {
  remove: runRemove,
  'allow-again': row({
    call: 'data:liftRetention',
    writes: true,
    info: () => 'The next sync returns the records that the service still has.',
  }),
  'take-over': runTakeOver,
};
