import { z } from 'zod';
import {
  dateRange,
  integer,
  nullableBoolean,
  nullableDate,
  nullableDateTime,
  nullableInteger,
  nullableString,
} from './fields.ts';

const vendorSchema = z.looseObject({ code: z.string(), id: integer, name: nullableString });

/** docs/service.md, "Resources and their fields"; `key_enabled` only on `tenant.vendor_tenants`. */
export const vendorTenantSchema = z.looseObject({
  id: integer,
  key_enabled: z.boolean().optional(),
  label: z.string(),
  vendor: vendorSchema.nullable(),
});

/** docs/service.md, "Resources and their fields". */
export const vendorMemberSchema = z.looseObject({
  key: nullableString,
  vendor_tenant: vendorTenantSchema.nullable(),
});

/** docs/service.md, "Resources and their fields". */
export const tenantSchema = z.looseObject({
  partner_key_enabled: nullableBoolean,
  id: integer,
  tenant_id: integer,
  name: nullableString,
  vendor_tenants: z.array(vendorTenantSchema).nullable(),
});

const payerSchema = z.looseObject({ id: integer, name: nullableString, short_name: nullableString });

/** docs/service.md, "Resources and their fields". */
export const employerSchema = z.looseObject({
  archived: nullableBoolean,
  email_automation: nullableBoolean,
  eligible_payers: z.array(payerSchema.extend({ retriever: nullableString })).nullable(),
  payers: z.array(payerSchema).nullable(),
  employer_id: integer,
  id: integer,
  name: nullableString,
  slug: nullableString,
  support_email_derived: nullableString,
  support_phone_derived: nullableString,
  tenant_logo_derived: nullableString,
  tenant_name_derived: nullableString,
});

/** docs/service.md, "Resources and their fields"; the optional fields are the unlisted ones of docs/service.md, "What the claim fields mean". */
export const dependentSchema = z.looseObject({
  id: integer,
  first_name: nullableString,
  middle_name: nullableString,
  last_name: nullableString,
  email: nullableString,
  address: nullableString,
  ssn: nullableString,
  partner_key: nullableString,
  date_of_birth: nullableDate,
  createddate: nullableDateTime,
  modifieddate: nullableDateTime,
  relationship: nullableString.optional(),
  gender: nullableString.optional(),
  phone_mobile: nullableString.optional(),
});

/** docs/service.md, "Resources and their fields"; the optional fields are the unlisted ones of docs/service.md, "What the claim fields mean". */
export const memberSchema = z.looseObject({
  id: integer,
  first_name: nullableString,
  last_name: nullableString,
  first_name_derived: nullableString,
  last_name_derived: nullableString,
  full_name_derived: nullableString,
  email: nullableString,
  address: nullableString,
  ssn: nullableString,
  partner_key: nullableString,
  date_of_birth: nullableDate,
  archived: nullableBoolean,
  archived_date: nullableDateTime,
  can_make_claim_requests: nullableBoolean,
  can_use_portal: nullableBoolean,
  unread_count: nullableInteger,
  createddate: nullableDateTime,
  modifieddate: nullableDateTime,
  accounts: z.array(z.looseObject({ id: integer, name: nullableString })).nullable(),
  dependents: z.array(dependentSchema).nullable(),
  employer: employerSchema.nullable(),
  tenant: tenantSchema.nullable(),
  vendor_members: z.array(vendorMemberSchema).nullable(),
  gender: nullableString.optional(),
  phone_mobile: nullableString.optional(),
  hire_term_daterange: dateRange.nullable().optional(),
});

export type Member = z.infer<typeof memberSchema>;
export type Dependent = z.infer<typeof dependentSchema>;
export type Employer = z.infer<typeof employerSchema>;
export type Tenant = z.infer<typeof tenantSchema>;
export type VendorMember = z.infer<typeof vendorMemberSchema>;
