import { createHmac } from 'node:crypto';
import { type JsonValue, writeCanonicalJson } from '../record/json.ts';

/** An entry as stored in the file. */
export interface AuditRow {
  readonly seq: number;
  readonly at: string;
  readonly action: string;
  readonly workspace_id: string | null;
  readonly details: string;
  readonly actor: string | null;
  readonly hash: string;
}

/** The newest entry at one moment; it is stored outside the file, so that a truncated log is detected. */
export interface AuditAnchor {
  readonly seq: number;
  readonly hash: string;
}

/** The hash that the first entry follows. */
export const genesis = '0'.repeat(64);

/** HMAC-SHA-256 over the previous hash and the entry, which can't be computed without the profile's key. */
export function keyedHash(key: Uint8Array, before: string, row: Omit<AuditRow, 'hash'>): string {
  const { seq, at, action, workspace_id, details, actor } = row;
  const text = writeCanonicalJson([seq, at, action, workspace_id, details, actor] as JsonValue);
  return `hmac:${createHmac('sha256', key).update(`${before}\n${text}`).digest('hex')}`;
}
