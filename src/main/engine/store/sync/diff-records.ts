import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  writeCanonicalJson,
  writeComparable,
} from '../record/json.ts';
import type { ListKind } from '../record/list-kind.ts';
import { maskRecord } from '../record/mask.ts';

/** A path that differs, with its values as JSON text; null where the field was absent. */
export interface FieldChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export const maxFields = 80;
/** The most characters of a value that are stored. */
export const maxValue = 1_000;

/**
 * The differences between two states of a record, in the order of the paths. Lists are compared index by index
 * (`claim_medical_lines[0].amount_paid`). SSNs are masked, because differences are shown; two masked values can look
 * equal.
 */
export function diffRecords(
  before: JsonObject,
  after: JsonObject,
  kind: ListKind,
): { fields: FieldChange[]; isCut: boolean } {
  const fields: FieldChange[] = [];
  let isCut = false;
  const write = (value: JsonValue | undefined): string | null => {
    if (value === undefined) return null;
    const text = writeCanonicalJson(value);
    if (text.length <= maxValue) return text;
    isCut = true;
    return text.slice(0, maxValue);
  };
  const compare = (path: string, left: Side, right: Side): void => {
    if (left.value !== undefined && right.value !== undefined) {
      // Comparing only leaf values avoids reading the innermost values once for each level.
      if (isOpenObject(left) && isOpenObject(right)) {
        compareObjects(`${path}.`, left, right);
        return;
      }
      if (isOpenList(left) && isOpenList(right)) {
        for (let at = 0; at < Math.max(left.value.length, right.value.length); at += 1) {
          const ofIndex = ({ value, masked }: typeof left): Side => ({
            value: value[at],
            masked: masked[at],
          });
          compare(`${path}[${at}]`, ofIndex(left), ofIndex(right));
        }
        return;
      }
      if (writeComparable(left.value) === writeComparable(right.value)) return;
    }
    if (fields.length >= maxFields) isCut = true;
    else fields.push({ path, before: write(left.masked), after: write(right.masked) });
  };
  const compareObjects = (prefix: string, left: OpenObject, right: OpenObject): void => {
    for (const key of [...new Set([...Object.keys(left.value), ...Object.keys(right.value)])].sort()) {
      const ofKey = ({ value, masked }: OpenObject): Side =>
        Object.hasOwn(value, key) ? { value: value[key], masked: masked[key] } : {};
      compare(`${prefix}${key}`, ofKey(left), ofKey(right));
    }
  };
  compareObjects(
    '',
    { value: before, masked: maskRecord(before, kind) },
    { value: after, masked: maskRecord(after, kind) },
  );
  return { fields, isCut };
}

/** A value as sent, which is compared, and as it may be shown, which is stored. */
type Side = { readonly value?: JsonValue | undefined; readonly masked?: JsonValue | undefined };
type OpenObject = { readonly value: JsonObject; readonly masked: JsonObject };

/** Whether to compare the fields of an object; an object that is masked as a whole has none to compare. */
const isOpenObject = (side: Side): side is OpenObject =>
  isJsonObject(side.value) && isJsonObject(side.masked);
const isOpenList = (side: Side): side is { readonly value: JsonValue[]; readonly masked: JsonValue[] } =>
  Array.isArray(side.value) && Array.isArray(side.masked);

/** Combines two changes of one record: the first value before and the last value after, for each field. */
export function mergeFields(
  earlier: readonly FieldChange[],
  later: readonly FieldChange[],
): readonly FieldChange[] {
  const merged = new Map(earlier.map((field) => [field.path, field]));
  for (const field of later) {
    const earlierField = merged.get(field.path);
    merged.set(field.path, earlierField === undefined ? field : { ...field, before: earlierField.before });
  }
  return [...merged.values()].filter(({ before, after }) => before !== after);
}
