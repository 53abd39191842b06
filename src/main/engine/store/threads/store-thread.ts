import { setFlagsFromString } from 'node:v8';
import type { StoreProgress } from '../../../../contract/store.ts';
import { answerBy } from '../../../lib/channel.ts';
import { findEntry } from '../../../lib/entries.ts';
import { type DeskError, fromWireError, type WireError } from '../../../lib/errors.ts';
import { startThread, type Thread } from '../../../lib/thread.ts';

/** The files that a thread of the store opens first. `key`: 32 bytes, the thread's own copy. */
export interface StoreThreadData {
  readonly filePath: string;
  readonly key: Uint8Array;
  /**
   * `lister` makes whole lists, groups and counts; `userData` has the user data file open; `maintenance` checks,
   * repairs and rewrites a file; `parser` prepares pages and opens nothing.
   */
  readonly role: 'writer' | 'reader' | 'lister' | 'userData' | 'maintenance' | 'parser';
  /** Whether another process writes; only for `userData`. */
  readonly isReadOnly?: boolean;
}

/** One thread with one connection; calls are answered in order. */
export interface StoreThread {
  call(name: string, input: unknown, transfer?: ArrayBuffer[]): Promise<unknown>;
  readonly waiting: number;
  close(): Promise<void>;
  /** Ends the thread immediately, even during a call: only for threads that read. */
  end(): Promise<void>;
}

/**
 * The young generation of a thread, in MB. Most objects are short-lived, and up to eight threads each have one. The
 * thread that prepares pages makes 20 kB of garbage per claim: in a small young generation, much of it becomes old, and
 * collecting it was a seventh of a first read's processor time. That thread ends with the read.
 */
const youngMb = { 'store-worker': 6, 'page-worker': 32 } as const;
// A size given when this process was started applies only to its main thread.
setFlagsFromString('--max-semi-space-size=0');

/** A thread, and the receivers of what it reports outside of an answer once it has a file. */
interface LoadedThread {
  readonly thread: Thread;
  readonly reports: { trouble(error: WireError): void; progress(progress: StoreProgress): void };
}

function loadThread(entry: keyof typeof youngMb = 'store-worker'): LoadedThread {
  const reports: LoadedThread['reports'] = { trouble: () => undefined, progress: () => undefined };
  const options = { resourceLimits: { maxYoungGenerationSizeMb: youngMb[entry] } };
  return { thread: startThread(findEntry(entry), options, answerBy(reports)), reports };
}

/** Started threads that have not opened a file yet. */
let ahead: LoadedThread[] = [];

/** Starts threads before the key of their file is known, because each takes a tenth of a second to load its code. */
export function loadThreadsAhead(threads: number): void {
  for (let count = 0; count < threads; count += 1) {
    const loaded = loadThread();
    loaded.thread.worker.on('error', () => {
      ahead = ahead.filter((other) => other !== loaded);
    });
    ahead.push(loaded);
  }
}

/** Runs `open` and reports its progress, and also its end if progress was reported. */
export async function reportOpening<T>(
  report: (progress: StoreProgress | null) => void = () => undefined,
  open: (onProgress: (progress: StoreProgress) => void) => Promise<T>,
): Promise<T> {
  let isReported = false;
  try {
    return await open((progress) => {
      isReported = true;
      report(progress);
    });
  } finally {
    if (isReported) report(null);
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
  const { thread, reports } =
    data.role === 'parser' ? loadThread('page-worker') : (ahead.shift() ?? loadThread());
  const { call, worker } = thread;
  reports.trouble = (error) => onTrouble(fromWireError(error));
  reports.progress = onProgress;
  const end = async (): Promise<void> => void (await worker.terminate());
  const key = Uint8Array.from(data.key);
  await call('open', { ...data, key } satisfies StoreThreadData, [key.buffer]).catch(async (thrown) => {
    await end();
    throw thrown;
  });
  return {
    call,
    get waiting() {
      return thread.countWaiting();
    },
    end,
    async close() {
      await call('close', null).catch(() => undefined);
      await end();
    },
  };
}
