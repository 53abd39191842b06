import type { AnyEvent } from '../contract/events.ts';
import type { MainProcedureName } from '../contract/procedures.ts';
import type { Result } from '../contract/result.ts';
import { createAppHandlers } from './desk/app-handlers.ts';
import { createAuditRetention } from './desk/audit-retention.ts';
import { createAutoBackup } from './desk/auto-backup.ts';
import { auditRecord, auditWaiting, concernsReal, recordFirst } from './desk/desk-audit.ts';
import { type DeskPorts, type DeskState, type EngineHandle, isSampleOnly } from './desk/desk-state.ts';
import { type EngineSlot, emptySlot, endEngine, endEngineForLock, getEngine } from './desk/engine-slot.ts';
import { createAutoRefresh } from './desk/refresh-timer.ts';
import { forgetTokens, openSpace, tidySpace } from './desk/spaces.ts';
import { createDoctorHandlers } from './doctor/doctor-handlers.ts';
import { describeForAudit } from './ipc/audit-trail.ts';
import { anchorsBeginInKeychain, openAnchorStore } from './keychain/anchor-store.ts';
import { destroyProfileKey, getProfileKey } from './keychain/profile-key.ts';
import type { Keychain } from './keychain/profile-key-ports.ts';
import type { SecretStore } from './keychain/secret-store.ts';
import { createKeyHandlers } from './keys/key-handlers.ts';
import { createKeyTransferHandlers } from './keys/key-transfer-handlers.ts';
import { createDispatcher } from './lib/dispatch.ts';
import { DeskError } from './lib/errors.ts';
import { logFailure } from './lib/log-failure.ts';
import { createDeskSecrets } from './lock/desk-secrets.ts';
import { createIdleLock } from './lock/idle-lock.ts';
import { createLockHandlers } from './lock/lock-handlers.ts';
import { createUnlockHandlers } from './lock/unlock-handlers.ts';
import {
  createRotationHandlers,
  createRotations,
  resumeRotations,
  whenIdle,
} from './rotation/rotation-runner.ts';
import { closeSample, createSampleHandlers } from './sample/sample-handlers.ts';
import { limitSettings } from './workspaces/policy-settings.ts';
import { createSettingsFile } from './workspaces/settings-file.ts';
import { createWorkspaceHandlers } from './workspaces/workspace-handlers.ts';

/** The main process's half of the app: keychain, keys, tokens, workspaces, lock, and the engine's handle. */
export interface Desk {
  /** Answers a procedure of the contract that main answers; never rejects. */
  call(name: string, input: unknown): Promise<Result<unknown>>;
  subscribe(listener: (event: AnyEvent) => void): () => void;
  /** The engine, started when first needed. @throws DeskError `app.locked` */
  getEngine(): Promise<EngineHandle>;
  readonly isLocked: boolean;
  /** Locks on suspend, on the system's lock screen, and from the menu. */
  lockNow(): Promise<void>;
  noteActivity(): void;
  close(): Promise<void>;
}

const allowedWhileLocked: ReadonlySet<MainProcedureName> = new Set([
  'app:getInfo',
  'settings:get',
  'lock:getState',
  'lock:lock',
  'lock:unlock',
  'lock:noteActivity',
  'unlock:recover',
]);

interface DeskOptions {
  readonly secrets?: SecretStore;
  readonly keychain?: Keychain;
  readonly watchesIdle?: boolean;
}

/** The state of a desk before anything is asked of it. */
function openState(ports: DeskPorts, options: DeskOptions, slot: EngineSlot) {
  const listeners = new Set<(event: AnyEvent) => void>();
  const secrets = createDeskSecrets({ ...ports, keychain: options.keychain });
  const realSecrets = options.secrets ?? secrets.store;
  const beginsInKeychain = anchorsBeginInKeychain(realSecrets, ports.environment);
  const real = openSpace({
    profileDir: ports.profileDir,
    secrets: realSecrets,
    anchors: openAnchorStore(realSecrets, beginsInKeychain),
    clock: ports.clock,
    isSample: false,
    removeSecrets: options.secrets === undefined ? () => destroyProfileKey(secrets.key) : undefined,
  });
  const state: DeskState = {
    ports,
    secrets,
    settings: limitSettings(
      createSettingsFile({ profileDir: ports.profileDir, listWorkspaces: real.book.list }),
      ports.policy,
    ),
    real,
    sample: null,
    activeSampleId: null,
    // A profile with a passphrase stays locked until it is typed; no window shows data before.
    isLocked: options.watchesIdle === true && !secrets.isOpen(),
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    saveTargets: new Map(),
    heldKeyFiles: new Map(),
    recordFirst: (record) => recordFirst(state, record),
    audit: (record) => auditRecord(state, record),
    getEngine: () => getEngine(state, slot, { ready: swept, anchorsBeginInKeychain: beginsInKeychain }),
    endEngine: () => endEngine(slot),
  };
  /** Removes what a killed process left before anything new is written; only the process with the write lock may. */
  const swept = ports.isReadOnly ? Promise.resolve() : tidySpace(state.real);
  return { state, swept, listeners };
}

/** Runs a desk's periodic work, in shells with windows; rotations are also continued on request. */
function createBackground(
  state: DeskState,
  options: { isOn: boolean; swept: Promise<void>; lock(): Promise<void> },
) {
  const { ports, settings } = state;
  const idle = createIdleLock({
    clock: ports.clock,
    readLockAfterMinutes: async () => (await settings.get()).lockAfterMinutes,
    lock: options.lock,
  });
  const refreshes = createAutoRefresh(state);
  const backups = createAutoBackup(state);
  const retention = createAuditRetention(state);
  const rotations = createRotations(state);
  const resume = (): void => {
    if (!options.isOn || ports.isReadOnly || state.isLocked) return;
    void options.swept
      .then(() => resumeRotations(rotations, state.real))
      .catch((thrown) => logFailure(ports.log, 'app.failed', thrown));
  };
  if (options.isOn) {
    if (!state.isLocked) idle.start();
    refreshes.start();
    backups.start();
    resume();
    retention.start();
  }
  return {
    idle,
    retention,
    rotations,
    continueUnlocked(): void {
      if (!options.isOn) return;
      idle.start();
      refreshes.lookAfterUnlock();
      backups.lookSoon();
      retention.look();
      resume();
    },
    stop(): void {
      idle.stop();
      refreshes.stop();
      backups.stop();
      retention.stop();
    },
  };
}

/**
 * Locks, drops the keys in memory and notifies the windows before the first `await`, so that neither a slow engine nor
 * a full disk delays a lock.
 */
async function lockDesk(state: DeskState, slot: EngineSlot): Promise<void> {
  state.isLocked = true;
  for (const space of [state.real, state.sample?.space]) if (space !== undefined) forgetTokens(space);
  state.secrets.close();
  state.saveTargets.clear();
  state.heldKeyFiles.clear();
  state.emit({ name: 'lock:changed', payload: { isLocked: true } });
  state.ports.log.write('lock.locked');
  await Promise.allSettled([endEngineForLock(state, slot), state.ports.clearClipboard()]);
}

/**
 * Builds the desk on the ports of a shell. `secrets` replaces all of the profile's secrets (demo, tests), `keychain`
 * the system's keychain under them (tests).
 * Windows only: `watchesIdle` locks after the minutes that the settings say.
 */
export function createDesk(ports: DeskPorts, options: DeskOptions = {}): Desk {
  const slot = emptySlot();
  const { state, swept, listeners } = openState(ports, options, slot);
  const { secrets } = state;
  const isWindowed = options.watchesIdle === true;
  const lockNow = async (): Promise<void> => {
    if (state.isLocked) return;
    background.idle.stop();
    await lockDesk(state, slot);
  };
  const background = createBackground(state, { isOn: isWindowed, swept, lock: lockNow });
  const { idle, retention, rotations } = background;
  const continueUnlocked = async (): Promise<void> => {
    state.isLocked = false;
    ports.log.write('lock.unlocked');
    state.emit({ name: 'lock:changed', payload: { isLocked: false } });
    background.continueUnlocked();
    await auditWaiting(state);
  };
  const unlock = async (passphrase?: string): Promise<void> => {
    if (!state.isLocked) return;
    if (!(await isSampleOnly(state))) await secrets.open(passphrase);
    await continueUnlocked();
  };
  // Derives the profile key ahead of time (a third of a second), because the engine asks for it soon; an error is
  // reported then.
  if (isWindowed && options.secrets === undefined && !state.isLocked)
    getProfileKey(secrets.key, { mayMake: false }).catch(() => undefined);

  const handlers = {
    ...createAppHandlers(state),
    ...createWorkspaceHandlers(state, rotations),
    ...createKeyHandlers(state),
    ...createKeyTransferHandlers(state),
    ...createRotationHandlers(rotations),
    ...createDoctorHandlers(state),
    ...createLockHandlers(state, { noteActivity: idle.noteActivity, lockNow, unlock }),
    ...createUnlockHandlers(state, async () => {
      if (state.isLocked) await continueUnlocked();
    }),
    ...createSampleHandlers(state),
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
      const isReal = await concernsReal(state, name, input);
      const value = await run();
      if (isReal) await auditRecord(state, describeForAudit(name, input, value));
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
      background.stop();
      await closeSample(state).catch(() => undefined);
      // One-shot commands unlock without a lock screen.
      if (!isWindowed && secrets.key.held !== null) await auditWaiting(state);
      slot.isClosed = true;
      await slot.ending;
      await state.endEngine();
      await whenIdle(rotations);
      secrets.close();
      await ports.clearClipboard().catch(() => undefined);
      await ports.log.flush();
      listeners.clear();
    },
  };
}
