import { createCipheriv } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ReviewEntry } from '../../src/main/engine/store/user-data/write-event.ts';
import { derivePassphraseKey } from '../../src/main/keychain/passphrase-key.ts';
import { testBytes } from './seeds.ts';

export const filePassphrase = 'a long passphrase';

/** A file of reviews in the form of version 0.2 with these lines, made without Claimdesk's writer, under a key that is quick to derive. */
export async function sealLines(lines: readonly object[]): Promise<Buffer> {
  const [salt, iv] = [testBytes(32).toString('base64'), testBytes(12)];
  const cost = { n: 1 << 14, r: 8, p: 1 };
  const head = { version: 1, kdf: 'scrypt', cost, salt, cipher: 'aes-256-gcm', iv: iv.toString('base64') };
  const opening = Buffer.from(`claimdesk reviews\n${JSON.stringify(head)}\n`);
  const cipher = createCipheriv('aes-256-gcm', await derivePassphraseKey(filePassphrase, salt, cost), iv);
  cipher.setAAD(opening);
  const packed = gzipSync(lines.map((line) => JSON.stringify(line)).join('\n'));
  return Buffer.concat([opening, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

/** The same of entries, as a computer has them. */
export const sealEntries = (entries: readonly ReviewEntry[]): Promise<Buffer> =>
  sealLines(
    entries.map(
      ({
        workspace_id: _workspaceId,
        is_imported: _isImported,
        proof: _proof,
        folds_at,
        more,
        ...entry
      }) => ({
        ...(more === null ? {} : (JSON.parse(more) as object)),
        ...entry,
        ...(folds_at === null ? {} : { folds_at }),
      }),
    ),
  );

/** An event of a colleague about claim 1, made on the last day of February 2026. */
export const entryOf = (
  id: string,
  fact: { kind: string; [key: string]: unknown },
  more: Partial<ReviewEntry> = {},
): ReviewEntry => ({
  id,
  workspace_id: '',
  at: '2026-02-28T12:00:00.000Z',
  author: 'colleague@example.com',
  kind: fact.kind,
  fact: JSON.stringify(fact),
  filter: null,
  undoes: null,
  receipt: null,
  is_imported: 0,
  folds_at: null,
  more: null,
  proof: null,
  claims: [[1, null, null, null]],
  ...more,
});

export const decisionOf = (outcome: 'eligible' | 'notEligible' | 'disputed') =>
  ({ kind: 'decision', state: 'done', outcome, onWhom: null, reason: null, reminder: null }) as const;
