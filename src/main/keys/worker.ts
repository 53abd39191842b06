import { parentPort } from 'node:worker_threads';
import { toWireError } from '../lib/errors.ts';
import { importKey } from './import-key.ts';
import { writeOpenSshBackup } from './key-backup.ts';
import type { KeyJob, KeyJobResult } from './key-worker.ts';

/** The thread that reads imported key files and derives keys from passphrases. One job after the other. */
async function runJob(job: KeyJob): Promise<unknown> {
  switch (job.kind) {
    case 'import':
      return importKey(job.bytes, job.passphrase);
    case 'backup':
      return writeOpenSshBackup(job.jwk, job.comment, job.passphrase);
  }
}

parentPort?.on('message', (job: KeyJob) => {
  runJob(job).then(
    (value) => parentPort?.postMessage({ ok: true, value } satisfies KeyJobResult),
    (error: unknown) =>
      parentPort?.postMessage({ ok: false, error: toWireError(error) } satisfies KeyJobResult),
  );
});
