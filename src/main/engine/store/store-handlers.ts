import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditRecord } from '../../../contract/audit.ts';
import type { EngineProcedureName, Handlers, Output, ParsedInput } from '../../../contract/procedures.ts';
import type {
  RemovalCounts,
  RepairReport,
  RetentionRules,
  StoreCheck,
  StoreFile,
  StoreFileState,
  TeamRemoval,
} from '../../../contract/store.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { bindProcedures, type ProceduresOver } from '../ipc/bind-procedures.ts';
import type { EngineState } from '../state/engine-state.ts';
import { listBackups } from './file/backup.ts';
import { listKept, readMarks, sideFilesOf } from './file/side-files.ts';
import { checkDocuments } from './threads/check-documents.ts';
import type { MaintenanceThread } from './threads/maintenance-thread.ts';
import type { Store } from './threads/store.ts';

type Names = Extract<EngineProcedureName, `store:${string}` | `data:${string}`>;

/** The parts of the engine that procedures on whole files need. */
interface FileContext {
  readonly state: EngineState;
  /** Ends operations that use the records of a workspace. */
  stopWork(workspaceId: string): Promise<void>;
  /** Checks the stored Connect data; null: there is none. */
  checkConnect(workspaceId: string, isFull: boolean): Promise<StoreCheck | null>;
}

const noRules: RetentionRules = { claimsBefore: null, memberIds: [] };

const pathOf = async (
  { state: { files } }: FileContext,
  workspaceId: string,
  file: StoreFile,
): Promise<string> =>
  file === 'records' ? files.recordsPath(workspaceId) : (await files.getUserData(workspaceId)).filePath;

/** Runs `act` with the records closed. Open lists are closed, because rows may have been removed. */
async function rewrite<T>(
  { state, stopWork }: FileContext,
  workspaceId: string,
  act: (maintenance: MaintenanceThread) => Promise<T>,
): Promise<T> {
  if (state.isReadOnly) throw new DeskError('profile.busy');
  await stopWork(workspaceId);
  try {
    return await state.files.whileClosed(workspaceId, act);
  } finally {
    state.emit({ name: 'records:changed', payload: { workspaceId } });
  }
}

async function checkOne(
  context: FileContext,
  workspaceId: string,
  file: StoreFile,
  isFull: boolean,
): Promise<StoreCheck | null> {
  const { files, clock } = context.state;
  const path = await pathOf(context, workspaceId, file);
  if (!existsSync(path) && !existsSync(sideFilesOf(path).keyCheck)) return null;
  try {
    return await files.whileOpen(workspaceId, file, (maintenance) =>
      maintenance.call('check', { file, isFull }),
    );
  } catch (thrown) {
    if (!(thrown instanceof DeskError) || thrown.code !== 'store.damaged') throw thrown;
    return { at: new Date(clock.now()).toISOString(), isFull, isSound: false, problems: 1, seconds: 0 };
  }
}

async function countWritten({ state }: FileContext, workspaceId: string) {
  const userData = await state.files.getUserData(workspaceId);
  return userData.isThere() ? userData.call('countWritten', { workspaceId }) : [];
}

async function readEmail(
  { state }: FileContext,
  workspaceId: string,
  memberId: number,
): Promise<string | null> {
  const query = { entity: 'members' as const, keys: [memberId], fields: ['email'] };
  const [row] = await (await state.getStore(workspaceId)).read('readRows', query);
  return typeof row?.email === 'string' ? row.email : null;
}

const ruleOf = (removal: TeamRemoval): AuditRecord['details'] => {
  if (removal.kind === 'member') return { memberId: removal.memberId };
  if (removal.kind === 'employer') return { employerId: removal.employerId };
  return removal.kind === 'claimsBefore' ? { before: removal.date } : {};
};

const describeRemoval = (
  removal: TeamRemoval,
  counts: RemovalCounts,
  isOfTeam: boolean,
): AuditRecord['details'] => ({
  what: removal.kind,
  ...ruleOf(removal),
  ...(isOfTeam ? { isOfTeam } : {}),
  members: counts.members,
  claims: counts.claims,
  reviews: counts.reviews,
});

/** Removes the records, and then what `finishRemoval` names. @throws DeskError `data.noSpace`: nothing was changed */
async function removeData(
  context: FileContext,
  { workspaceId, removal, typed }: ParsedInput<'data:remove'>,
): Promise<Output<'data:remove'>> {
  const { state } = context;
  const confirmation = removal.kind === 'member' ? String(removal.memberId) : removal.date;
  if (typed.trim() !== confirmation) throw new DeskError('data.notConfirmed');
  if (state.isReadOnly) throw new DeskError('profile.busy');
  if (!(await state.main.findWorkspace(workspaceId)).workspace.isSample)
    await state.main.confirmRemoval({ before: removal.kind === 'member' ? null : removal.date });
  await state.files.finishBegun(workspaceId);
  const email = removal.kind === 'member' ? await readEmail(context, workspaceId, removal.memberId) : null;
  return rewriteWithout(context, workspaceId, removal, {
    emails: email === null ? [] : [email],
    claimIds: null,
  });
}

/** Rewrites the records without those of a removal. `claimIds`: for the team, also claims that are not here. */
async function rewriteWithout(
  context: FileContext,
  workspaceId: string,
  removal: TeamRemoval,
  { emails, claimIds }: { emails: readonly string[]; claimIds: readonly number[] | null },
): Promise<RemovalCounts> {
  const { state } = context;
  const isOfTeam = claimIds !== null;
  const counts = await rewrite(context, workspaceId, async (maintenance) => {
    const written = await countWritten(context, workspaceId);
    const planned = await maintenance.call('planRemoval', { removal, written });
    // If this entry cannot be written, nothing is removed.
    await state.auditAction(
      workspaceId,
      'records.removalBegun',
      describeRemoval(removal, planned.counts, isOfTeam),
    );
    await maintenance
      .call('removeRecords', {
        removal,
        unfinished: {
          removal,
          isOfTeam,
          emails,
          counts: planned.counts,
          written: [...new Set([...planned.written, ...(claimIds ?? [])])],
        },
      })
      .catch((thrown: unknown) => {
        const error = toDeskError(thrown);
        throw error.code === 'disk.full' ? new DeskError('data.noSpace', { cause: thrown }) : error;
      });
    return planned.counts;
  });
  await state.files.finishBegun(workspaceId);
  return counts;
}

/**
 * Removes from this computer what was removed for the team. Where the records contain nothing of it, only the rule is
 * stored and reviews are removed. Called again, it removes what remains.
 * @throws DeskError `data.noSpace`, `store.*`
 */
export async function removeForTeam(
  context: FileContext,
  {
    workspaceId,
    removal,
    claimIds,
  }: { workspaceId: string; removal: TeamRemoval; claimIds: readonly number[] },
): Promise<void> {
  const { state } = context;
  await state.files.finishBegun(workspaceId);
  const written = await countWritten(context, workspaceId);
  const planned = await state.files.whileOpen(workspaceId, 'records', (maintenance) =>
    maintenance.call('planRemoval', { removal, written }),
  );
  const { members, claims } = planned.counts;
  if (members + claims > 0) {
    await rewriteWithout(context, workspaceId, removal, { emails: planned.emails, claimIds });
    return;
  }
  const store = await state.getStore(workspaceId);
  await store.write('addTeamRule', removal);
  await keepRules(state, workspaceId, store);
  const reviewed = new Set(written.map(({ claimId }) => claimId));
  const here = claimIds.filter((claimId) => reviewed.has(claimId));
  if (here.length === 0) return;
  const counts = { ...planned.counts, reviews: here.length };
  await state.auditAction(workspaceId, 'records.removalBegun', describeRemoval(removal, counts, true));
  await forgetWritten(state, workspaceId, here);
  state.emit({ name: 'reviews:changed', payload: { workspaceId, claimIds: null } });
  await state.auditAction(workspaceId, 'records.removed', describeRemoval(removal, counts, true));
}

/** Copies the rules of removals to the user data, which backups contain. */
async function keepRules({ files }: EngineState, workspaceId: string, store: Store): Promise<void> {
  const rules = await store.read('readStoredRules', null);
  const userData = await files.getUserData(workspaceId);
  if (rules !== null || userData.isThere()) await userData.call('keepRules', { workspaceId, rules });
}

/**
 * Completes a removal of records, as the new file describes it: removes the member from Connect's data and the reviews
 * of the removed claims, and writes the audit entry. After a kill or a full disk, this runs again when the records are
 * next opened. Repeating a step has no effect, except that the audit entry is written a second time.
 */
export async function finishRemoval(
  state: EngineState,
  forgetInConnect: (workspaceId: string, email: string) => Promise<void>,
  workspaceId: string,
  store: Store,
): Promise<void> {
  if ((await store.read('readStoredRules', null)) !== null) await keepRules(state, workspaceId, store);
  const unfinished = await store.write('readUnfinishedRemoval', null);
  if (unfinished === null) return;
  const { removal, counts, written, emails, isOfTeam = false } = unfinished;
  for (const email of emails ?? []) await forgetInConnect(workspaceId, email);
  if (written.length > 0) {
    await forgetWritten(state, workspaceId, written);
    state.emit({ name: 'reviews:changed', payload: { workspaceId, claimIds: null } });
  }
  await state.auditAction(workspaceId, 'records.removed', describeRemoval(removal, counts, isOfTeam));
  await store.write('endRemoval', null);
}

/** Permanently removes here what users wrote about these claims, and has it removed from backups elsewhere. */
async function forgetWritten(
  { files, backups }: EngineState,
  workspaceId: string,
  claimIds: readonly number[],
): Promise<void> {
  const userData = await files.getUserData(workspaceId);
  const forget = () => userData.call('forgetWritten', { workspaceId, claimIds });
  if (userData === files.userData) await backups.keepRemoved({ workspaceId, claimIds }, forget);
  else await forget();
}

async function repair(
  context: FileContext,
  { workspaceId, file, mayLose }: ParsedInput<'store:repair'>,
): Promise<RepairReport> {
  const { state } = context;
  const call = (maintenance: MaintenanceThread): Promise<RepairReport> =>
    maintenance.call('repair', { file, mayLose });
  const report =
    file === 'records'
      ? await rewrite(context, workspaceId, call)
      : await state.files.whileOpen(workspaceId, 'userData', call);
  if (file === 'records') state.files.markDamaged(workspaceId, report.outcome === 'needsConsent');
  state.emit({ name: 'store:changed', payload: { workspaceId } });
  if (report.outcome === 'repaired') {
    await state.auditAction(workspaceId, 'store.repaired', {
      file,
      steps: report.steps.map(({ step, outcome }) => `${step} ${outcome}`).join(', '),
      lost: report.lost.map(({ what, count }) => `${what} ${count ?? 'unknown'}`).join(', '),
    });
  }
  return report;
}

const storeProcedures: ProceduresOver<Names, FileContext> = {
  'store:getState': async (context, { workspaceId }) => {
    const { files, getStore } = context.state;
    const recordsPath = await pathOf(context, workspaceId, 'records');
    const userDataPath = await pathOf(context, workspaceId, 'userData');
    const records = describeFile(recordsPath, 'records', files.isDamaged(workspaceId));
    const userData = describeFile(userDataPath, 'userData', false);
    const { documents } = readMarks(userDataPath);
    let retention = noRules;
    if (records.isThere && !records.isDamaged) {
      try {
        retention = await (await getStore(workspaceId)).read('readRetention', null);
      } catch (thrown) {
        if (!(thrown instanceof DeskError) || thrown.code !== 'store.damaged') throw thrown;
        records.isDamaged = true;
      }
    }
    return { records, userData, documents, retention };
  },
  'store:check': async (context, { workspaceId, isFull }) => {
    const records = await checkOne(context, workspaceId, 'records', isFull);
    const userData = await checkOne(context, workspaceId, 'userData', isFull);
    const connect = await context.checkConnect(workspaceId, isFull);
    const { files, clock } = context.state;
    const data = await files.getUserData(workspaceId);
    const at = new Date(clock.now()).toISOString();
    const documents = data.isThere() ? await checkDocuments(data, { workspaceId, isFull, at }) : null;
    if (records !== null) context.state.files.markDamaged(workspaceId, !records.isSound);
    context.state.emit({ name: 'store:changed', payload: { workspaceId } });
    return { records, userData, connect, documents };
  },
  'store:repair': repair,
  'store:removeKeptAside': async (context, { workspaceId }) => {
    const { state } = context;
    if (state.isReadOnly) throw new DeskError('profile.busy');
    let count = 0;
    for (const file of ['records', 'userData'] as const) {
      const { keptAsideDir } = sideFilesOf(await pathOf(context, workspaceId, file));
      for (const name of existsSync(keptAsideDir) ? readdirSync(keptAsideDir) : []) {
        rmSync(join(keptAsideDir, name), { force: true });
        count += 1;
      }
    }
    await state.auditAction(workspaceId, 'store.asideRemoved', { files: count });
    state.emit({ name: 'store:changed', payload: { workspaceId } });
    return { isDone: true, files: count };
  },
  'data:planRemoval': async (context, { workspaceId, removal }) => {
    const written = await countWritten(context, workspaceId);
    const planned = await context.state.files.whileOpen(workspaceId, 'records', (maintenance) =>
      maintenance.call('planRemoval', { removal, written }),
    );
    return planned.counts;
  },
  'data:remove': removeData,
  'data:liftRetention': async (context, { workspaceId }) => {
    await rewrite(context, workspaceId, (maintenance) => maintenance.call('liftRetention', null));
    await keepRules(context.state, workspaceId, await context.state.getStore(workspaceId));
    await context.state.auditAction(workspaceId, 'retention.lifted', {});
    return { isDone: true };
  },
};

/** Answers the procedures on whole files: checks, repairs, backups, and the removal of data. */
export const createStoreHandlers = (context: FileContext): Handlers<Names> =>
  bindProcedures(storeProcedures, () => context);

function describeFile(path: string, file: StoreFile, isKnownDamaged: boolean): StoreFileState {
  const { log, keyCheck, keptAsideDir } = sideFilesOf(path);
  const { lastCheck, lastRepair, failedBackup } = readMarks(path);
  const sizeOf = (filePath: string): number => (existsSync(filePath) ? statSync(filePath).size : 0);
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
