import type { Condition } from '../../../contract/query.ts';
import type { DependentRecord } from '../../../contract/records.ts';

/**
 * A claim names no dependent: claims of the member's whose patient's name holds the dependent's first and
 * last name are taken for theirs (docs/service.md, "What the claim fields mean"). Null where there is no first name to go by.
 */
export function nameMatchConditions(dependent: DependentRecord, memberId: number): Condition[] | null {
  const first = dependent.first_name?.trim();
  if (!first) return null;
  const last = dependent.last_name?.trim();
  return [
    { field: 'members.id', operator: 'is', values: [memberId] },
    { field: 'patient_name', operator: 'contains', values: [first] },
    ...(last ? [{ field: 'patient_name', operator: 'contains' as const, values: [last] }] : []),
  ];
}
