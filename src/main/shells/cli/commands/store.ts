import { DeskError } from '../../../lib/errors.ts';
import { inWork, row } from '../command-row.ts';

/** `claimdesk store …`: state, check and repair of the encrypted files. */
export const storeCommands = {
  state: row({ call: 'store:getState' }),
  check: inWork(false, async ({ session, workspaceId, command, output }) => {
    const isFull = command.options.full === true;
    const checks = await session.call('store:check', { workspaceId, isFull });
    await output.json(checks);
    const { documents, ...files } = checks;
    if (Object.values(files).some((check) => check?.isSound === false)) throw new DeskError('store.damaged');
    const [problem] = documents?.problems ?? [];
    if (problem !== undefined) throw new DeskError(problem.code);
  }),
  repair: inWork(true, async ({ session, workspaceId, command: { options }, output }) => {
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
  }),
  clean: row({ call: 'store:removeKeptAside', writes: true }),
};
