import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  writeCanonicalJson,
  writeComparable,
} from '../record/json.ts';
import { maskRecord } from '../record/mask.ts';

/** A path that differs, with its values as JSON text; null where the field was absent. */
export interface FieldChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export const maxFields = 80;
/** Characters of a value that are kept. */
export const maxValue = 1_000;

/**
 * The differences between two states of a record, in the order of the paths. Lists are compared index by index
 * (`claim_medical_lines[0].amount_paid`). SSNs are masked, since this is shown; a masked pair can look equal.
 */
export function diffRecords(
  before: JsonObject,
  after: JsonObject,
): { fields: FieldChange[]; isCut: boolean } {
  const fields: FieldChange[] = [];
  let isCut = false;
  const write = (key: string, value: JsonValue | undefined): string | null => {
    if (value === undefined) return null;
    const text = writeCanonicalJson(maskRecord({ [key]: value })[key] as JsonValue);
    if (text.length <= maxValue) return text;
    isCut = true;
    return text.slice(0, maxValue);
  };
  const compare = (
    path: string,
    key: string,
    left: JsonValue | undefined,
    right: JsonValue | undefined,
  ): void => {
    if (left !== undefined && right !== undefined) {
      // Not compared before the leaves: that would read the innermost values once for each level.
      if (isJsonObject(left) && isJsonObject(right)) {
        compareObjects(`${path}.`, left, right);
        return;
      }
      if (Array.isArray(left) && Array.isArray(right)) {
        for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
          compare(`${path}[${at}]`, key, left[at], right[at]);
        }
        return;
      }
      if (writeComparable(left) === writeComparable(right)) return;
    }
    if (fields.length >= maxFields) isCut = true;
    else fields.push({ path, before: write(key, left), after: write(key, right) });
  };
  const compareObjects = (prefix: string, left: JsonObject, right: JsonObject): void => {
    for (const key of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort()) {
      const ofKey = (record: JsonObject): JsonValue | undefined =>
        Object.hasOwn(record, key) ? record[key] : undefined;
      compare(`${prefix}${key}`, key, ofKey(left), ofKey(right));
    }
  };
  compareObjects('', before, after);
  return { fields, isCut };
}

/** Combines two changes of one record: for each field the first value before and the last after. */
export function mergeFields(
  earlier: readonly FieldChange[],
  later: readonly FieldChange[],
): readonly FieldChange[] {
  const merged = new Map(earlier.map((field) => [field.path, field]));
  for (const field of later) {
    const known = merged.get(field.path);
    merged.set(field.path, known === undefined ? field : { ...field, before: known.before });
  }
  return [...merged.values()].filter(({ before, after }) => before !== after);
}
