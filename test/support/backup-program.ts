import { readFileSync } from 'node:fs';
import { writeBackup } from '../../src/main/engine/store/backup/write-backup.ts';
import { openSession } from '../../src/main/shells/cli/session.ts';
import { backupPassphrase } from './backed-up-profile.ts';

// Makes a backup, or restores one into a profile, and prints when it begins and ends; for tests that kill it at every step.
const [what = '', from = '', to = ''] = process.argv.slice(2);
if (what === 'backup') {
  const { key, backupKey, ...request } = JSON.parse(readFileSync(from, 'utf8'));
  const keys = { key: Buffer.from(key, 'hex'), backupKey: Buffer.from(backupKey, 'hex') };
  process.stdout.write('begun\n');
  writeBackup({ filePath: request.filePath, dir: to, ...keys }, request);
  process.stdout.write('done\n');
} else {
  const session = await openSession({ options: { yes: true }, writes: true, profileDir: to });
  const engine = await session.getEngine();
  process.stdout.write('begun\n');
  await engine.restore({ folder: from, secret: backupPassphrase, before: null });
  process.stdout.write('done\n');
  await session.close();
}
