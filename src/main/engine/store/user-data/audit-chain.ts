import { createHmac } from 'node:crypto';
import { type JsonValue, writeCanonicalJson } from '../record/json.ts';

/** An entry as it lies in the file. */
export interface AuditRow {
  readonly seq: number;
  readonly at: string;
  readonly action: string;
  readonly workspace_id: string | null;
  readonly details: string;
  readonly actor: string | null;
  readonly hash: string;
}

/** The newest entry as it was at one moment; kept outside the file, so that a cut-off end shows. */
export interface AuditAnchor {
  readonly seq: number;
  readonly hash: string;
}

/** What the first entry follows. */
export const genesis = '0'.repeat(64);

/** HMAC-SHA-256 over the hash before an entry and the entry, which nobody makes without the key of the profile. */
export function keyedHash(key: Uint8Array, before: string, row: Omit<AuditRow, 'hash'>): string {
  const { seq, at, action, workspace_id, details, actor } = row;
  const text = writeCanonicalJson([seq, at, action, workspace_id, details, actor] as JsonValue);
  return `hmac:${createHmac('sha256', key).update(`${before}\n${text}`).digest('hex')}`;
}
