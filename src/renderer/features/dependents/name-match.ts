import type { Condition } from '../../../contract/query.ts';
import type { DependentRecord } from '../../../contract/records.ts';

/**
 * Conditions for a dependent's claims. A claim has no dependent, so the member's claims whose patient name contains
 * the dependent's first and last name are used (docs/service.md, "What the claim fields mean"). Null without a first
 * name.
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
