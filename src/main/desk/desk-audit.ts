import type { AuditRecord } from '../../contract/audit.ts';
import type { MainProcedureName } from '../../contract/procedures.ts';
import { endWaiting, readWaiting } from '../keychain/waiting-for-audit.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { logFailure } from '../lib/log-failure.ts';
import { type DeskState, isSampleOnly } from './desk-state.ts';

/** Calls that name no workspace and always concern the real profile, also while the sample is open. */
const makesReal: ReadonlySet<string> = new Set<MainProcedureName>([
  'workspaces:add',
  'keys:generate',
  'keys:import',
]);

const toIso = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** Whether the real profile holds a key or a workspace. Without either, use of the sample is not recorded in it. */
export async function hasReal({ sample, real }: DeskState): Promise<boolean> {
  if (sample === null || (await real.book.list()).length > 0) return true;
  return (await real.keyRing.list()).length > 0;
}

/**
 * Whether a call concerns a real key or workspace. Asked before the call runs, which may remove that key or workspace.
 */
export async function concernsReal(state: DeskState, name: string, input: unknown): Promise<boolean> {
  const { sample } = state;
  if (sample === null) return true;
  const { workspaceId, keyId } = input as { workspaceId?: string; keyId?: string };
  const named = [workspaceId, keyId].filter((id) => id !== undefined);
  if (named.length === 0) return makesReal.has(name) || hasReal(state);
  const ofSample = new Set([
    ...(await sample.space.book.list()).map(({ id }) => id),
    ...(await sample.space.keyRing.list()).map(({ id }) => id),
    ...(await sample.space.keyRing.listDamaged()),
  ]);
  return named.some((id) => !ofSample.has(id));
}

/** Records in the audit log what main did. Never rejects: a failure to write the entry goes to the program's log. */
export async function auditRecord(state: DeskState, record: AuditRecord | null): Promise<void> {
  if (record === null || state.isLocked) return;
  try {
    await (await state.getEngine()).appendAudit(record);
  } catch (thrown) {
    logFailure(state.ports.log, 'app.auditFailed', thrown);
  }
}

/**
 * Records in the audit log what main is about to do.
 * @throws DeskError `audit.unwritable`: the caller must not do it then
 */
export async function recordFirst(state: DeskState, record: AuditRecord): Promise<void> {
  try {
    await (await state.getEngine()).appendAudit(record);
  } catch (cause) {
    logFailure(state.ports.log, 'app.auditFailed', cause);
    throw new DeskError('audit.unwritable', { details: { code: toDeskError(cause).code }, cause });
  }
}

/** Records what could not be written while the profile was locked: a lock, failed attempts to unlock. Never rejects. */
export async function auditWaiting(state: DeskState): Promise<void> {
  const { ports, secrets } = state;
  if (ports.isReadOnly || (await isSampleOnly(state))) return;
  try {
    const waiting = await readWaiting(secrets.key);
    if (waiting === null) return;
    const { lockedAtMs, failed } = waiting;
    const handle = await state.getEngine();
    if (lockedAtMs !== null) {
      const details = { lockedAt: toIso(lockedAtMs) };
      await handle.appendAudit({ action: 'desk.locked', workspaceId: null, details });
    }
    if (failed !== null) {
      const { count, isCountIntact, firstAtMs, lastAtMs } = failed;
      const details = { count, isCountIntact, firstAt: toIso(firstAtMs), lastAt: toIso(lastAtMs) };
      await handle.appendAudit({ action: 'unlock.failed', workspaceId: null, details });
    }
    await endWaiting(secrets.key);
  } catch (thrown) {
    logFailure(ports.log, 'app.auditFailed', thrown);
  }
}
