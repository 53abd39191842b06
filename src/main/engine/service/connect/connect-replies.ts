import { z } from 'zod';

/**
 * Schemas of Connect's replies under `data` (docs/service.md, "Connect calls"), read leniently: unknown fields stay,
 * a field of the wrong type counts as missing, an unreadable row is left out. Only what is indispensable is required.
 */
const id = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);
const idOrNull = id
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
const flag = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
const nameOf = z
  .string()
  .nullish()
  .catch('')
  .transform((value) => value ?? '');
const object = z.record(z.string(), z.json());

/** Reads a list without its unreadable rows; a single object counts as a list of one. */
const listOf = <T extends z.ZodType>(row: T) =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      const rows: unknown[] = Array.isArray(value)
        ? value
        : value === null || value === undefined
          ? []
          : [value];
      return rows.flatMap((entry) => {
        const parsed = row.safeParse(entry);
        return parsed.success ? [parsed.data as z.output<T>] : [];
      });
    });

const count = z
  .number()
  .int()
  .nonnegative()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

const named = z.looseObject({ id, name: nameOf });

/** A connection in a member's list. */
export const connectionSchema = z.looseObject({
  id,
  payer_id: idOrNull,
  username: text,
  login_problem: text,
  login_needs_correction: flag,
  payer: z.looseObject({ name: nameOf, payer_group_id: idOrNull }).nullish().catch(null),
  last_successful_crawl_end: text,
  createddate: text,
  task_id: text,
  task_token: text,
});
export type ConnectionReply = z.output<typeof connectionSchema>;

const user = z.looseObject({
  id: idOrNull,
  email: text,
  first_name: text,
  last_name: text,
  policy_holders: listOf(connectionSchema),
});

export const bootstrapSchema = z.looseObject({
  user: user,
  employer: named.extend({ support_email_derived: text }),
  tenant: named,
  payers: listOf(named.extend({ payer_group_id: idOrNull })),
});
export type BootstrapReply = z.output<typeof bootstrapSchema>;

export const payerSchema = z.looseObject({
  id,
  name: nameOf,
  onboard_form: z.json().nullish(),
  onboard_ui_schema: object.nullish().catch(null),
  has_security_questions: flag,
  supports_interoperability_apis: flag,
  interoperability_authorization_url: text,
  payer_group_id: idOrNull,
  register_url: text,
  website_home_url_netloc: text,
  redirect_vendor_name: text,
  blogs: listOf(z.looseObject({ title: nameOf, article: nameOf })),
});
export type PayerReply = z.output<typeof payerSchema>;

export const termsSchema = z.looseObject({ html_string: z.string() });

export const submittedSchema = z.looseObject({
  policy_holder_id: id,
  task_id: text,
  task_token: text,
});
export type SubmittedReply = z.output<typeof submittedSchema>;

/** All values are null while a validation runs, which is not success; then `task_id` and `task_token` are there. */
export const policyHolderSchema = z.looseObject({
  policy_holder_id: idOrNull,
  payer_id: idOrNull,
  login_problem: text,
  login_needs_correction: flag,
  login_correction_message: text,
  last_successful_crawl_end: text,
  claims_synced_count: count,
  most_recent_claim_date: text,
  task_id: text,
  task_token: text,
});
export type PolicyHolderReply = z.output<typeof policyHolderSchema>;

const methods = listOf(z.union([z.string(), z.number().transform(String)]));

export const validationSchema = z.looseObject({
  state: text,
  info: z.looseObject({ method_list: methods }).nullish().catch(null),
  credentials_are_valid: flag,
  pending: flag,
  message: text,
});

export const fixSchema = z.looseObject({ user });

/** The address itself, or an object that has it; null for an acknowledgement without one. */
export const authorizationSchema = z
  .union([
    z.string().min(1),
    z.looseObject({ authorization_url: z.string().min(1) }).transform((value) => value.authorization_url),
    z.looseObject({ url: z.string().min(1) }).transform((value) => value.url),
    z.unknown().transform(() => null),
  ])
  .nullish()
  .transform((value) => value ?? null);

export const patientAccessSchema = z.looseObject({ status: text, ph_id: idOrNull, error: text });
export type PatientAccessReply = z.output<typeof patientAccessSchema>;

export const mintSchema = z.string().min(1);

/** An acknowledgement, whose content is not used. */
export const anySchema = z.unknown();

/**
 * A `state` event of the stream. `result` contains what polling returns under `info` or next to the state; for a
 * `FAILURE`, it may be the carrier's sentence itself.
 */
export const stateEventSchema = z.looseObject({
  status: text,
  result: z
    .union([
      z.string(),
      z.looseObject({
        method_list: methods,
        info: z.looseObject({ method_list: methods }).nullish().catch(null),
        credentials_are_valid: flag,
        pending: flag,
        message: text,
      }),
    ])
    .nullish()
    .catch(null),
});
