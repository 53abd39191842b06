import { answerBy } from '../lib/channel.ts';
import { serveThread } from '../lib/thread.ts';
import { importKey } from './import-key.ts';
import { writeOpenSshBackup } from './key-backup.ts';
import type { KeyJobs } from './key-worker.ts';

/** The thread that reads imported key files and derives keys from passphrases. */
const jobs: KeyJobs = {
  importKey: ({ bytes, passphrase }) => importKey(bytes, passphrase),
  writeBackup: ({ jwk, comment, passphrase }) => writeOpenSshBackup(jwk, comment, passphrase),
};

serveThread(answerBy(jobs));
