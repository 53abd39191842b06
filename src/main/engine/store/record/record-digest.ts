import { hash } from 'node:crypto';
import { type JsonObject, writeComparable } from './json.ts';

/**
 * The digest of a record: 16 bytes, equal exactly for records that are equal as JSON (docs/service.md, "Lists and
 * values"). The order of keys and the spelling of numbers do not matter; null and absent differ. It depends only on
 * the record, so a new column of a table changes no digest.
 */
export const digestRecord = (record: JsonObject): Uint8Array =>
  hash('sha256', writeComparable(record), 'buffer').subarray(0, 16);
