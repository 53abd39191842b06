/**
 * The flat columns of the four record lists, under the service's names (interface.md, "Resources and
 * their fields"). One table serves the store's columns, the query language, the grid and the CSV export.
 * Nested values carry dotted paths (`policy_holder.id`). `$` marks what Claimdesk adds itself.
 */
export const entities = ['members', 'dependents', 'claims', 'lines'] as const;
export type Entity = (typeof entities)[number];

/**
 * `money`: US dollars, exact to ten-thousandths. `date`: ISO date, or a date-time where the service sends
 * one. `dateTime`: ISO 8601. `number`: not money. `id`: integer identity.
 */
export type FieldKind = 'id' | 'integer' | 'number' | 'money' | 'text' | 'boolean' | 'date' | 'dateTime';

/** What makes a column need care: masked by default, left out of exports by default. */
export type Sensitivity = 'ssn' | 'birthDate' | 'diagnosis';

export interface FieldSpec {
  readonly path: string;
  readonly kind: FieldKind;
  readonly label: string;
  readonly sensitivity?: Sensitivity;
  /** Found by free-text search. */
  readonly isSearchable?: true;
}

type Options = { ssn?: true; birthDate?: true; diagnosis?: true; search?: true };

const field = (path: string, kind: FieldKind, label: string, options: Options = {}): FieldSpec => ({
  path,
  kind,
  label,
  ...(options.ssn ? { sensitivity: 'ssn' as const } : {}),
  ...(options.birthDate ? { sensitivity: 'birthDate' as const } : {}),
  ...(options.diagnosis ? { sensitivity: 'diagnosis' as const } : {}),
  ...(options.search ? { isSearchable: true as const } : {}),
});

const search = { search: true } as const;

const claimFields: readonly FieldSpec[] = [
  field('id', 'id', 'Claim'),
  field('status', 'text', 'Status', search),
  field('date_of_service.start', 'date', 'Service from'),
  field('date_of_service.end', 'date', 'Service to'),
  field('date_of_service.bounds', 'text', 'Service bounds'),
  field('patient_name', 'text', 'Patient', search),
  field('service_provider', 'text', 'Provider', search),
  field('type.name', 'text', 'Type'),
  field('type.type_id', 'integer', 'Type id'),
  field('network', 'text', 'Network'),
  field('amount_billed', 'money', 'Billed'),
  field('discount', 'money', 'Discount'),
  field('amount_allowed', 'money', 'Allowed'),
  field('amount_paid', 'money', 'Plan paid'),
  field('amount_paid_other', 'money', 'Paid by other'),
  field('amount_not_covered', 'money', 'Not covered'),
  field('copayment', 'money', 'Copayment'),
  field('coinsurance_patient', 'money', 'Coinsurance'),
  field('reduction', 'money', 'Deductible'),
  field('patient_responsibility', 'money', 'Patient responsibility'),
  field('incurred_value', 'money', 'Incurred'),
  field('computed_amount_billed', 'money', 'Billed (computed)'),
  field('computed_amount_allowed', 'money', 'Allowed (computed)'),
  field('computed_amount_paid', 'money', 'Plan paid (computed)'),
  field('computed_copayment', 'money', 'Copayment (computed)'),
  field('computed_coinsurance_patient', 'money', 'Coinsurance (computed)'),
  field('computed_reduction', 'money', 'Deductible (computed)'),
  field('computed_patient_responsibility', 'money', 'Patient responsibility (computed)'),
  field('processed_on', 'date', 'Processed'),
  field('eob_date', 'date', 'EOB date'),
  field('check_date', 'date', 'Check date'),
  field('check_number', 'text', 'Check number', search),
  field('group_name', 'text', 'Group', search),
  field('group_number', 'text', 'Group number', search),
  field('is_incomplete', 'boolean', 'Incomplete'),
  field('recrawl_requested', 'boolean', 'Fetch requested'),
  field('policy_holder.id', 'id', 'Carrier connection'),
  field('policy_holder.first_name', 'text', 'Policy holder first name', search),
  field('policy_holder.last_name', 'text', 'Policy holder last name', search),
  field('patient_account_number', 'text', 'Account at provider', search),
  field('patient_payer_number', 'text', 'Account at payer', search),
  field('remarks', 'text', 'Remarks', search),
  field('service_provider_address', 'text', 'Provider address'),
  field('service_provider_number', 'text', 'Provider tax id'),
  field('service_provider_npi_number', 'integer', 'Provider NPI'),
  field('service_provider_billing_name', 'text', 'Billing provider', search),
  field('service_provider_billing_address', 'text', 'Billing address'),
  field('service_provider_billing_number', 'text', 'Billing tax id'),
  field('service_provider_billing_phone', 'text', 'Billing phone'),
  field('service_provider_billing_npi_number', 'integer', 'Billing NPI'),
  field('vendor_system_id', 'text', 'Payer claim number', search),
  field('uuid', 'text', 'UUID'),
  field('dataobject_id', 'integer', 'Data object'),
  field('createddate', 'dateTime', 'Created'),
  field('modifieddate', 'dateTime', 'Modified'),
  field('date_column', 'dateTime', 'Date column'),
  field('last_updated_status', 'dateTime', 'Last material change'),
];

const lineFields: readonly FieldSpec[] = [
  field('id', 'id', 'Line'),
  field('$claim_id', 'id', 'Claim'),
  field('date_of_service.start', 'date', 'Service from'),
  field('date_of_service.end', 'date', 'Service to'),
  field('date_of_service.bounds', 'text', 'Service bounds'),
  field('procedure_code', 'text', 'Procedure', search),
  field('procedure_name', 'text', 'Procedure name', search),
  field('diagnosis_code', 'text', 'Diagnosis', { diagnosis: true, search: true }),
  field('quantity', 'number', 'Quantity'),
  field('amount_billed', 'money', 'Billed'),
  field('discount', 'money', 'Discount'),
  field('amount_allowed', 'money', 'Allowed'),
  field('amount_paid', 'money', 'Plan paid'),
  field('amount_paid_other', 'money', 'Paid by other'),
  field('amount_not_covered', 'money', 'Not covered'),
  field('copayment', 'money', 'Copayment'),
  field('coinsurance_patient', 'money', 'Coinsurance'),
  field('reduction', 'money', 'Deductible'),
  field('patient_responsibility', 'money', 'Patient responsibility'),
  field('total_patient_responsibility', 'money', 'Total patient responsibility'),
  field('days_supply', 'integer', 'Days supply'),
  field('national_drug_code', 'text', 'NDC', search),
  field('prescription_type_id', 'integer', 'Prescription type id'),
  field('prescription_type_str', 'text', 'Prescription type'),
  field('vendor_system_id', 'text', 'Payer line number'),
  field('uuid', 'text', 'UUID'),
];

const memberFields: readonly FieldSpec[] = [
  field('id', 'id', 'Member'),
  field('last_name', 'text', 'Last name', search),
  field('first_name', 'text', 'First name', search),
  field('full_name_derived', 'text', 'Full name', search),
  field('first_name_derived', 'text', 'First name (derived)'),
  field('last_name_derived', 'text', 'Last name (derived)'),
  field('email', 'text', 'Email', search),
  field('date_of_birth', 'date', 'Birth date', { birthDate: true }),
  field('ssn', 'text', 'SSN', { ssn: true }),
  field('address', 'text', 'Address', search),
  field('partner_key', 'text', 'Partner key', search),
  field('employer.id', 'id', 'Employer id'),
  field('employer.name', 'text', 'Employer', search),
  field('tenant.id', 'id', 'Tenant id'),
  field('tenant.name', 'text', 'Tenant'),
  field('archived', 'boolean', 'Archived'),
  field('archived_date', 'dateTime', 'Archived on'),
  field('can_make_claim_requests', 'boolean', 'May request claims'),
  field('can_use_portal', 'boolean', 'May use portal'),
  field('unread_count', 'integer', 'Unread'),
  field('createddate', 'dateTime', 'Created'),
  field('modifieddate', 'dateTime', 'Modified'),
];

const dependentFields: readonly FieldSpec[] = [
  field('id', 'id', 'Dependent'),
  field('$member_id', 'id', 'Member'),
  field('last_name', 'text', 'Last name', search),
  field('first_name', 'text', 'First name', search),
  field('middle_name', 'text', 'Middle name', search),
  field('email', 'text', 'Email', search),
  field('date_of_birth', 'date', 'Birth date', { birthDate: true }),
  field('ssn', 'text', 'SSN', { ssn: true }),
  field('address', 'text', 'Address', search),
  field('partner_key', 'text', 'Partner key', search),
  field('createddate', 'dateTime', 'Created'),
  field('modifieddate', 'dateTime', 'Modified'),
];

/** The flat columns of a list, in the order in which they are shown and exported. */
export const fieldsOf: Readonly<Record<Entity, readonly FieldSpec[]>> = {
  members: memberFields,
  dependents: dependentFields,
  claims: claimFields,
  lines: lineFields,
};

/**
 * Filterable, but no column: who a claim belongs to (field-notes §3; its tenant is that of its member), the
 * whole date of service, where `is` and `between` mean that the range has a day in common with the one asked
 * for, and the month in which the service began (`2025-03`).
 */
export const linkFieldsOf: Readonly<Record<Entity, readonly FieldSpec[]>> = {
  members: [],
  dependents: [],
  claims: [
    field('members.id', 'id', 'Member'),
    field('members.employer.id', 'id', 'Employer id'),
    field('members.employer.name', 'text', 'Employer'),
    field('members.tenant.id', 'id', 'Tenant id'),
    field('members.tenant.name', 'text', 'Tenant'),
    field('date_of_service', 'date', 'Date of service'),
    field('date_of_service.month', 'text', 'Month of service'),
  ],
  lines: [
    field('date_of_service', 'date', 'Date of service'),
    field('date_of_service.month', 'text', 'Month of service'),
  ],
};
