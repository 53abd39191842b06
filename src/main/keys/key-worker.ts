import { Worker } from 'node:worker_threads';
import { findEntry } from '../lib/entries.ts';
import { DeskError, fromWireError, type WireError } from '../lib/errors.ts';
import { createSerialQueue } from '../lib/serial-queue.ts';
import type { ParsedKey } from './import-key.ts';
import type { PrivateJwk } from './private-jwk.ts';

export type KeyJob =
  | { kind: 'import'; bytes: Uint8Array; passphrase: string | null }
  | { kind: 'backup'; jwk: PrivateJwk; comment: string; passphrase: string };

export type KeyJobResult = { ok: true; value: unknown } | { ok: false; error: WireError };

/** Where foreign key files are read: a thread of its own, made when needed. */
export interface KeyWorker {
  /** @throws DeskError `key.*`: a code for every file, whatever is in it */
  importKey(bytes: Uint8Array, passphrase: string | null): Promise<ParsedKey>;
  /** The key as an encrypted OpenSSH file. @throws DeskError `key.weakPassphrase` */
  writeBackup(jwk: PrivateJwk, comment: string, passphrase: string): Promise<string>;
  /** Ends the thread, and with it all it had in memory. It may be used again. */
  close(): Promise<void>;
}

type KeyWorkerOptions = {
  timeoutMs?: number;
  entry?: URL;
  /** Told where a thread had to be given up; the job got a code all the same. */
  onLost?: (how: 'crashed' | 'timedOut') => void;
};

/** What became of a job: its result, or that the thread ended or took too long. */
type Outcome = KeyJobResult | 'crashed' | 'timedOut';

/**
 * Makes the worker. Jobs run one after the other. If a parser crashes the thread (sshpk throws from a stream's
 * event, where nobody can catch it) or does not come to an end, that job gets a code and the next a new thread.
 */
export function createKeyWorker({ timeoutMs = 60_000, entry, onLost }: KeyWorkerOptions = {}): KeyWorker {
  const enqueue = createSerialQueue();
  let worker: Worker | null = null;

  const stop = async () => {
    const stopping = worker;
    worker = null;
    await stopping?.terminate();
  };

  const start = (): Worker => {
    const started = startWorker(entry ?? findEntry('key-worker'));
    // One that ends between two jobs would never answer the next.
    started.once('exit', () => {
      if (worker === started) worker = null;
    });
    worker = started;
    return started;
  };

  const run = async (job: KeyJob): Promise<Outcome> => {
    const used = worker ?? start();
    const outcome = await runJob(used, job, timeoutMs);
    if (typeof outcome === 'string') {
      onLost?.(outcome);
      await stop();
    }
    return outcome;
  };

  return {
    importKey: (bytes, passphrase) =>
      enqueue(async () => {
        const outcome = await run({ kind: 'import', bytes, passphrase });
        if (outcome === 'timedOut') throw new DeskError('key.cipherUnsupported');
        if (outcome === 'crashed') throw new DeskError('key.notAKey');
        return unwrap(outcome) as ParsedKey;
      }),
    writeBackup: (jwk, comment, passphrase) =>
      enqueue(async () => {
        const outcome = await run({ kind: 'backup', jwk, comment, passphrase });
        if (typeof outcome === 'string') throw new DeskError('internal.fault');
        return unwrap(outcome) as string;
      }),
    close: () => enqueue(stop),
  };
}

/** Gives the job to the thread and waits. While it runs the process stays; an idle thread does not keep it. */
function runJob(worker: Worker, job: KeyJob, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const finish = (outcome: Outcome) => {
      clearTimeout(timer);
      worker.off('message', finish);
      worker.off('error', crash);
      worker.off('exit', crash);
      worker.unref();
      resolve(outcome);
    };
    const crash = () => finish('crashed');
    const timer = setTimeout(() => finish('timedOut'), timeoutMs);
    worker.on('message', finish);
    worker.on('error', crash);
    worker.on('exit', crash);
    worker.ref();
    worker.postMessage(job);
  });
}

function startWorker(entry: URL): Worker {
  const worker = new Worker(entry, {
    // No inherited environment: a vault passphrase in it is no business of a parser.
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // What it emits between two jobs is of none of them, and must not be an uncaught error here.
  worker.on('error', () => undefined);
  return worker;
}

function unwrap(result: KeyJobResult): unknown {
  if (result.ok) return result.value;
  throw fromWireError(result.error);
}
