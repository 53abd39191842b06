import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  fixtureFolder,
  readKeychainEntries,
  readLines,
  sentPath,
} from './profile-fixture/open-profile-fixture.ts';
import { type JsonRecord, parseExactly } from './profile-fixture/parse-exactly.ts';

/** A file of records that version 0.1 wrote, in a folder of its own, and what it holds. */
export interface OldRecords {
  readonly filePath: string;
  readonly key: Buffer;
  /** As the service sent them, those included that it no longer sends. */
  readonly sent: { readonly members: readonly JsonRecord[]; readonly claims: readonly JsonRecord[] };
  remove(): void;
}

const workspaceIds = { northwind: 'northwind-9el1b', lakeside: 'lakeside-5mj8k' } as const;

/**
 * A copy of the records of a workspace of version 0.1 (test/fixtures/profile-0.1/README.md), not migrated: version 3
 * of the file, digests made of rows. `lakeside` is the small one, with unknown fields and a sync that was paused.
 */
export function copyOldRecords(name: keyof typeof workspaceIds): OldRecords {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-old-records-'));
  const path = `workspaces/${workspaceIds[name]}/records.db`;
  execFileSync('tar', ['-xzf', join(fixtureFolder, 'keychain.tar.gz'), '-C', folder, path]);
  const entry = readKeychainEntries().find(
    ({ account }) => account.startsWith('database-key/') && account.endsWith(workspaceIds[name]),
  );
  const read = (list: 'members' | 'claims') =>
    readLines(sentPath(name, list)).map((text) => parseExactly(text));
  return {
    filePath: join(folder, path),
    key: Buffer.from(entry?.value ?? '', 'base64'),
    sent: { members: read('members'), claims: read('claims') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
