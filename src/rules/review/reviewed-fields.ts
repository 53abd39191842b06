import { type FieldKind, type FieldSpec, fieldsOf } from '../list-fields.ts';
import type { ValueComparison } from './same-value.ts';

/**
 * The effect of a changed value on a reviewed claim. `reopen`: it has to be reviewed again. `noted`: shown with the
 * review. `ignored`: none.
 */
export const reviewEffects = ['reopen', 'noted', 'ignored'] as const;
export type ReviewEffect = (typeof reviewEffects)[number];

/** How two values of a field are compared. `days`: values that were converted to the same form when they were read. */
type Comparison = ValueComparison | 'days' | 'provider' | 'members' | 'lines';

/**
 * One row of the table of changes that reopen a review. `paths` are fields of the service's record. If there are
 * several, the first one with a value is shown and compared (an amount as sent, otherwise as calculated), except for a
 * provider.
 */
export interface ReviewedField {
  readonly name: string;
  readonly label: string;
  readonly effect: ReviewEffect;
  readonly paths: readonly string[];
  readonly comparison: Comparison;
}

/** The comparison of fields whose kind does not decide it. */
const comparisons: Readonly<Record<string, Comparison>> = {
  service_provider: 'provider',
  service_provider_billing_number: 'tin',
  service_provider_billing_npi_number: 'npi',
  national_drug_code: 'ndc',
};
const comparedExactly: readonly FieldKind[] = ['money', 'number', 'integer', 'boolean'];
const comparisonFor = ({ path, kind }: FieldSpec): Comparison =>
  comparisons[path] ?? (comparedExactly.includes(kind) ? 'exact' : kind === 'dateRange' ? 'days' : 'text');

/** Other fields of the record with which a field is compared. */
const otherPaths: Readonly<Record<string, readonly string[]>> = {
  'type.name': ['type.type_id'],
  service_provider: ['service_provider_npi_number', 'service_provider_number'],
};

/** Rows for fields of a list, in this order. The second field of an amount is the calculated one. */
const rows = (entity: 'claims' | 'lines', effect: ReviewEffect, paths: string): ReviewedField[] =>
  paths.split(' ').map((path) => {
    const specs = fieldsOf[entity];
    const spec = specs.find((field) => field.path === path) as FieldSpec;
    const others =
      otherPaths[path] ?? [`computed_${path}`].filter((name) => specs.some((field) => field.path === name));
    return {
      name: path,
      label: spec.label,
      effect,
      paths: [path, ...others],
      comparison: comparisonFor(spec),
    };
  });
/** The row of a value that is not a field of any list. */
const row = (effect: ReviewEffect, name: string, label: string, comparison: Comparison): ReviewedField => ({
  name,
  label,
  effect,
  paths: [name],
  comparison,
});

/** The name of the change that the ID now belongs to another claim. */
export const otherClaimName = '$otherClaim';

/** Every field of a claim, and the effect of its change. The help shows this table, and tests use it. */
export const reviewedFields: readonly ReviewedField[] = [
  ...rows(
    'claims',
    'reopen',
    'status is_incomplete amount_billed discount amount_allowed amount_paid amount_paid_other amount_not_covered reduction copayment coinsurance_patient patient_responsibility type.name network date_of_service patient_name',
  ),
  row('reopen', 'members', 'Members and employer', 'members'),
  ...rows('claims', 'reopen', 'service_provider'),
  row('reopen', 'claim_medical_lines', 'Claim lines', 'lines'),
  row('reopen', '$isMissing', 'No longer in the service', 'exact'),
  // It has no value in the record; `isOtherClaim` finds it.
  row('reopen', otherClaimName, 'Another claim under this ID', 'exact'),
  ...rows(
    'claims',
    'noted',
    'remarks check_number check_date eob_date processed_on vendor_system_id group_name group_number last_updated_status incurred_value patient_account_number patient_payer_number service_provider_billing_name service_provider_billing_number service_provider_billing_npi_number policy_holder.first_name policy_holder.last_name',
  ),
  row('noted', '$calculated', 'Calculated amounts', 'text'),
  ...rows(
    'claims',
    'ignored',
    'id uuid dataobject_id policy_holder.id createddate modifieddate date_column recrawl_requested service_provider_address service_provider_billing_address service_provider_billing_phone',
  ),
];

/** Every field of a line, in the same way. Lines are compared as a set without order. */
export const reviewedLineFields: readonly ReviewedField[] = [
  ...rows(
    'lines',
    'reopen',
    'date_of_service procedure_code diagnosis_code national_drug_code quantity days_supply amount_billed discount amount_allowed amount_paid amount_paid_other amount_not_covered copayment coinsurance_patient reduction patient_responsibility total_patient_responsibility',
  ),
  ...rows('lines', 'ignored', 'procedure_name id'),
  row('ignored', 'claim_medical_line_id', 'Line ID', 'text'),
  ...rows('lines', 'ignored', 'vendor_system_id uuid prescription_type_id prescription_type_str'),
];
