import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import { allowOptions, type Command } from '../parse-command.ts';
import { openSession, type Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk store state | check | repair | clean`: the files as such. */
export async function runStore(command: Command, output: Output): Promise<number> {
  const { options, words } = command;
  const isRepair = words[1] === 'repair';
  allowOptions(command, isRepair ? ['user-data', 'may-lose'] : words[1] === 'check' ? ['full'] : [], 2);
  const withWorkspace = async (
    writes: boolean,
    act: (session: Session, workspaceId: string) => Promise<number>,
  ): Promise<number> => {
    const session = await openSession({ options, writes });
    try {
      return await act(session, (await session.findWorkspace()).id);
    } finally {
      await session.close();
    }
  };
  switch (words[1]) {
    case 'state':
      return withWorkspace(false, async (session, workspaceId) => {
        await output.json(await session.call('store:getState', { workspaceId }));
        return 0;
      });
    case 'check':
      return withWorkspace(false, async (session, workspaceId) => {
        const checks = await session.call('store:check', { workspaceId, isFull: options.full === true });
        await output.json(checks);
        const isDamaged = [checks.records, checks.userData, checks.connect].some(
          (check) => check?.isSound === false,
        );
        if (isDamaged) throw new DeskError('store.damaged');
        return 0;
      });
    case 'repair':
      return withWorkspace(true, async (session, workspaceId) => {
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
    case 'clean':
      return withWorkspace(true, async (session, workspaceId) => {
        await output.json(await session.call('store:removeKeptAside', { workspaceId }));
        return 0;
      });
    default:
      throw new UsageError('use store state, check, repair, or clean');
  }
}
