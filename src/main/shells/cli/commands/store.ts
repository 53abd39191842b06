import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';

/** `claimdesk store state | check | repair | clean`: state, check and repair of the encrypted files. */
export async function runStore(command: Command, output: Output): Promise<number> {
  const { options, words } = command;
  switch (words[1]) {
    case 'state':
      return inWorkspace(command, false, async (session, workspaceId) => {
        await output.json(await session.call('store:getState', { workspaceId }));
      });
    case 'check':
      return inWorkspace(command, false, async (session, workspaceId) => {
        const checks = await session.call('store:check', { workspaceId, isFull: options.full === true });
        await output.json(checks);
        const isDamaged = [checks.records, checks.userData, checks.connect].some(
          (check) => check?.isSound === false,
        );
        if (isDamaged) throw new DeskError('store.damaged');
      });
    case 'repair':
      return inWorkspace(command, true, async (session, workspaceId) => {
        const report = await session.call('store:repair', {
          workspaceId,
          file: options['user-data'] === true ? 'userData' : 'records',
          mayLose: options['may-lose'] === true,
        });
        await output.json(report);
        if (report.outcome === 'needsConsent') {
          output.info('The repair would lose what is listed under "lost". Add --may-lose to repair anyway.');
          return 1;
        }
        if (report.needsSync) output.info('Sync now to get the lost records again.');
        return 0;
      });
    default:
      return inWorkspace(command, true, async (session, workspaceId) => {
        await output.json(await session.call('store:removeKeptAside', { workspaceId }));
      });
  }
}
