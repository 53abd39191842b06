import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Handlers } from '../../../contract/procedures.ts';
import type {
  Removal,
  RepairReport,
  RetentionRules,
  StoreCheck,
  StoreFile,
  StoreFileState,
} from '../../../contract/store.ts';
import { DeskError } from '../../lib/errors.ts';
import { listBackups } from '../store/file/backup.ts';
import { listKept, readMarks, sideFilesOf } from '../store/file/side-files.ts';
import type { EngineState } from './engine-state.ts';

type Names =
  | 'store:getState'
  | 'store:check'
  | 'store:repair'
  | 'store:removeKeptAside'
  | 'data:planRemoval'
  | 'data:remove'
  | 'data:liftRetention';

/** Procedures on files as a whole: checks, repairs, backups, and the removal of data. */
export function createStoreHandlers(
  state: EngineState,
  ports: {
    /** Ends operations that use the records of a workspace. */
    readonly stopWork: (workspaceId: string) => Promise<void>;
    /** null: nothing of Connect is stored. */
    readonly checkConnect: (workspaceId: string, isFull: boolean) => Promise<StoreCheck | null>;
    /** Removes what Connect stores of a member. */
    readonly forgetInConnect: (workspaceId: string, email: string) => Promise<void>;
  },
): Handlers<Names> {
  const { files } = state;
  const noRules: RetentionRules = { claimsBefore: null, memberIds: [] };

  const pathOf = async (workspaceId: string, file: StoreFile): Promise<string> =>
    file === 'records' ? files.recordsPath(workspaceId) : (await files.getUserData(workspaceId)).filePath;

  /** Open lists are closed, since rows may have been removed. */
  const rewrite: typeof files.whileClosed = async (workspaceId, act) => {
    if (state.isReadOnly) throw new DeskError('profile.busy');
    await ports.stopWork(workspaceId);
    try {
      return await files.whileClosed(workspaceId, act);
    } finally {
      state.emit({ name: 'records:changed', payload: { workspaceId } });
    }
  };

  const checkOne = async (
    workspaceId: string,
    file: StoreFile,
    isFull: boolean,
  ): Promise<StoreCheck | null> => {
    const path = await pathOf(workspaceId, file);
    if (!existsSync(path) && !existsSync(sideFilesOf(path).keyCheck)) return null;
    try {
      return await files.whileOpen(workspaceId, file, (maintenance) =>
        maintenance.call('check', { file, isFull }),
      );
    } catch (thrown) {
      if (!(thrown instanceof DeskError) || thrown.code !== 'store.damaged') throw thrown;
      return {
        at: new Date(state.clock.now()).toISOString(),
        isFull,
        isSound: false,
        problems: 1,
        seconds: 0,
      };
    }
  };

  const countWritten = async (workspaceId: string) => {
    const userData = await files.getUserData(workspaceId);
    return userData.isThere() ? userData.call('countWritten', { workspaceId }) : [];
  };
  const plan = async (workspaceId: string, removal: Removal) => {
    const written = await countWritten(workspaceId);
    return files.whileOpen(workspaceId, 'records', (maintenance) =>
      maintenance.call('planRemoval', { removal, written }),
    );
  };

  const readEmail = async (workspaceId: string, memberId: number): Promise<string | null> => {
    const wanted = { entity: 'members' as const, keys: [memberId], fields: ['email'] };
    const [row] = await (await state.getStore(workspaceId)).read('readRows', wanted);
    return typeof row?.email === 'string' ? row.email : null;
  };

  return {
    'store:getState': async ({ workspaceId }) => {
      const records = describeFile(
        await pathOf(workspaceId, 'records'),
        'records',
        files.isDamaged(workspaceId),
      );
      const userData = describeFile(await pathOf(workspaceId, 'userData'), 'userData', false);
      let retention = noRules;
      if (records.isThere && !records.isDamaged) {
        try {
          retention = await (await state.getStore(workspaceId)).read('readRetention', null);
        } catch (thrown) {
          if (!(thrown instanceof DeskError) || thrown.code !== 'store.damaged') throw thrown;
          records.isDamaged = true;
        }
      }
      return { records, userData, retention };
    },
    'store:check': async ({ workspaceId, isFull }) => {
      const records = await checkOne(workspaceId, 'records', isFull);
      const userData = await checkOne(workspaceId, 'userData', isFull);
      const connect = await ports.checkConnect(workspaceId, isFull);
      if (records !== null) files.markDamaged(workspaceId, !records.isSound);
      state.emit({ name: 'store:changed', payload: { workspaceId } });
      return { records, userData, connect };
    },
    'store:repair': async ({ workspaceId, file, mayLose }) => {
      const repair = (maintenance: Parameters<Parameters<typeof rewrite>[1]>[0]): Promise<RepairReport> =>
        maintenance.call('repair', { file, mayLose });
      const report =
        file === 'records'
          ? await rewrite(workspaceId, repair)
          : await files.whileOpen(workspaceId, 'userData', repair);
      if (file === 'records') files.markDamaged(workspaceId, report.outcome === 'needsConsent');
      state.emit({ name: 'store:changed', payload: { workspaceId } });
      if (report.outcome === 'repaired') {
        await state.auditAction(workspaceId, 'store.repaired', {
          file,
          steps: report.steps.map(({ step, outcome }) => `${step} ${outcome}`).join(', '),
          lost: report.lost.map(({ what, count }) => `${what} ${count ?? 'unknown'}`).join(', '),
        });
      }
      return report;
    },
    'store:removeKeptAside': async ({ workspaceId }) => {
      if (state.isReadOnly) throw new DeskError('profile.busy');
      let count = 0;
      for (const file of ['records', 'userData'] as const) {
        const { keptAsideDir } = sideFilesOf(await pathOf(workspaceId, file));
        for (const name of existsSync(keptAsideDir) ? readdirSync(keptAsideDir) : []) {
          rmSync(join(keptAsideDir, name), { force: true });
          count += 1;
        }
      }
      await state.auditAction(workspaceId, 'store.asideRemoved', { files: count });
      state.emit({ name: 'store:changed', payload: { workspaceId } });
      return { isDone: true, files: count };
    },
    'data:planRemoval': async ({ workspaceId, removal }) => (await plan(workspaceId, removal)).counts,
    'data:remove': async ({ workspaceId, removal, typed }) => {
      const wanted = removal.kind === 'member' ? String(removal.memberId) : removal.date;
      if (typed.trim() !== wanted) throw new DeskError('data.notConfirmed');
      if (state.isReadOnly) throw new DeskError('profile.busy');
      // Before the records: the member's email is not known without them, should this end in between.
      if (removal.kind === 'member') {
        const email = await readEmail(workspaceId, removal.memberId);
        if (email !== null) await ports.forgetInConnect(workspaceId, email);
      }
      const { counts, written } = await rewrite(workspaceId, async (maintenance) => {
        const planned = await maintenance.call('planRemoval', {
          removal,
          written: await countWritten(workspaceId),
        });
        // Before the records: which reviews are theirs is not known without them, should this end in between.
        if (planned.written.length > 0) {
          const userData = await files.getUserData(workspaceId);
          await userData.call('forgetWritten', { workspaceId, claimIds: planned.written });
        }
        await maintenance.call('removeRecords', { removal });
        return planned;
      });
      if (written.length > 0)
        state.emit({ name: 'reviews:changed', payload: { workspaceId, claimIds: null } });
      await state.auditAction(workspaceId, 'records.removed', {
        what: removal.kind,
        ...(removal.kind === 'member' ? { memberId: removal.memberId } : { before: removal.date }),
        members: counts.members,
        claims: counts.claims,
        reviews: counts.reviews,
      });
      return counts;
    },
    'data:liftRetention': async ({ workspaceId }) => {
      await rewrite(workspaceId, (maintenance) => maintenance.call('liftRetention', null));
      await state.auditAction(workspaceId, 'retention.lifted', {});
      return { isDone: true };
    },
  };
}

function describeFile(path: string, file: StoreFile, isKnownDamaged: boolean): StoreFileState {
  const { log, keyCheck, keptAsideDir } = sideFilesOf(path);
  const { lastCheck, lastRepair, failedBackup } = readMarks(path);
  const sizeOf = (one: string): number => (existsSync(one) ? statSync(one).size : 0);
  const isThere = existsSync(path) || existsSync(keyCheck);
  return {
    file,
    isThere,
    bytes: sizeOf(path) + sizeOf(log),
    isDamaged:
      isKnownDamaged ||
      (lastCheck?.isSound === false && (lastRepair === null || lastRepair.at < lastCheck.at)),
    lastCheck,
    lastRepair,
    backups: listBackups(path),
    failedBackup,
    keptAside: listKept(keptAsideDir, path),
  };
}
