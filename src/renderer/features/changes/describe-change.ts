import { formatCode } from '../../../contract/code-labels.ts';
import type { ChangeCounts, ChangeKind, RecordChange } from '../../../contract/sync.ts';
import { type Entity, type FieldSpec, fieldsOf } from '../../../rules/list-fields.ts';
import { formatUnknown, formatValue } from '../../lib/format-value.ts';

export const changeLabels: Readonly<Record<ChangeKind, string>> = {
  new: 'New',
  changed: 'Changed',
  missing: 'No longer in the service',
  confirmed: 'Confirmed as no longer in the service',
  returned: 'Back in the service',
};

/** Fields that change with every update and have no information about the record. */
const bookkeeping: ReadonlySet<string> = new Set([
  'createddate',
  'modifieddate',
  'date_column',
  'last_updated_status',
  'dataobject_id',
  'uuid',
]);

export interface ShownField {
  readonly path: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

const parts: Readonly<Record<string, { entity: Entity; label: string }>> = {
  claim_medical_lines: { entity: 'lines', label: 'Line' },
  dependents: { entity: 'dependents', label: 'Dependent' },
};

/** The field at a path of the change log, such as `claim_medical_lines[0].amount_paid`, and the prefix of its label. */
function findSpec(
  list: RecordChange['list'],
  path: string,
): { spec?: FieldSpec | undefined; prefix: string } {
  const [, part = '', index = '', inner = ''] = /^(\w+)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const knownPart = parts[part];
  if (knownPart === undefined)
    return { spec: fieldsOf[list].find((field) => field.path === path), prefix: '' };
  return {
    spec: fieldsOf[knownPart.entity].find((field) => field.path === inner),
    prefix: `${knownPart.label} ${Number(index) + 1}: `,
  };
}

/** Formats a value of the change log: JSON text, which may be cut or masked. */
function readValue(text: string | null, spec: FieldSpec | undefined): string {
  if (text === null) return '(Blank)';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (value === null || value === '') return '(Blank)';
  if (typeof value === 'object') return formatUnknown(value);
  return spec === undefined ? formatUnknown(value) : formatValue(formatCode(spec.path, value), spec.kind);
}

/** Lists what differs in a record, by its columns' labels; `others`: unlabeled fields and bookkeeping. */
export function describeFields({ list, fields }: Pick<RecordChange, 'list' | 'fields'>): {
  main: ShownField[];
  others: ShownField[];
} {
  const main: ShownField[] = [];
  const others: ShownField[] = [];
  for (const { path, before, after } of fields) {
    const { spec, prefix } = findSpec(list, path);
    const isMain = spec !== undefined && !bookkeeping.has(spec.path);
    (isMain ? main : others).push({
      path,
      label: `${prefix}${spec?.label.replace(/ \(raw\)$/, '') ?? path}`,
      before: readValue(before, spec),
      after: readValue(after, spec),
    });
  }
  return { main, others };
}

/** How many changes were counted but are not listed. */
export function countUnlisted(counts: ChangeCounts, change: ChangeKind | null, total: number): number {
  const all = change === null ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[change];
  return Math.max(0, all - total);
}
