import { defineKey } from './decompose.ts';
import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from './json.ts';
import { memo } from './memo.ts';
import { type Shape, shapesOf } from './record-columns.ts';

/** Masks an SSN: shows the last four digits, or no digits if there are not nine. */
export function maskSsn(value: string): string {
  const digits = value.replace(/\D/g, '');
  return digits.length === 9 ? `***-**-${digits.slice(-4)}` : '***';
}

/** Splits a field's name into words: `subscriber_ssn`, `socialSecurityNumber`, `TaxID`. */
const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);

const ssnNames = new Map<string, boolean>();
const maxKnown = 1_000;

/** Whether a field of this name holds an SSN or a tax ID; a tax ID can be a personal SSN. */
const isSsnName = (key: string): boolean =>
  memo(
    ssnNames,
    key,
    () => {
      const words = wordsOf(key);
      return words.some(
        (word, index) =>
          /^ssn|ssn$|^social|^itin$|^taxid|taxid$|^taxpayer/.test(word) ||
          (word === 'tax' && /^(?:id|ident|number|no$)/.test(words[index + 1] ?? '')),
      );
    },
    maxKnown,
  );

/**
 * Copies a record with masked SSNs at any depth. SSNs are recognized by the name of their field and, in fields that
 * Claimdesk does not recognize, by their form; in a known field, nine digits can be a claim number.
 */
export const maskRecord = (record: JsonObject, kind: keyof typeof shapesOf): JsonObject =>
  maskByShape(record, shapesOf[kind]);

const maskByShape = (record: JsonObject, shape: Shape): JsonObject =>
  maskObject(record, (key, value) => {
    if (shape.columns.some((column) => column.key === key)) return maskOddValue(value);
    const inline = shape.inline.find((candidate) => candidate.key === key);
    if (inline !== undefined && isJsonObject(value)) {
      const isKnown = (name: string): boolean => inline.columns.some((column) => column.key === name);
      return maskObject(value, (name, inner) => (isKnown(name) ? maskOddValue(inner) : maskUnknown(inner)));
    }
    const shared = shape.shared.find((candidate) => candidate.key === key);
    if (shared !== undefined && isJsonObject(value)) return maskByShape(value, shared.shape());
    const list = shape.lists.find((candidate) => candidate.key === key);
    if (list?.kind === 'map' && isJsonObject(value))
      return maskObject(value, (_name, inner) => maskOddValue(inner));
    if (list !== undefined && list.kind !== 'map') {
      const maskItem = (item: JsonValue): JsonValue =>
        isJsonObject(item) ? maskByShape(item, list.shape()) : maskUnknown(item);
      return Array.isArray(value) ? value.map(maskItem) : maskItem(value);
    }
    return maskUnknown(value);
  });

function maskObject(record: JsonObject, maskInner: (key: string, value: JsonValue) => JsonValue): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(record)) {
    const value = record[key] as JsonValue;
    if (!isSsnName(key) || value === null) defineKey(copy, key, maskInner(key, value));
    else defineKey(copy, key, typeof value === 'string' ? maskSsn(value) : '***');
  }
  return copy;
}

/** Masks a value of a known field that is an object or a list, like an unknown field. */
export const maskOddValue = (value: JsonValue): JsonValue =>
  isJsonObject(value) || Array.isArray(value) ? maskUnknown(value) : value;

/** Masks one unknown field. */
export const maskUnknownField = (key: string, value: JsonValue): JsonValue =>
  maskObject({ [key]: value }, (_key, inner) => maskUnknown(inner))[key] as JsonValue;

function maskUnknown(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(maskUnknown);
  if (isJsonObject(value)) return maskObject(value, (_key, inner) => maskUnknown(inner));
  if (typeof value === 'string') {
    // A ZIP code such as 44114-1234 does not match.
    if (/^\s*(?:\d{9}|\d{3}([-\s.])\d{2}\1\d{4})\s*$/.test(value)) return maskSsn(value);
    return value.replace(/(?<!\d)\d{3}-\d{2}-(\d{4})(?!\d)/g, '***-**-$1');
  }
  const digits = isRawNumber(value) ? value.rawJSON : typeof value === 'number' ? String(value) : '';
  return /^\d{9}(?:\.0*)?$/.test(digits) ? maskSsn(digits.slice(0, 9)) : value;
}
