import { defineKey } from './decompose.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** An SSN as it is shown: the last four digits, and none where there are not nine. */
export function maskSsn(value: string): string {
  const digits = value.replace(/\D/g, '');
  return digits.length === 9 ? `***-**-${digits.slice(-4)}` : '***';
}

const ssnKey = /^(?:ssn|social_security_number)$/i;

/** A copy of a record in which no SSN can be read, at any depth. */
export function maskRecord(value: JsonObject): JsonObject {
  return maskValue(value) as JsonObject;
}

function maskValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(maskValue);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const inner = value[key] as JsonValue;
    if (!ssnKey.test(key) || inner === null) defineKey(copy, key, maskValue(inner));
    else copy[key] = typeof inner === 'string' ? maskSsn(inner) : '***';
  }
  return copy;
}
