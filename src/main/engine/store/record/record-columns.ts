/**
 * How each record of the service is stored in tables: typed columns, objects flattened into the row, shared objects
 * stored once, lists in rows of their own. The mapping is lossless: values that fit no column are stored as JSON
 * (`extra`), and the absent keys are stored as well (`shape_id`).
 */
export type ColumnKind = 'text' | 'integer' | 'real' | 'money' | 'boolean';

export interface Column {
  readonly key: string;
  readonly column: string;
  readonly kind: ColumnKind;
}

export interface InlineObject {
  readonly key: string;
  readonly columns: readonly Column[];
}

export interface SharedObject {
  readonly key: string;
  readonly column: string;
  readonly shape: () => Shape;
}

/** `own`: rows that belong to the parent. `link`: links to shared objects. `map`: code → key rows. */
export type ListShape =
  | { readonly key: string; readonly kind: 'own'; readonly table: string; readonly shape: () => Shape }
  | { readonly key: string; readonly kind: 'link'; readonly table: string; readonly shape: () => Shape }
  | { readonly key: string; readonly kind: 'map'; readonly table: string };

export interface Shape {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly inline: readonly InlineObject[];
  readonly shared: readonly SharedObject[];
  readonly lists: readonly ListShape[];
}

const columnsOf = (kinds: Partial<Record<ColumnKind, string>>): Column[] =>
  Object.entries(kinds).flatMap(([kind, names]) =>
    names.split(/\s+/).map((key) => ({ key, column: key, kind: kind as ColumnKind })),
  );

const inlineObject = (key: string, kinds: Partial<Record<ColumnKind, string>>): InlineObject => ({
  key,
  columns: columnsOf(kinds).map((column) => ({ ...column, column: `${key}_${column.key}` })),
});

const shape = (
  table: string,
  kinds: Partial<Record<ColumnKind, string>>,
  rest: Partial<Omit<Shape, 'table' | 'columns'>> = {},
): Shape => ({
  table,
  columns: columnsOf(kinds),
  inline: rest.inline ?? [],
  shared: rest.shared ?? [],
  lists: rest.lists ?? [],
});

const sharedObject = (key: string, shapeOf: () => Shape): SharedObject => ({
  key,
  column: `${key}_ref`,
  shape: shapeOf,
});

const dateRange = inlineObject('date_of_service', { text: 'start end bounds' });

export const vendorShape = shape('vendors', { integer: 'id', text: 'code name' });
export const vendorTenantShape = shape(
  'vendor_tenants',
  { integer: 'id', boolean: 'key_enabled', text: 'label' },
  { shared: [sharedObject('vendor', () => vendorShape)] },
);
export const tenantShape = shape(
  'tenants',
  { integer: 'id tenant_id', boolean: 'partner_key_enabled', text: 'name' },
  {
    lists: [
      { key: 'vendor_tenants', kind: 'link', table: 'tenant_vendor_tenants', shape: () => vendorTenantShape },
    ],
  },
);
export const payerShape = shape('payers', { integer: 'id', text: 'name short_name retriever' });
export const employerShape = shape(
  'employers',
  {
    integer: 'id employer_id',
    boolean: 'archived email_automation',
    text: 'name slug support_email_derived support_phone_derived tenant_logo_derived tenant_name_derived',
  },
  {
    lists: [
      { key: 'payers', kind: 'link', table: 'employer_payers', shape: () => payerShape },
      { key: 'eligible_payers', kind: 'link', table: 'employer_eligible_payers', shape: () => payerShape },
    ],
  },
);
export const accountShape = shape('accounts', { integer: 'id', text: 'name' });
export const vendorMemberShape = shape(
  'vendor_members',
  { text: 'key' },
  { shared: [sharedObject('vendor_tenant', () => vendorTenantShape)] },
);
export const dependentShape = shape('dependents', {
  integer: 'id',
  text: 'first_name middle_name last_name email address ssn partner_key date_of_birth createddate modifieddate',
});
export const memberShape = shape(
  'members',
  {
    integer: 'id unread_count',
    boolean: 'archived can_make_claim_requests can_use_portal',
    text: 'first_name last_name first_name_derived last_name_derived full_name_derived email address ssn partner_key date_of_birth archived_date createddate modifieddate',
  },
  {
    shared: [sharedObject('employer', () => employerShape), sharedObject('tenant', () => tenantShape)],
    lists: [
      { key: 'accounts', kind: 'link', table: 'member_accounts', shape: () => accountShape },
      { key: 'dependents', kind: 'own', table: 'dependents', shape: () => dependentShape },
      { key: 'vendor_members', kind: 'own', table: 'vendor_members', shape: () => vendorMemberShape },
    ],
  },
);

export const policyHolderShape = shape('policy_holders', { integer: 'id', text: 'first_name last_name' });
export const claimMemberShape = shape(
  'claim_member_records',
  { integer: 'id', text: 'email first_name last_name' },
  {
    shared: [sharedObject('employer', () => employerShape)],
    lists: [{ key: 'system_key', kind: 'map', table: 'claim_member_system_keys' }],
  },
);
export const claimLineShape = shape(
  'claim_lines',
  {
    integer: 'id claim_medical_line_id days_supply prescription_type_id',
    real: 'quantity',
    money:
      'amount_billed discount amount_allowed amount_paid amount_paid_other amount_not_covered copayment coinsurance_patient reduction patient_responsibility total_patient_responsibility',
    text: 'procedure_code procedure_name diagnosis_code national_drug_code prescription_type_str vendor_system_id uuid',
  },
  { inline: [dateRange] },
);
export const claimShape = shape(
  'claims',
  {
    integer: 'id dataobject_id service_provider_npi_number service_provider_billing_npi_number',
    boolean: 'is_incomplete recrawl_requested',
    money:
      'amount_billed discount amount_allowed amount_paid amount_paid_other amount_not_covered copayment coinsurance_patient reduction patient_responsibility incurred_value computed_amount_billed computed_amount_allowed computed_amount_paid computed_copayment computed_coinsurance_patient computed_reduction computed_patient_responsibility',
    text: 'status network patient_name service_provider service_provider_address service_provider_number service_provider_billing_name service_provider_billing_address service_provider_billing_number service_provider_billing_phone processed_on eob_date check_date check_number group_name group_number patient_account_number patient_payer_number remarks vendor_system_id uuid createddate modifieddate date_column last_updated_status',
  },
  {
    inline: [dateRange, inlineObject('type', { integer: 'type_id', text: 'name' })],
    shared: [sharedObject('policy_holder', () => policyHolderShape)],
    lists: [
      { key: 'members', kind: 'link', table: 'claim_members', shape: () => claimMemberShape },
      { key: 'claim_medical_lines', kind: 'own', table: 'claim_lines', shape: () => claimLineShape },
    ],
  },
);

/** The shapes of what can be shown by itself. */
export const shapesOf = {
  members: memberShape,
  claims: claimShape,
  dependents: dependentShape,
  lines: claimLineShape,
  employers: employerShape,
  tenants: tenantShape,
} as const;

/** All typed columns of a row, including flattened ones, in the order in which rows are written. */
export function flatColumnsOf(recordShape: Shape): readonly Column[] {
  return [...recordShape.columns, ...recordShape.inline.flatMap((object) => object.columns)];
}
