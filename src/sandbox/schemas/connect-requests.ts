import { z } from 'zod';

/**
 * Request bodies of Connect: docs/service.md, "Connect calls". Unknown fields are those of a carrier's form, so they
 * are kept.
 */

const required = z.string('is required').trim().min(1, 'is required').max(300, 'is too long');
const optionalText = z.string('must be a text').max(300, 'is too long').nullish();
const optionalDate = z.iso.date('must be a date such as 1985-04-12').nullish();
const id = z.int('must be a whole number');
/** IDs of tenants; the published client sends the value of its one checkbox instead: `[true]`. */
const tenantsAccept = z
  .array(z.union([id, z.boolean()], 'must be a tenant id or true'), 'must be an array of tenant ids')
  .nullish();

const userEmail = z.string().meta({ description: 'Names the member; `user.email` does too.' }).optional();
const user = z.looseObject({ email: z.string().optional() }).optional();

export const bootstrapBodySchema = z.looseObject({
  system_key: required,
  vendor: required,
  employer_name: required,
  user_email: required.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'),
  user_first_name: required,
  user_last_name: required,
  date_of_birth: optionalDate,
  phone_number: optionalText,
  member_system_key: optionalText,
});

export const submitBodySchema = z.looseObject({
  user_email: userEmail,
  user,
  employer_id: id,
  /** Together with `payer` it may be a field of the carrier's own form. */
  payer_id: z.union([id, z.string()], 'must be a whole number').optional(),
  payer: z.looseObject({ id }).optional(),
  username: optionalText,
  password: optionalText,
  date_of_birth: optionalDate,
  member_id: id.nullish(),
  accept: z.boolean('must be true or false').nullish(),
  tenants_accept: tenantsAccept,
});

/**
 * The `PUT /policy_holder` without ID in the path identifies the connection in its body, by ID or by payer and
 * username.
 */
export const resubmitBodySchema = submitBodySchema.extend({ policy_holder_id: id.optional() });

export const answerBodySchema = z.looseObject({
  user_email: userEmail,
  user,
  method: z.string('must be a text').max(300, 'is too long').optional(),
  code: z.string('must be a text').max(50, 'is too long').optional(),
});

export const interopBodySchema = z.looseObject({
  user_email: userEmail,
  user,
  payer_id: id.optional(),
  accept: z.boolean('must be true or false').nullish(),
  tenants_accept: tenantsAccept,
});

export const mintBodySchema = z.looseObject({ connect_access_key: required, connect_secret_key: required });

export type SubmitBody = z.infer<typeof submitBodySchema>;
