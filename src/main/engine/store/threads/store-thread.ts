import { Worker } from 'node:worker_threads';
import { createPendingCalls } from '../../../../contract/pending-calls.ts';
import type { StoreProgress } from '../../../../contract/store.ts';
import { findEntry } from '../../../lib/entries.ts';
import { DeskError, fromWireError } from '../../../lib/errors.ts';
import type { StoreReply, StoreThreadData } from './thread-messages.ts';

/** One thread with one connection; calls are answered in order. */
export interface StoreThread {
  call(name: string, input: unknown, transfer?: ArrayBuffer[]): Promise<unknown>;
  readonly waiting: number;
  close(): Promise<void>;
  /** Ends the thread immediately, even during a call: only for threads that read. */
  end(): Promise<void>;
}

/**
 * The young generation of a thread, in MB. Most objects are short-lived, and up to eight threads have one. The thread
 * that prepares pages makes 20 kB of garbage a claim: in a small one, much of it becomes old, and collecting that was a
 * seventh of a first read's processor time. That thread ends with the read.
 */
const youngMb = { usual: 6, parser: 32 } as const;

const loadThread = (maxYoungGenerationSizeMb: number = youngMb.usual): Worker =>
  new Worker(findEntry('store-worker'), { resourceLimits: { maxYoungGenerationSizeMb } });

/** Started threads that have not opened a file yet. */
let ahead: Worker[] = [];

/** Starts threads before the key of their file is known, because loading their code takes each a tenth of a second. */
export function loadThreadsAhead(threads: number): void {
  for (let thread = 0; thread < threads; thread += 1) {
    const worker = loadThread();
    worker.on('error', () => {
      ahead = ahead.filter((other) => other !== worker);
    });
    ahead.push(worker);
  }
}

/** Runs `open` and reports its progress; and its end, where progress was reported. */
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
 * Starts a thread and waits until its connection is open. `onTrouble` receives errors outside of a call, `onProgress`
 * the progress of a call.
 *
 * @throws DeskError `store.wrongKey`, `store.damaged`, `store.newer`, `store.unreadable`, `disk.full`
 */
export async function startStoreThread(
  data: StoreThreadData,
  onTrouble: (error: DeskError) => void = () => undefined,
  onProgress: (progress: StoreProgress) => void = () => undefined,
): Promise<StoreThread> {
  const worker = data.role === 'parser' ? loadThread(youngMb.parser) : (ahead.shift() ?? loadThread());
  const pending = createPendingCalls<unknown>();
  let isOver = false;

  const end = (): void => {
    isOver = true;
    for (const call of pending.takeAll()) call.reject(new DeskError('engine.stopped'));
  };
  worker.on('error', end);
  worker.on('exit', end);
  worker.on('message', (reply: StoreReply) => {
    if ('kind' in reply) {
      if (reply.kind === 'progress') onProgress(reply.progress);
      else onTrouble(fromWireError(reply.error));
      return;
    }
    const pendingCall = pending.take(reply.id);
    if (reply.ok) pendingCall?.resolve(reply.value);
    else pendingCall?.reject(fromWireError(reply.error));
  });

  const call = async (name: string, input: unknown, transfer: ArrayBuffer[] = []): Promise<unknown> => {
    if (isOver) throw new DeskError('engine.stopped');
    const { id, reply } = pending.add();
    worker.postMessage({ id, name, input }, transfer);
    return reply;
  };

  const key = Uint8Array.from(data.key);
  // The thread answers with number 0 when it has opened its file.
  const opening = pending.add();
  worker.postMessage({ ...data, key } satisfies StoreThreadData, [key.buffer]);
  await opening.reply;
  return {
    call,
    get waiting() {
      return pending.size;
    },
    end: async () => void (await worker.terminate()),
    async close() {
      if (isOver) return;
      await call('close', null).catch(() => undefined);
      await worker.terminate();
    },
  };
}
