import { setTimeout as wait } from 'node:timers/promises';
import { keepLocked } from '../keychain/waiting-for-audit.ts';
import { DeskError } from '../lib/errors.ts';
import { logFailure } from '../lib/log-failure.ts';
import { hasReal } from './desk-audit.ts';
import type { DeskState, EngineHandle } from './desk-state.ts';
import { createMainCalls } from './main-calls.ts';

export interface EngineSlot {
  running: Promise<EngineHandle> | null;
  /** Resolves when the engine that a lock has ended has closed its files. */
  ending: Promise<void>;
  /** The desk is closed: no more engines are started. */
  isClosed: boolean;
}

export const emptySlot = (): EngineSlot => ({ running: null, ending: Promise.resolve(), isClosed: false });

/** How long a lock waits for its entry in the audit log. */
const lockEntryLimitMs = 1_000;

/**
 * The engine. Starts one where none runs: after `ready`, and after the previous engine has closed its files.
 *
 * @throws DeskError `app.locked`, `engine.stopped` once the desk is closed
 */
export async function getEngine(
  state: DeskState,
  slot: EngineSlot,
  options: { readonly ready: Promise<void>; readonly anchorsBeginInKeychain: boolean },
): Promise<EngineHandle> {
  if (state.isLocked) throw new DeskError('app.locked');
  if (slot.isClosed) throw new DeskError('engine.stopped');
  if (slot.running !== null) return slot.running;
  const { ports } = state;
  const started = Promise.all([options.ready, slot.ending]).then(async () =>
    ports.startEngine(createMainCalls(state), {
      profileDir: ports.profileDir,
      anchorsBeginInKeychain: options.anchorsBeginInKeychain,
      isReadOnly: ports.isReadOnly,
      policy: ports.policy,
      opensFirst: await state.real.book.getActiveId().catch(() => null),
    }),
  );
  slot.running = started;
  const forget = (): void => {
    if (slot.running === started) slot.running = null;
  };
  started.then((handle) => handle.onEnded(forget), forget);
  return started;
}

/** Asks the engine to close its stores and to end. */
export async function endEngine(slot: EngineSlot): Promise<void> {
  const started = slot.running;
  slot.running = null;
  await (await started?.catch(() => undefined))?.close();
}

/**
 * Ends the engine for a lock. It has one second to record the lock in the audit log; otherwise the next unlock records
 * it.
 */
export function endEngineForLock(state: DeskState, slot: EngineSlot): Promise<void> {
  const started = slot.running;
  slot.running = null;
  slot.ending = auditAndEnd(state, started, state.ports.clock.now());
  return slot.ending;
}

async function auditAndEnd(
  state: DeskState,
  started: Promise<EngineHandle> | null,
  lockedAtMs: number,
): Promise<void> {
  const isOfSample = !(await hasReal(state).catch(() => true));
  const append = async (): Promise<boolean> => {
    const handle = await started;
    if (handle === null) return false;
    void handle.closeToWindows?.().catch(() => undefined);
    await handle.appendAudit({ action: 'desk.locked', workspaceId: null, details: {} });
    return true;
  };
  const limit = wait(lockEntryLimitMs, false, { ref: false });
  const isNoted = isOfSample || (await Promise.race([append(), limit]).catch(() => false));
  if (!isNoted) {
    await keepLocked(state.secrets.key, lockedAtMs).catch((thrown) =>
      logFailure(state.ports.log, 'app.auditFailed', thrown),
    );
  }
  await (await started?.catch(() => undefined))?.close();
}
