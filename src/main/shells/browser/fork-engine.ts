import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../lib/child-environment.ts';
import type { EngineChannelMessage } from '../../lib/engine-protocol.ts';
import { findEntry } from '../../lib/entries.ts';
import type { EngineProcess } from '../connect-engine.ts';

/**
 * Holds the memory of the engine low while it syncs. Pages that its threads receive lie in memory until young objects
 * are collected: 80 MB less with a small space for these, in each thread.
 */
export const engineFlags: readonly string[] = ['--max-semi-space-size=1'];

/**
 * For the C library of Linux; others ignore it. Its threads would each keep what they freed, in pools of their own,
 * and after the first freed page pages would no longer be given back to the system: together 120 MB.
 */
export const engineAllocation = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' } as const;

/**
 * Starts the engine as a child. It asks for `preferredPort`, so that pages which are open find it again after
 * a crash. None of our own variables is passed on: the unlock passphrase goes over the channel only.
 */
export function forkEngine(preferredPort: number): EngineProcess {
  const child = fork(fileURLToPath(findEntry('engine')), [`--port=${preferredPort}`], {
    env: { ...childEnvironment(process.env), ...engineAllocation },
    execArgv: [...engineFlags],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    pipe: {
      post(message) {
        // A child that has ended is told of by `exit`, not by a failing send.
        if (child.connected) child.send(message, () => undefined);
      },
      onMessage: (listener) =>
        void child.on('message', (message) => listener(message as EngineChannelMessage)),
    },
    onEnded: (listener) => void child.once('exit', listener),
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * Starts an engine's process before anybody asked for one: it loads while main does, and the first engine that is wanted
 * on no particular port gets it.
 */
export function forkEngineAhead(): { startEngineProcess: typeof forkEngine; drop(): void } {
  let ahead: EngineProcess | null = forkEngine(0);
  ahead.onEnded(() => {
    ahead = null;
  });
  return {
    startEngineProcess(preferredPort) {
      const taken = preferredPort === 0 ? ahead : null;
      if (taken === null) return forkEngine(preferredPort);
      ahead = null;
      return taken;
    },
    /** Ends it where it was not wanted. */
    drop() {
      ahead?.kill();
      ahead = null;
    },
  };
}
