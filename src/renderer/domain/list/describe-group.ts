import { formatCode } from '../../../contract/code-labels.ts';
import type { Entity } from '../../../rules/list-fields.ts';
import type { Cell } from '../../../rules/query.ts';
import { monthNames } from '../../lib/format-date.ts';

/** The columns by which lists can be grouped, with their labels. */
export const groupings: Readonly<Record<Entity, readonly { path: string; label: string }[]>> = {
  claims: [
    { path: 'status', label: 'Status' },
    { path: 'type.name', label: 'Type' },
    { path: 'network', label: 'Network' },
    { path: 'date_of_service.month', label: 'Month of service' },
    { path: 'service_provider', label: 'Provider' },
    { path: 'members.id', label: 'Member' },
    { path: 'members.employer.id', label: 'Employer' },
    { path: 'members.tenant.id', label: 'Tenant' },
    { path: 'carrier', label: 'Carrier' },
    { path: 'is_incomplete', label: 'Incomplete' },
    { path: 'review.state', label: 'Review' },
    { path: 'review.outcome', label: 'Outcome' },
    { path: 'review.owner', label: 'Owner' },
    { path: 'review.on_whom', label: 'Waiting on' },
    { path: 'facts.to_pay', label: 'To pay' },
    { path: 'facts.denial', label: 'Denial' },
    { path: 'facts.due_kind', label: 'Deadline to' },
    { path: 'facts.missing_items', label: 'Missing items' },
    { path: 'facts.amounts_disagree', label: 'Amounts that disagree' },
    { path: 'facts.duplicate', label: 'Duplicate' },
    { path: 'facts.changed_since_paid', label: 'Changed after reimbursement' },
    { path: 'facts.exceptions', label: 'Exceptions' },
  ],
  lines: [
    { path: 'procedure_code', label: 'Procedure' },
    { path: 'diagnosis_code', label: 'Diagnosis' },
    { path: 'date_of_service.month', label: 'Month of service' },
    { path: 'type.name', label: 'Type' },
    { path: 'prescription_type_str', label: 'Prescription type' },
    { path: 'members.id', label: 'Member' },
    { path: 'members.employer.id', label: 'Employer' },
    { path: 'carrier', label: 'Carrier' },
  ],
  members: [
    { path: 'employer.id', label: 'Employer' },
    { path: 'tenant.id', label: 'Tenant' },
    { path: 'archived', label: 'Archived' },
  ],
  dependents: [
    { path: 'relationship', label: 'Relationship' },
    { path: '$member_id', label: 'Member' },
  ],
};

/** A group's name: the name of an ID, a month in words, and "(Blank)", of owners "Unassigned", where there is no value. */
export function groupName(path: string, value: Cell, label: string | null): string {
  if (value === null) return path === 'review.owner' ? 'Unassigned' : '(Blank)';
  if (label !== null) return label;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const month = path === 'date_of_service.month' ? /^(\d{4})-(\d{2})$/.exec(String(value)) : null;
  const name = monthNames[Number(month?.[2]) - 1];
  return month === null || name === undefined ? String(formatCode(path, value)) : `${name} ${month[1]}`;
}
