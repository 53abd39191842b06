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
 * One row of the table of changes that reopen a review. `paths` are fields of the service's record. Of several, the
 * first one with a value is shown and compared (an amount as sent, else as calculated), except for a provider.
 */
export interface ReviewedField {
  readonly name: string;
  readonly label: string;
  readonly effect: ReviewEffect;
  readonly paths: readonly string[];
  readonly comparison: Comparison;
}

const row =
  (effect: ReviewEffect) =>
  (
    label: string,
    path: string,
    comparison: Comparison = 'text',
    other: readonly string[] = [],
  ): ReviewedField => ({
    name: path,
    label,
    effect,
    paths: [path, ...other],
    comparison,
  });
const reopen = row('reopen');
const noted = row('noted');
const ignored = row('ignored');

/** The name of the change that the ID is that of another claim now. */
export const otherClaimName = '$otherClaim';

/** Every field of a claim, and the effect of its change. The help shows this table, and tests use it. */
export const reviewedFields: readonly ReviewedField[] = [
  reopen('Status', 'status'),
  reopen('Incomplete', 'is_incomplete', 'exact'),
  reopen('Billed', 'amount_billed', 'exact', ['computed_amount_billed']),
  reopen('Discount', 'discount', 'exact'),
  reopen('Allowed', 'amount_allowed', 'exact', ['computed_amount_allowed']),
  reopen('Plan paid', 'amount_paid', 'exact', ['computed_amount_paid']),
  reopen('Paid by other insurance', 'amount_paid_other', 'exact'),
  reopen('Not covered', 'amount_not_covered', 'exact'),
  reopen('Deductible', 'reduction', 'exact', ['computed_reduction']),
  reopen('Copay', 'copayment', 'exact', ['computed_copayment']),
  reopen('Coinsurance', 'coinsurance_patient', 'exact', ['computed_coinsurance_patient']),
  reopen('Patient responsibility', 'patient_responsibility', 'exact', ['computed_patient_responsibility']),
  reopen('Type', 'type.name', 'text', ['type.type_id']),
  reopen('Network', 'network'),
  reopen('Dates of service', 'date_of_service', 'days'),
  reopen('Patient', 'patient_name'),
  reopen('Members and employer', 'members', 'members'),
  reopen('Provider', 'service_provider', 'provider', [
    'service_provider_npi_number',
    'service_provider_number',
  ]),
  reopen('Claim lines', 'claim_medical_lines', 'lines'),
  reopen('No longer in the service', '$isMissing', 'exact'),
  // It has no value; `isOtherClaim` finds it.
  reopen('Another claim under this ID', otherClaimName, 'exact'),

  noted('Carrier’s reason', 'remarks'),
  noted('Check number', 'check_number'),
  noted('Check date', 'check_date'),
  noted('EOB date', 'eob_date'),
  noted('Processed date', 'processed_on'),
  noted('Carrier claim no.', 'vendor_system_id'),
  noted('Group', 'group_name'),
  noted('Group number', 'group_number'),
  noted('Last significant change', 'last_updated_status'),
  noted('Incurred', 'incurred_value', 'exact'),
  noted('Patient account no.', 'patient_account_number'),
  noted('Patient account no. (carrier)', 'patient_payer_number'),
  noted('Billing provider', 'service_provider_billing_name'),
  noted('Billing tax ID (TIN)', 'service_provider_billing_number', 'tin'),
  noted('Billing NPI', 'service_provider_billing_npi_number', 'npi'),
  noted('Subscriber first name', 'policy_holder.first_name'),
  noted('Subscriber last name', 'policy_holder.last_name'),
  noted('Calculated amounts', '$calculated'),

  ignored('Claim', 'id'),
  ignored('UUID', 'uuid'),
  ignored('Data object ID', 'dataobject_id'),
  ignored('Connection ID', 'policy_holder.id'),
  ignored('Created', 'createddate'),
  ignored('Modified', 'modifieddate'),
  ignored('Date column', 'date_column'),
  ignored('Refresh requested', 'recrawl_requested'),
  ignored('Provider address', 'service_provider_address'),
  ignored('Billing address', 'service_provider_billing_address'),
  ignored('Billing phone', 'service_provider_billing_phone'),
];

/** Every field of a line, in the same way. Lines are compared as a set without order. */
export const reviewedLineFields: readonly ReviewedField[] = [
  reopen('Dates of service', 'date_of_service', 'days'),
  reopen('Procedure', 'procedure_code'),
  reopen('Diagnosis', 'diagnosis_code'),
  reopen('NDC', 'national_drug_code', 'ndc'),
  reopen('Quantity', 'quantity', 'exact'),
  reopen('Days supply', 'days_supply', 'exact'),
  reopen('Billed', 'amount_billed', 'exact'),
  reopen('Discount', 'discount', 'exact'),
  reopen('Allowed', 'amount_allowed', 'exact'),
  reopen('Plan paid', 'amount_paid', 'exact'),
  reopen('Paid by other insurance', 'amount_paid_other', 'exact'),
  reopen('Not covered', 'amount_not_covered', 'exact'),
  reopen('Copay', 'copayment', 'exact'),
  reopen('Coinsurance', 'coinsurance_patient', 'exact'),
  reopen('Deductible', 'reduction', 'exact'),
  reopen('Patient responsibility', 'patient_responsibility', 'exact'),
  reopen('Total patient responsibility', 'total_patient_responsibility', 'exact'),

  ignored('Procedure name', 'procedure_name'),
  ignored('Line', 'id'),
  ignored('Line ID', 'claim_medical_line_id'),
  ignored('Carrier line no.', 'vendor_system_id'),
  ignored('UUID', 'uuid'),
  ignored('Prescription type ID', 'prescription_type_id'),
  ignored('Prescription type', 'prescription_type_str'),
];
