import { hash } from 'node:crypto';
import { type JsonObject, writeComparable } from './json.ts';

/**
 * What a record is recognized by: 16 bytes, equal exactly for records that are equal as JSON (docs/service.md,
 * "Lists and values"). The order of keys and the spelling of numbers do not count; null and absent differ. It is
 * made of the record and of nothing else, so a column more or less in our tables changes no digest.
 */
export const digestRecord = (record: JsonObject): Uint8Array =>
  hash('sha256', writeComparable(record), 'buffer').subarray(0, 16);
