import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContent, parseSealedFile } from '../../src/main/keychain/sealed-format.ts';
import { fixturePath, type KeychainEntry, readSent } from './profile-fixture/open-profile-0.2.ts';
import { type JsonRecord, parseExactly } from './profile-fixture/parse-exactly.ts';

/** A records file that version 0.2 wrote, in a folder of its own, and its content. */
export interface OldRecords {
  readonly filePath: string;
  readonly key: Buffer;
  /** The records as the service sent them, including those that it no longer returns. */
  readonly sent: { readonly members: readonly JsonRecord[]; readonly claims: readonly JsonRecord[] };
  remove(): void;
}

/** Takes a file of the profile out of it, with its key; it is not migrated. `owner`: whose key that is. */
function copyOld(path: string, owner: string) {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-old-'));
  execFileSync('tar', ['-xzf', fixturePath('keychain.tar.gz'), '-C', folder, path, 'secrets.json']);
  const entries = JSON.parse(readFileSync(fixturePath('keychain.json'), 'utf8')) as KeychainEntry[];
  const entry = entries.find(({ account }) => account.startsWith('profile-key/'));
  const sealed = parseSealedFile(readFileSync(join(folder, 'secrets.json'), 'utf8'));
  const { secrets } = openContent(sealed, Buffer.from(entry?.value ?? '', 'base64'));
  return {
    filePath: join(folder, path),
    key: Buffer.from(secrets[`database-key/${sealed.id}/${owner}`] ?? '', 'base64'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A copy of what people wrote in the profile: version 5 of the file. */
export const copyOldUserData = () => copyOld('ours.db', 'ours');

/**
 * A copy of Northwind's records (test/fixtures/profile-0.2/README.md), which is not migrated: version 15 of the file,
 * with unknown fields and a paused sync.
 */
export function copyOldRecords(): OldRecords {
  const workspace = 'northwind-se3vl';
  const read = (list: 'members' | 'claims') => readSent(list).map((text) => parseExactly(text));
  return {
    ...copyOld(`workspaces/${workspace}/records.db`, workspace),
    sent: { members: read('members'), claims: read('claims') },
  };
}
