import { z } from 'zod';
import {
  claimFields,
  claimLineFields,
  claimMemberFields,
  claimTypeFields,
  dependentFields,
  employerFields,
  memberFields,
  namedFields,
  payerFields,
  policyHolderFields,
  type SentFields,
  shapeOf,
  tenantFields,
  vendorFields,
  vendorTenantFields,
} from './sent-fields.ts';

/**
 * Records in the service's form (docs/service.md, "Resources and their fields"). Any field may be null or missing, and
 * unknown fields are kept, so every schema is loose and nullish.
 */
const text = z.string().nullish();
const number = z.number().nullish();
const boolean = z.boolean().nullish();
const schemas = {
  integer: number,
  money: number,
  real: number,
  boolean,
  text,
  date: text,
  dateTime: text,
  uuid: text,
};
const fieldsOf = <const F extends SentFields>(fields: F) => shapeOf(fields, schemas);
const named = z.looseObject(fieldsOf(namedFields));

const dateRangeSchema = z.looseObject({ bounds: text, start: text, end: text });
export type DateRange = z.infer<typeof dateRangeSchema>;

const claimLineSchema = z.looseObject({
  ...fieldsOf(claimLineFields),
  date_of_service: dateRangeSchema.nullish(),
});
export type ClaimLineRecord = z.infer<typeof claimLineSchema>;

const claimMemberSchema = z.looseObject({
  ...fieldsOf(claimMemberFields),
  employer: named.nullish(),
  system_key: z.record(z.string(), z.unknown()).nullish(),
});
export type ClaimMemberRecord = z.infer<typeof claimMemberSchema>;

export const claimSchema = z.looseObject({
  ...fieldsOf(claimFields),
  id: z.number(),
  date_of_service: dateRangeSchema.nullish(),
  type: z.looseObject(fieldsOf(claimTypeFields)).nullish(),
  policy_holder: z.looseObject(fieldsOf(policyHolderFields)).nullish(),
  members: z.array(claimMemberSchema).nullish(),
  claim_medical_lines: z.array(claimLineSchema).nullish(),
});
export type ClaimRecord = z.infer<typeof claimSchema>;

export const dependentSchema = z.looseObject(fieldsOf(dependentFields));
export type DependentRecord = z.infer<typeof dependentSchema>;

const payerSchema = z.looseObject(fieldsOf(payerFields));
const vendorTenantSchema = z.looseObject({
  ...fieldsOf(vendorTenantFields),
  vendor: z.looseObject(fieldsOf(vendorFields)).nullish(),
});

export const employerSchema = z.looseObject({
  ...fieldsOf(employerFields),
  payers: z.array(payerSchema).nullish(),
  eligible_payers: z.array(payerSchema.extend({ retriever: text })).nullish(),
});
export type EmployerRecord = z.infer<typeof employerSchema>;

export const tenantSchema = z.looseObject({
  ...fieldsOf(tenantFields),
  vendor_tenants: z.array(vendorTenantSchema).nullish(),
});
export type TenantRecord = z.infer<typeof tenantSchema>;

export const memberSchema = z.looseObject({
  ...fieldsOf(memberFields),
  id: z.number(),
  accounts: z.array(named).nullish(),
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
