import { z } from 'zod';
import * as fields from '../../contract/sent-fields.ts';
import { dateRange, integer, nullableString, sent } from './fields.ts';

/** docs/service.md, "Resources and their fields"; `key_enabled` only on `tenant.vendor_tenants`. */
export const vendorTenantSchema = z.looseObject({
  ...sent(fields.vendorTenantFields),
  key_enabled: z.boolean().optional(),
  label: z.string(),
  vendor: z.looseObject({ ...sent(fields.vendorFields), code: z.string() }).nullable(),
});

/** docs/service.md, "Resources and their fields". */
export const vendorMemberSchema = z.looseObject({
  key: nullableString,
  vendor_tenant: vendorTenantSchema.nullable(),
});

/** docs/service.md, "Resources and their fields". */
export const tenantSchema = z.looseObject({
  ...sent(fields.tenantFields),
  tenant_id: integer,
  vendor_tenants: z.array(vendorTenantSchema).nullable(),
});

const payerSchema = z.looseObject(sent(fields.payerFields));

/** docs/service.md, "Resources and their fields". */
export const employerSchema = z.looseObject({
  ...sent(fields.employerFields),
  employer_id: integer,
  eligible_payers: z.array(payerSchema.extend({ retriever: nullableString })).nullable(),
  payers: z.array(payerSchema).nullable(),
});

/** docs/service.md, "Resources and their fields"; the optional fields are the unlisted ones of docs/service.md, "What the claim fields mean". */
export const dependentSchema = z.looseObject({
  ...sent(fields.dependentFields),
  relationship: nullableString.optional(),
  gender: nullableString.optional(),
  phone_mobile: nullableString.optional(),
});

/** docs/service.md, "Resources and their fields"; the optional fields are the unlisted ones of docs/service.md, "What the claim fields mean". */
export const memberSchema = z.looseObject({
  ...sent(fields.memberFields),
  accounts: z.array(z.looseObject(sent(fields.namedFields))).nullable(),
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
