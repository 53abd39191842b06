import type { backupProcedures } from '../../../contract/backup-procedures.ts';
import type { Handlers } from '../../../contract/procedures.ts';
import type { EngineState } from '../state/engine-state.ts';

/** Answers the procedures about backups elsewhere. */
export const createBackupHandlers = ({
  backups,
}: Pick<EngineState, 'backups'>): Handlers<keyof typeof backupProcedures> => ({
  'backup:getState': () => backups.getState(),
  'backup:set': (changes) => backups.set(changes),
  'backup:now': () => backups.now(),
  'backup:check': async (options) => {
    const { backups: readableBackups, damaged, bytes } = await backups.check(options);
    return { backups: [...readableBackups], damaged: [...damaged], bytes };
  },
});
