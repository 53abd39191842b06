import type { z } from 'zod';

/**
 * The plain fields of each record (docs/service.md, "Resources and their fields"), by kind. The schemas of the contract
 * and of the sample's service, and the store's columns, are made from them. Fields of one column kind are stored in this
 * order.
 */
export type SentKind = 'integer' | 'boolean' | 'money' | 'real' | 'text' | 'date' | 'dateTime' | 'uuid';
export type SentFields = readonly (readonly [SentKind, string])[];

type NamesIn<S, Before = never> = S extends `${infer First} ${infer Rest}`
  ? NamesIn<Rest, Before | First>
  : Before | S;
type Schemas = Record<SentKind, z.ZodType>;
export type SentShape<F extends SentFields, S extends Schemas> = {
  [Row in F[number] as NamesIn<Row[1]> & string]: S[Row[0]];
};

/** Each field with the schema of its kind. */
export const shapeOf = <const F extends SentFields, S extends Schemas>(
  fields: F,
  schemas: S,
): SentShape<F, S> =>
  Object.fromEntries(
    fields.flatMap(([kind, names]) => names.split(' ').map((name) => [name, schemas[kind]])),
  ) as SentShape<F, S>;

export const vendorFields = [
  ['integer', 'id'],
  ['text', 'code name'],
] as const;
export const vendorTenantFields = [
  ['integer', 'id'],
  ['boolean', 'key_enabled'],
  ['text', 'label'],
] as const;
export const tenantFields = [
  ['integer', 'id tenant_id'],
  ['boolean', 'partner_key_enabled'],
  ['text', 'name'],
] as const;
export const payerFields = [
  ['integer', 'id'],
  ['text', 'name short_name'],
] as const;
export const employerFields = [
  ['integer', 'id employer_id'],
  ['boolean', 'archived email_automation'],
  ['text', 'name slug support_email_derived support_phone_derived tenant_logo_derived tenant_name_derived'],
] as const;
/** An object with an ID and a name: an account, and the employer of a claim's member. */
export const namedFields = [
  ['integer', 'id'],
  ['text', 'name'],
] as const;
export const dependentFields = [
  ['integer', 'id'],
  ['text', 'first_name middle_name last_name email address ssn partner_key'],
  ['date', 'date_of_birth'],
  ['dateTime', 'createddate modifieddate'],
] as const;
export const memberFields = [
  ['integer', 'id unread_count'],
  ['boolean', 'archived can_make_claim_requests can_use_portal'],
  [
    'text',
    'first_name last_name first_name_derived last_name_derived full_name_derived email address ssn partner_key',
  ],
  ['date', 'date_of_birth'],
  ['dateTime', 'archived_date createddate modifieddate'],
] as const;

export const policyHolderFields = [
  ['integer', 'id'],
  ['text', 'first_name last_name'],
] as const;
export const claimMemberFields = [
  ['integer', 'id'],
  ['text', 'email first_name last_name'],
] as const;
/** docs/service.md, "Lists and values": `claim_medical_line_id` can stand in for `id`. */
export const claimLineFields = [
  ['integer', 'id claim_medical_line_id days_supply prescription_type_id'],
  ['real', 'quantity'],
  [
    'money',
    'amount_billed discount amount_allowed amount_paid amount_paid_other amount_not_covered copayment coinsurance_patient reduction patient_responsibility total_patient_responsibility',
  ],
  [
    'text',
    'procedure_code procedure_name diagnosis_code national_drug_code prescription_type_str vendor_system_id',
  ],
  ['uuid', 'uuid'],
] as const;
export const claimTypeFields = [
  ['integer', 'type_id'],
  ['text', 'name'],
] as const;
export const claimFields = [
  ['integer', 'id dataobject_id service_provider_npi_number service_provider_billing_npi_number'],
  ['boolean', 'is_incomplete recrawl_requested'],
  [
    'money',
    'amount_billed discount amount_allowed amount_paid amount_paid_other amount_not_covered copayment coinsurance_patient reduction patient_responsibility incurred_value computed_amount_billed computed_amount_allowed computed_amount_paid computed_copayment computed_coinsurance_patient computed_reduction computed_patient_responsibility',
  ],
  [
    'text',
    'status network patient_name service_provider service_provider_address service_provider_number service_provider_billing_name service_provider_billing_address service_provider_billing_number service_provider_billing_phone',
  ],
  ['date', 'processed_on eob_date check_date'],
  [
    'text',
    'check_number group_name group_number patient_account_number patient_payer_number remarks vendor_system_id',
  ],
  ['uuid', 'uuid'],
  ['dateTime', 'createddate modifieddate date_column last_updated_status'],
] as const;
