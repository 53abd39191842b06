import { z } from 'zod';

/**
 * Records in the service's form (docs/service.md, "Resources and their fields"). Any field may be null or missing, and
 * unknown fields are kept, so every schema is loose and nullish.
 */
const text = z.string().nullish();
const amount = z.number().nullish();
const whole = z.number().nullish();
const flag = z.boolean().nullish();

const dateRangeSchema = z.looseObject({ bounds: text, start: text, end: text });
export type DateRange = z.infer<typeof dateRangeSchema>;

const claimLineSchema = z.looseObject({
  id: whole,
  date_of_service: dateRangeSchema.nullish(),
  procedure_code: text,
  procedure_name: text,
  diagnosis_code: text,
  national_drug_code: text,
  days_supply: whole,
  quantity: amount,
  amount_billed: amount,
  discount: amount,
  amount_allowed: amount,
  amount_paid: amount,
  amount_paid_other: amount,
  amount_not_covered: amount,
  copayment: amount,
  coinsurance_patient: amount,
  reduction: amount,
  patient_responsibility: amount,
  total_patient_responsibility: amount,
  prescription_type_id: whole,
  prescription_type_str: text,
  vendor_system_id: text,
  uuid: text,
});
export type ClaimLineRecord = z.infer<typeof claimLineSchema>;

const claimMemberSchema = z.looseObject({
  id: whole,
  email: text,
  first_name: text,
  last_name: text,
  employer: z.looseObject({ id: whole, name: text }).nullish(),
  system_key: z.record(z.string(), z.unknown()).nullish(),
});
export type ClaimMemberRecord = z.infer<typeof claimMemberSchema>;

export const claimSchema = z.looseObject({
  id: z.number(),
  status: text,
  patient_name: text,
  network: text,
  date_of_service: dateRangeSchema.nullish(),
  type: z.looseObject({ name: text, type_id: whole }).nullish(),
  policy_holder: z.looseObject({ id: whole, first_name: text, last_name: text }).nullish(),
  members: z.array(claimMemberSchema).nullish(),
  claim_medical_lines: z.array(claimLineSchema).nullish(),
  is_incomplete: flag,
  recrawl_requested: flag,
  amount_billed: amount,
  discount: amount,
  amount_allowed: amount,
  amount_paid: amount,
  amount_paid_other: amount,
  amount_not_covered: amount,
  copayment: amount,
  coinsurance_patient: amount,
  reduction: amount,
  patient_responsibility: amount,
  remarks: text,
});
export type ClaimRecord = z.infer<typeof claimSchema>;

export const dependentSchema = z.looseObject({
  id: whole,
  first_name: text,
  middle_name: text,
  last_name: text,
  email: text,
  address: text,
  date_of_birth: text,
  ssn: text,
  partner_key: text,
  createddate: text,
  modifieddate: text,
});
export type DependentRecord = z.infer<typeof dependentSchema>;

const payerSchema = z.looseObject({ id: whole, name: text, short_name: text });
const vendorSchema = z.looseObject({ id: whole, code: text, name: text });
const vendorTenantSchema = z.looseObject({
  id: whole,
  label: text,
  key_enabled: flag,
  vendor: vendorSchema.nullish(),
});

export const employerSchema = z.looseObject({
  id: whole,
  employer_id: whole,
  name: text,
  slug: text,
  archived: flag,
  email_automation: flag,
  support_email_derived: text,
  support_phone_derived: text,
  tenant_logo_derived: text,
  tenant_name_derived: text,
  payers: z.array(payerSchema).nullish(),
  eligible_payers: z.array(payerSchema.extend({ retriever: text })).nullish(),
});
export type EmployerRecord = z.infer<typeof employerSchema>;

export const tenantSchema = z.looseObject({
  id: whole,
  tenant_id: whole,
  name: text,
  partner_key_enabled: flag,
  vendor_tenants: z.array(vendorTenantSchema).nullish(),
});
export type TenantRecord = z.infer<typeof tenantSchema>;

export const memberSchema = z.looseObject({
  id: z.number(),
  first_name: text,
  last_name: text,
  full_name_derived: text,
  first_name_derived: text,
  last_name_derived: text,
  email: text,
  address: text,
  ssn: text,
  date_of_birth: text,
  partner_key: text,
  archived: flag,
  archived_date: text,
  can_make_claim_requests: flag,
  can_use_portal: flag,
  unread_count: whole,
  createddate: text,
  modifieddate: text,
  accounts: z.array(z.looseObject({ id: whole, name: text })).nullish(),
  dependents: z.array(dependentSchema).nullish(),
  employer: employerSchema.nullish(),
  tenant: tenantSchema.nullish(),
  vendor_members: z
    .array(z.looseObject({ key: text, vendor_tenant: vendorTenantSchema.nullish() }))
    .nullish(),
});
export type MemberRecord = z.infer<typeof memberSchema>;

/**
 * An item of a record's list, or a value in place of the list, that is no record: the field, and the value as received.
 */
export const setAsideItemSchema = z.object({ list: z.string(), value: z.unknown() });
export type SetAsideItem = z.infer<typeof setAsideItemSchema>;
