import { setTimeout as wait } from 'node:timers/promises';
import type { AuditRecord } from '../contract/audit.ts';
import type { AnyEvent } from '../contract/events.ts';
import type { MainProcedureName } from '../contract/procedures.ts';
import type { Result } from '../contract/result.ts';
import { createAppHandlers } from './ipc/app-handlers.ts';
import { createAuditRetention } from './ipc/audit-retention.ts';
import { describeForAudit } from './ipc/audit-trail.ts';
import { createAutoRefresh } from './ipc/auto-refresh.ts';
import { createDataHandlers } from './ipc/data-handlers.ts';
import { type DeskPorts, type DeskState, type EngineHandle, isSampleOnly } from './ipc/desk-state.ts';
import { createDoctorHandlers } from './ipc/doctor-handlers.ts';
import { createEngineHost } from './ipc/engine-host.ts';
import { createKeyHandlers } from './ipc/key-handlers.ts';
import { createKeyRemovalHandlers } from './ipc/key-removal-handlers.ts';
import { createKeyTransferHandlers } from './ipc/key-transfer-handlers.ts';
import { createLockHandlers } from './ipc/lock-handlers.ts';
import { createRotationHandlers } from './ipc/rotation-handlers.ts';
import { createRotationRunner } from './ipc/rotation-runner.ts';
import { createSampleHandlers } from './ipc/sample-handlers.ts';
import { openSpace } from './ipc/spaces.ts';
import { createUnlockHandlers } from './ipc/unlock-handlers.ts';
import { createWorkspaceHandlers } from './ipc/workspace-handlers.ts';
import { anchorsInKeychain, openAnchorStore } from './keychain/anchor-store.ts';
import type { Keychain } from './keychain/profile-key-ports.ts';
import type { SecretStore } from './keychain/secret-store.ts';
import { createDispatcher } from './lib/dispatch.ts';
import { DeskError, toDeskError } from './lib/errors.ts';
import { logFailure } from './lib/log-failure.ts';
import { createDeskSecrets } from './lock/desk-secrets.ts';
import { createIdleLock } from './lock/idle-lock.ts';
import { limitSettings } from './workspaces/policy-settings.ts';
import { createSettingsFile } from './workspaces/settings-file.ts';

/** The main process's half of the app: keychain, keys, tokens, workspaces, lock, and the engine's handle. */
export interface Desk {
  /** Answers a procedure of the contract that main answers; never rejects. */
  call(name: string, input: unknown): Promise<Result<unknown>>;
  subscribe(listener: (event: AnyEvent) => void): () => void;
  /** The engine, started when first needed. @throws DeskError `app.locked` */
  getEngine(): Promise<EngineHandle>;
  readonly isLocked: boolean;
  /** For suspend, the system's lock screen, the menu. */
  lockNow(): Promise<void>;
  noteActivity(): void;
  close(): Promise<void>;
}

/** How long a lock waits for its entry in the audit log. */
const lockEntryLimitMs = 1_000;
const waitForLockEntry = (): Promise<false> => wait(lockEntryLimitMs, false, { ref: false });
const toIso = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** What may be asked while the desk is locked. */
const allowedWhileLocked: ReadonlySet<MainProcedureName> = new Set([
  'app:getInfo',
  'settings:get',
  'lock:getState',
  'lock:lock',
  'lock:unlock',
  'lock:noteActivity',
  'unlock:recover',
]);

/** What is made by these without naming a workspace is of the real profile, also while the sample is open. */
const makesReal: ReadonlySet<string> = new Set<MainProcedureName>([
  'workspaces:add',
  'keys:generate',
  'keys:import',
]);

/**
 * Builds the desk on the ports of a shell. `secrets` replaces all of the profile's secrets (demo, tests), `keychain`
 * the system's keychain under them (tests).
 * Windows only: `watchesIdle` locks after the minutes that the settings say.
 */
export function createDesk(
  ports: DeskPorts,
  options: { secrets?: SecretStore; keychain?: Keychain; watchesIdle?: boolean } = {},
): Desk {
  const listeners = new Set<(event: AnyEvent) => void>();
  const emit = (event: AnyEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const secrets = createDeskSecrets({ ...ports, keychain: options.keychain });
  const realSecrets = options.secrets ?? secrets.store;
  const isAnchoredInKeychain = anchorsInKeychain(realSecrets, ports.environment);
  const settings = limitSettings(createSettingsFile({ profileDir: ports.profileDir }), ports.policy);
  let engine: Promise<EngineHandle> | null = null;
  /** The engine that a lock has ended, while it closes. */
  let ending: Promise<void> = Promise.resolve();
  let isClosed = false;

  const state: DeskState = {
    ports,
    secrets,
    settings,
    real: openSpace({
      profileDir: ports.profileDir,
      secrets: realSecrets,
      anchors: openAnchorStore(realSecrets, isAnchoredInKeychain),
      clock: ports.clock,
      isSample: false,
      removeSecrets: options.secrets === undefined ? secrets.key.destroy : undefined,
    }),
    sample: null,
    activeSampleId: null,
    // A profile with a passphrase waits for it before a window shows anything.
    isLocked: options.watchesIdle === true && !secrets.isOpen(),
    emit,
    saveTargets: new Map(),
    heldKeyFiles: new Map(),
    async recordFirst(record) {
      try {
        await (await state.getEngine()).appendAudit(record);
      } catch (cause) {
        logFailure(ports.log, 'app.auditFailed', cause);
        throw new DeskError('audit.unwritable', { details: { code: toDeskError(cause).code }, cause });
      }
    },
    note: (record) => noteInAudit(record),
    getEngine() {
      if (state.isLocked) return Promise.reject(new DeskError('app.locked'));
      if (isClosed) return Promise.reject(new DeskError('engine.stopped'));
      if (engine === null) {
        // The one before may still be closing its files.
        const started = Promise.all([swept, ending]).then(async () =>
          ports.startEngine(createEngineHost(state), {
            profileDir: ports.profileDir,
            anchorsInKeychain: isAnchoredInKeychain,
            isReadOnly: ports.isReadOnly,
            policy: ports.policy,
            opensFirst: await state.real.book.getActiveId().catch(() => null),
          }),
        );
        engine = started;
        const forget = (): void => {
          if (engine === started) engine = null;
        };
        started.then((handle) => handle.onEnded(forget), forget);
      }
      return engine;
    },
    async endEngine() {
      const started = engine;
      engine = null;
      await (await started?.catch(() => undefined))?.close();
    },
  };
  /** What a killed process left half-written goes before anything new is written. Only who has the lease may. */
  const swept = ports.isReadOnly ? Promise.resolve() : state.real.tidy();
  /** Whether there is anything of the person's own: beside it, the sample leaves nothing in the real profile. */
  const hasReal = async (): Promise<boolean> => {
    const { sample, real } = state;
    if (sample === null || (await real.book.list()).length > 0) return true;
    return (await real.keyRing.list()).length > 0;
  };
  /** Whether a call concerns a real key or workspace; asked before the act, which may remove what it names. */
  const concernsReal = async (name: string, input: unknown): Promise<boolean> => {
    const { sample } = state;
    if (sample === null) return true;
    const { workspaceId, keyId } = input as { workspaceId?: string; keyId?: string };
    const named = [workspaceId, keyId].filter((id) => id !== undefined);
    if (named.length === 0) return makesReal.has(name) || hasReal();
    const ofSample = new Set([
      ...(await sample.space.book.list()).map(({ id }) => id),
      ...(await sample.space.keyRing.list()).map(({ id }) => id),
      ...(await sample.space.keyRing.listDamaged()),
    ]);
    return named.some((id) => !ofSample.has(id));
  };
  /** What main did is done; a log that cannot be written is told, and does not undo it. */
  const noteInAudit = async (record: AuditRecord | null): Promise<void> => {
    if (record === null || state.isLocked) return;
    try {
      await (await state.getEngine()).appendAudit(record);
    } catch (thrown) {
      logFailure(ports.log, 'app.auditFailed', thrown);
    }
  };

  /** Locked, closed and told before anything is awaited: neither a slow engine nor a full disk keeps it open. */
  const lockNow = async (): Promise<void> => {
    if (state.isLocked) return;
    state.isLocked = true;
    idle.stop();
    for (const space of [state.real, state.sample?.space]) space?.signer.forget();
    secrets.close();
    state.saveTargets.clear();
    state.heldKeyFiles.clear();
    emit({ name: 'lock:changed', payload: { isLocked: true } });
    ports.log.write('lock.locked');
    const ended = endAfterLock(engine, ports.clock.now());
    engine = null;
    ending = ended;
    await Promise.allSettled([ended, ports.clearClipboard()]);
  };
  /** Has the engine write down that it was locked, for a second at most; what it does not, the next unlock does. */
  const endAfterLock = async (started: Promise<EngineHandle> | null, lockedAtMs: number): Promise<void> => {
    const isOfSample = !(await hasReal().catch(() => true));
    const append = async (): Promise<boolean> => {
      const handle = await started;
      if (handle === null) return false;
      void handle.closeToWindows?.().catch(() => undefined);
      await handle.appendAudit({ action: 'desk.locked', workspaceId: null, details: {} });
      return true;
    };
    const isNoted = isOfSample || (await Promise.race([append(), waitForLockEntry()]).catch(() => false));
    if (!isNoted) {
      await secrets.key
        .noteLocked(lockedAtMs)
        .catch((thrown) => logFailure(ports.log, 'app.auditFailed', thrown));
    }
    await (await started?.catch(() => undefined))?.close();
  };
  const unlock = async (passphrase?: string): Promise<void> => {
    if (!state.isLocked) return;
    if (!(await isSampleOnly(state))) await secrets.open(passphrase);
    await noteUnlocked();
  };
  /** What could not be written down while the profile was closed. */
  const auditWaiting = async (): Promise<void> => {
    if (ports.isReadOnly || (await isSampleOnly(state))) return;
    try {
      const waiting = await secrets.key.readWaiting();
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
      await secrets.key.noteWaitingTold();
    } catch (thrown) {
      logFailure(ports.log, 'app.auditFailed', thrown);
    }
  };
  const noteUnlocked = async (): Promise<void> => {
    state.isLocked = false;
    if (options.watchesIdle === true) idle.start();
    ports.log.write('lock.unlocked');
    emit({ name: 'lock:changed', payload: { isLocked: false } });
    if (options.watchesIdle === true) retention.look();
    resumeRotations();
    await auditWaiting();
  };
  const idle = createIdleLock({
    clock: ports.clock,
    readLockAfterMinutes: async () => (await settings.get()).lockAfterMinutes,
    lock: lockNow,
  });
  if (options.watchesIdle === true && !state.isLocked) idle.start();

  const refreshes = createAutoRefresh(state);
  if (options.watchesIdle === true) refreshes.start();

  const retention = createAuditRetention(state);

  const rotations = createRotationRunner(state);
  /** Windows only: a one-shot command goes on with a rotation when it is asked to. */
  const resumeRotations = (): void => {
    if (options.watchesIdle !== true || ports.isReadOnly || state.isLocked) return;
    void swept
      .then(() => rotations.resumeAll(state.real))
      .catch((thrown) => logFailure(ports.log, 'app.failed', thrown));
  };
  resumeRotations();
  if (options.watchesIdle === true) retention.start();
  // The engine asks for it in a moment, and a passphrase that was given takes a third of a second. A failure is told then.
  if (options.watchesIdle === true && options.secrets === undefined && !state.isLocked)
    secrets.key.get({ mayMake: false }).catch(() => undefined);

  const sample = createSampleHandlers(state);
  const handlers = {
    ...createAppHandlers(state),
    ...createWorkspaceHandlers(state, rotations),
    ...createKeyHandlers(state),
    ...createKeyTransferHandlers(state),
    ...createKeyRemovalHandlers(state),
    ...createRotationHandlers(state, rotations),
    ...createDoctorHandlers(state),
    ...createDataHandlers(state),
    ...createLockHandlers(state, { noteActivity: idle.noteActivity, lockNow, unlock }),
    ...createUnlockHandlers(state, async () => {
      if (state.isLocked) await noteUnlocked();
    }),
    ...sample.handlers,
  } satisfies { [P in MainProcedureName]: unknown };

  const call = createDispatcher({
    answeredBy: 'main',
    handlers,
    refuse(name) {
      if (state.isLocked && !allowedWhileLocked.has(name as MainProcedureName))
        throw new DeskError('app.locked');
    },
    async around({ name, input, run }) {
      await swept;
      const isReal = await concernsReal(name, input);
      const value = await run();
      if (isReal) await noteInAudit(describeForAudit(name, input, value));
      if (name === 'settings:set' && 'auditYears' in (input as object)) retention.look();
      return value;
    },
    onFailed: (thrown, { name }) => logFailure(ports.log, 'app.failed', thrown, { procedure: name }),
  });

  return {
    call,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getEngine: () => state.getEngine(),
    get isLocked() {
      return state.isLocked;
    },
    lockNow,
    noteActivity: idle.noteActivity,
    async close() {
      idle.stop();
      refreshes.stop();
      retention.stop();
      await sample.close().catch(() => undefined);
      // One-shot commands unlock without a lock screen.
      if (options.watchesIdle !== true && secrets.key.isHeld) await auditWaiting();
      isClosed = true;
      await ending;
      await state.endEngine();
      await rotations.whenIdle();
      secrets.close();
      await ports.clearClipboard().catch(() => undefined);
      await ports.log.flush();
      listeners.clear();
    },
  };
}
