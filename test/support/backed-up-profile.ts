import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/main/engine/store/file/database.ts';
import { createSealedFiles, listAttached } from '../../src/main/engine/store/user-data/documents.ts';
import type { Session } from '../../src/main/shells/cli/session.ts';
import { givenCheapSecrets } from './cheap-secrets.ts';
import { readProfileSecret } from './profile-secret.ts';
import { makeTempFolder } from './temp-folder.ts';

/** The passphrase of backups in these tests. */
export const backupPassphrase = 'a passphrase of its own';

/** Sets the folder and makes one backup. */
export async function backUp(session: Session, folder: string) {
  await session.call('backup:set', { folder, passphrase: backupPassphrase });
  return session.call('backup:now', {});
}

/** The path of a profile to restore into, which has nothing but its unlock passphrase. */
export function makeFreshProfile(): string {
  const path = join(makeTempFolder(), 'restored');
  givenCheapSecrets(path);
  return path;
}

export const restoreFrom = async (session: Session, folder: string, before: string | null = null) =>
  (await session.getEngine()).restore({ folder, secret: backupPassphrase, before });

/** The only folder of backups in the one that was chosen. */
export const backupsIn = (folder: string): string =>
  join(folder, readdirSync(folder).find((name) => name.startsWith('claimdesk-')) ?? '');
export const manifestsIn = (folder: string): string[] =>
  readdirSync(backupsIn(folder))
    .filter((name) => name.startsWith('backup-'))
    .sort();

/** What lists compute, and what only a team's server gives a number. */
const computed = ['claims_to_settle', 'sqlite_stat1'];

/**
 * Everything that people wrote in a profile: each row of the user data file, the audit log up to a restore, and each document by
 * its bytes. Null: there is nothing.
 */
export async function readWritten(profileDir: string) {
  const path = join(profileDir, 'ours.db');
  if (!existsSync(path)) return null;
  return readRows(path, await readProfileSecret(profileDir, 'database-key/{profile}/ours'));
}

/** The same of one user data file. */
export function readRows(path: string, key: Buffer) {
  const database = openDatabase(path, key, { isReadOnly: true });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all() as string[];
    const rows = tables
      .filter((name) => !computed.includes(name))
      .map((name) => [name, database.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`).all()] as const);
    const { readDocument } = createSealedFiles(path, key, () => undefined, true);
    const documents = listAttached(database).map(({ sha256, counts }) => {
      const bytes = readDocument({ sha256 });
      const text = bytes instanceof Uint8Array ? createHash('sha256').update(bytes).digest('hex') : bytes;
      return { sha256, counts, isWhole: text === sha256 };
    });
    return { rows: Object.fromEntries(rows) as Record<string, { action?: string }[]>, documents };
  } finally {
    database.close();
  }
}

/** The same without the entries that a restore adds. */
export async function readRestored(profileDir: string) {
  const written = await readWritten(profileDir);
  const audit = written?.rows.audit ?? [];
  const end = audit.findIndex(({ action }) => action === 'backup.restored');
  if (written === null) return null;
  const rows: typeof written.rows = { ...written.rows, audit: end < 0 ? audit : audit.slice(0, end) };
  return { ...written, rows };
}

/** Whether a text is in any file of a folder, at any depth, as it is written. */
export function isWrittenIn(folder: string, text: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text),
  );
}
