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

/** The thread that reads imported key files, started when needed. */
export interface KeyWorker {
  /** Reads a key file. @throws DeskError `key.*` */
  importKey(bytes: Uint8Array, passphrase: string | null): Promise<ParsedKey>;
  /** Writes the key as an encrypted OpenSSH file. @throws DeskError `key.weakPassphrase` */
  writeBackup(jwk: PrivateJwk, comment: string, passphrase: string): Promise<string>;
  /** Ends the thread and drops its memory. It may be used again. */
  close(): Promise<void>;
}

type KeyWorkerOptions = {
  timeoutMs?: number;
  entry?: URL;
  /** Called after a thread crashed or was stopped; its job has been answered with an error. */
  onLost?: (how: 'crashed' | 'timedOut') => void;
};

/** The result of a job, or that the thread crashed or took too long. */
type Outcome = KeyJobResult | 'crashed' | 'timedOut';

/**
 * Makes the worker. Jobs run one after the other. If a parser crashes the thread (sshpk throws from a stream's event,
 * where it cannot be caught) or does not end, that job rejects with an error and the next one gets a new thread.
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
    // A thread that ended between two jobs could not answer the next one.
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

/** Sends the job to the thread and waits. The thread keeps the process alive only while a job runs. */
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
    // No inherited environment: it may contain the unlock passphrase, which a parser does not need.
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // An error between two jobs belongs to neither; without a listener it would end the process.
  worker.on('error', () => undefined);
  return worker;
}

function unwrap(result: KeyJobResult): unknown {
  if (result.ok) return result.value;
  throw fromWireError(result.error);
}
