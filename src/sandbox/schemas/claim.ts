import { z } from 'zod';
import * as fields from '../../contract/sent-fields.ts';
import { dateRange, integer, nullableString, sent } from './fields.ts';

/** docs/service.md, "Resources and their fields". */
export const claimMedicalLineSchema = z.looseObject({
  ...sent(fields.claimLineFields),
  date_of_service: dateRange.nullable(),
  id: integer.optional(),
  claim_medical_line_id: integer.optional(),
});

/** docs/service.md, "Resources and their fields". */
export const claimMemberSchema = z.looseObject({
  ...sent(fields.claimMemberFields),
  employer: z.looseObject(sent(fields.namedFields)).nullable(),
  system_key: z.record(z.string(), z.string()).nullable(),
});

/** docs/service.md, "Resources and their fields". */
export const claimSchema = z.looseObject({
  ...sent(fields.claimFields),
  type: z.looseObject({ name: nullableString, type_id: integer }).nullable(),
  date_of_service: dateRange.nullable(),
  policy_holder: z.looseObject(sent(fields.policyHolderFields)).nullable(),
  members: z.array(claimMemberSchema).nullable(),
  claim_medical_lines: z.array(claimMedicalLineSchema).nullable(),
});

export type Claim = z.infer<typeof claimSchema>;
export type ClaimMedicalLine = z.infer<typeof claimMedicalLineSchema>;
export type ClaimMember = z.infer<typeof claimMemberSchema>;
export type ServiceDays = z.infer<typeof dateRange>;
