import { Worker } from 'node:worker_threads';
import type { StoreProgress } from '../../../../contract/store.ts';
import { findEntry } from '../../../lib/entries.ts';
import { DeskError, fromWireError } from '../../../lib/errors.ts';
import type { StoreReply, StoreThreadData } from './thread-messages.ts';

/** One thread with one connection; calls are answered in order. */
export interface StoreThread {
  call(name: string, input: unknown, transfer?: ArrayBuffer[]): Promise<unknown>;
  readonly waiting: number;
  close(): Promise<void>;
  /** Ends it at once, whatever it is doing: only for threads that read. */
  end(): Promise<void>;
}

interface Waiter {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const loadThread = (): Worker =>
  new Worker(findEntry('store-worker'), {
    // Records die young, and up to eight threads each hold this much.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });

/** Threads that have no file yet. */
let ahead: Worker[] = [];

/** Has threads load their code while the key of their file is still on its way: that takes each a tenth of a second. */
export function loadThreadsAhead(threads: number): void {
  for (let thread = 0; thread < threads; thread += 1) {
    const worker = loadThread();
    worker.on('error', () => {
      ahead = ahead.filter((other) => other !== worker);
    });
    ahead.push(worker);
  }
}

/** Runs what opens a file and tells how far it is; and its end, where anything was told. */
export async function tellOpening<T>(
  tell: (progress: StoreProgress | null) => void = () => undefined,
  open: (onProgress: (progress: StoreProgress) => void) => Promise<T>,
): Promise<T> {
  let isTold = false;
  try {
    return await open((progress) => {
      isTold = true;
      tell(progress);
    });
  } finally {
    if (isTold) tell(null);
  }
}

/**
 * Starts a thread and waits until its connection is open. `onTrouble` receives failures outside of a call,
 * `onProgress` how far a call is.
 *
 * @throws DeskError `store.wrongKey`, `store.damaged`, `store.newer`, `store.unreadable`, `disk.full`
 */
export async function startStoreThread(
  data: StoreThreadData,
  onTrouble: (error: DeskError) => void = () => undefined,
  onProgress: (progress: StoreProgress) => void = () => undefined,
): Promise<StoreThread> {
  const worker = ahead.shift() ?? loadThread();
  const waiters = new Map<number, Waiter>();
  let nextId = 1;
  let isOver = false;

  const end = (): void => {
    isOver = true;
    for (const waiter of waiters.values()) waiter.reject(new DeskError('engine.stopped'));
    waiters.clear();
  };
  worker.on('error', end);
  worker.on('exit', end);
  worker.on('message', (reply: StoreReply) => {
    if ('kind' in reply) {
      if (reply.kind === 'progress') onProgress(reply.progress);
      else onTrouble(fromWireError(reply.error));
      return;
    }
    const waiter = waiters.get(reply.id);
    waiters.delete(reply.id);
    if (reply.ok) waiter?.resolve(reply.value);
    else waiter?.reject(fromWireError(reply.error));
  });

  const call = (name: string, input: unknown, transfer: ArrayBuffer[] = []): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isOver) {
        reject(new DeskError('engine.stopped'));
        return;
      }
      const id = nextId;
      nextId += 1;
      waiters.set(id, { resolve, reject });
      worker.postMessage({ id, name, input }, transfer);
    });

  const key = Uint8Array.from(data.key);
  await new Promise<unknown>((resolve, reject) => {
    waiters.set(0, { resolve, reject });
    worker.postMessage({ ...data, key } satisfies StoreThreadData, [key.buffer]);
  });
  return {
    call,
    get waiting() {
      return waiters.size;
    },
    end: async () => void (await worker.terminate()),
    async close() {
      if (isOver) return;
      await call('close', null).catch(() => undefined);
      await worker.terminate();
    },
  };
}
