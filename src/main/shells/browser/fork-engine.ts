import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChannelMessage } from '../../lib/channel.ts';
import { childEnvironment } from '../../lib/child-environment.ts';
import { findEntry } from '../../lib/entries.ts';
import type { EngineProcess } from '../connect-engine.ts';

/**
 * Settings of glibc on Linux; other systems ignore them. Without them each thread keeps freed memory in a pool of its
 * own, and after the first freed page glibc stops returning pages to the system: together 120 MB.
 */
export const engineAllocation = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' } as const;

/**
 * `--max-semi-space-size`: half of the young generation of the engine's main thread, in MB; Node lets all of it grow to
 * 134. Reading a team's log fills it with short-lived objects: that took 95 MB more and saved no processor time.
 * `--heap-growing-percent`: by how much a heap grows before old objects are collected too; Node lets it grow to several
 * times the memory in use. That took 120 MB more while a checkpoint was read, for a tenth less of the processor time.
 */
export const engineArguments = ['--max-semi-space-size=8', '--heap-growing-percent=50'] as const;

/**
 * Starts the engine as a child. It listens on `preferredPort` if possible, so that open pages find it again after a
 * crash. Claimdesk's own variables are not passed on: the unlock passphrase goes over the channel only.
 */
export function forkEngine(preferredPort: number): EngineProcess {
  const child = fork(fileURLToPath(findEntry('engine')), [`--port=${preferredPort}`], {
    env: { ...childEnvironment(process.env), ...engineAllocation },
    execArgv: [...engineArguments],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    pipe: {
      post(message) {
        // The end of a child is reported by `exit`, not by a failed send.
        if (child.connected) child.send(message, () => undefined);
      },
      onMessage: (listener) => void child.on('message', (message) => listener(message as ChannelMessage)),
    },
    onEnded: (listener) => void child.once('exit', listener),
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * Starts an engine's process ahead of time, so that it loads while main does. The first engine that is started without
 * a preferred port uses it.
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
    /** Ends the process if it was not used. */
    drop() {
      ahead?.kill();
      ahead = null;
    },
  };
}
