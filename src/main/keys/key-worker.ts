import type { ErrorCode } from '../../contract/error-codes.ts';
import { findEntry } from '../lib/entries.ts';
import { DeskError } from '../lib/errors.ts';
import type { InputOf, OutputOf } from '../lib/function-types.ts';
import { createSerialQueue } from '../lib/serial-queue.ts';
import { startThread, type Thread } from '../lib/thread.ts';
import type { ParsedKey } from './import-key.ts';
import type { PrivateJwk } from './private-jwk.ts';

export interface KeyJobs {
  importKey(job: { bytes: Uint8Array; passphrase: string | null }): Promise<ParsedKey>;
  writeBackup(job: { jwk: PrivateJwk; comment: string; passphrase: string }): string;
}

/** The thread that reads imported key files, started when needed. */
export interface KeyWorker {
  /** Reads a key file. @throws DeskError `key.*` */
  importKey(bytes: Uint8Array, passphrase: string | null): Promise<ParsedKey>;
  /** Writes the key as an encrypted OpenSSH file. @throws DeskError `key.weakPassphrase` */
  writeBackup(jwk: PrivateJwk, comment: string, passphrase: string): Promise<string>;
  /** Ends the thread and drops its memory. It may be used again. */
  close(): Promise<void>;
}

type Loss = 'crashed' | 'timedOut';
type KeyWorkerOptions = {
  timeoutMs?: number;
  entry?: URL;
  /** Called after a thread crashed or was stopped; its job has been answered with an error. */
  onLost?: (how: Loss) => void;
};

const options = {
  // No inherited environment: it may contain the unlock passphrase, which a parser does not need.
  env: {},
  stdout: true,
  stderr: true,
  resourceLimits: { maxOldGenerationSizeMb: 256 },
};

/**
 * Makes the worker. Jobs run one after the other. If a parser crashes the thread (sshpk throws from a stream's event,
 * where it cannot be caught) or does not end, that job rejects with an error and the next one gets a new thread.
 */
export function createKeyWorker({
  timeoutMs = 60_000,
  entry = findEntry('key-worker'),
  onLost,
}: KeyWorkerOptions = {}): KeyWorker {
  const enqueue = createSerialQueue();
  let thread: Thread | null = null;

  const stop = async (): Promise<void> => {
    const stopping = thread;
    thread = null;
    await stopping?.worker.terminate();
  };
  const start = (): Thread => {
    const started = startThread(entry, options, () => undefined);
    // A thread that ended between two jobs could not answer the next one.
    started.worker.once('exit', () => {
      if (thread === started) thread = null;
    });
    thread = started;
    return started;
  };
  /** Sends the job to the thread, which keeps the process alive only while a job runs. */
  const run = <Job extends keyof KeyJobs>(
    name: Job,
    job: InputOf<KeyJobs[Job]>,
    codes: Readonly<Record<Loss, ErrorCode>>,
  ): Promise<Awaited<OutputOf<KeyJobs[Job]>>> =>
    enqueue(async () => {
      const { worker, call } = thread ?? start();
      let how: Loss = 'crashed';
      const timer = setTimeout(() => {
        how = 'timedOut';
        void worker.terminate();
      }, timeoutMs);
      worker.ref();
      try {
        return (await call(name, job)) as never;
      } catch (thrown) {
        if ((thrown as DeskError).code !== 'engine.stopped') throw thrown;
        onLost?.(how);
        await stop();
        throw new DeskError(codes[how]);
      } finally {
        clearTimeout(timer);
        worker.unref();
      }
    });

  return {
    importKey: (bytes, passphrase) =>
      run('importKey', { bytes, passphrase }, { crashed: 'key.notAKey', timedOut: 'key.cipherUnsupported' }),
    writeBackup: (jwk, comment, passphrase) =>
      run(
        'writeBackup',
        { jwk, comment, passphrase },
        { crashed: 'internal.fault', timedOut: 'internal.fault' },
      ),
    close: () => enqueue(stop),
  };
}
