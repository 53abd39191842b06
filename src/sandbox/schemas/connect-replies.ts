import { z } from 'zod';
import { patientAccessStatusSchema, validationStateSchema } from '../../contract/carrier-connections.ts';
import {
  integer,
  nullableBoolean,
  nullableDate,
  nullableDateTime,
  nullableInteger,
  nullableString,
} from './fields.ts';

/** The answers of Connect under `data`: docs/service.md, "Connect calls". */

const named = z.looseObject({ id: integer, name: z.string() });

export const payerShortSchema = z.looseObject({
  id: integer,
  name: z.string(),
  logo_url: nullableString,
  payer_group_id: nullableInteger.optional(),
});

/** A connection in a member's list. */
export const connectionSchema = z.looseObject({
  id: integer,
  payer_id: integer,
  username: nullableString,
  login_problem: nullableString,
  login_needs_correction: nullableBoolean,
  payer: z.looseObject({
    name: z.string(),
    logo_url: nullableString,
    payer_group_id: nullableInteger.optional(),
  }),
  last_successful_crawl_end: nullableDateTime,
  createddate: nullableDateTime,
  task_id: nullableString,
  task_token: nullableString,
});

export const connectUserSchema = z.looseObject({
  id: integer,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  policy_holders: z.array(connectionSchema),
});

export const bootstrapReplySchema = z.strictObject({
  data: z.looseObject({
    user: connectUserSchema,
    employer: named.extend({ support_email_derived: nullableString }),
    tenant: named,
    payers: z.array(payerShortSchema),
  }),
});

const jsonObject = z.record(z.string(), z.unknown());

export const payerReplySchema = z.strictObject({
  data: payerShortSchema.extend({
    onboard_form: jsonObject.nullable(),
    onboard_ui_schema: jsonObject,
    has_security_questions: z.boolean(),
    supports_interoperability_apis: z.boolean(),
    interoperability_authorization_url: nullableString,
    payer_group_id: nullableInteger,
    register_url: nullableString,
    website_home_url_netloc: z.string(),
    redirect_vendor_name: nullableString,
    blogs: z.array(z.looseObject({ id: integer, title: z.string(), article: z.string() })),
  }),
});

export const termsReplySchema = z.strictObject({ data: z.looseObject({ html_string: z.string() }) });

export const submitReplySchema = z.strictObject({
  data: z.looseObject({ policy_holder_id: integer, task_id: z.string(), task_token: z.string() }),
});

/** Null values during a validation do not mean success; `task_id` and `task_token` are there as long as one runs. */
export const policyHolderReplySchema = z.strictObject({
  data: z.looseObject({
    policy_holder_id: integer,
    uuid: z.string(),
    payer_id: integer,
    login_problem: nullableString,
    login_needs_correction: nullableBoolean,
    login_correction_message: nullableString,
    last_successful_crawl_end: nullableDateTime,
    claims_synced_count: nullableInteger,
    most_recent_claim_date: nullableDate,
    members: z.array(z.looseObject({ id: integer, first_name: z.string(), last_name: z.string() })),
    task_id: z.string().optional(),
    task_token: z.string().optional(),
  }),
});

export const validationReplySchema = z.strictObject({
  data: z.looseObject({
    id: z.string(),
    state: validationStateSchema,
    info: z.looseObject({ method_list: z.array(z.string()).optional() }).nullable(),
    credentials_are_valid: nullableBoolean,
    pending: z.boolean(),
    message: nullableString,
  }),
});

export const answerReplySchema = z.strictObject({
  data: z.looseObject({ id: z.string(), acknowledged: z.literal(true) }),
});

export const fixReplySchema = z.strictObject({ data: z.looseObject({ user: connectUserSchema }) });

export const interopBeginReplySchema = z.strictObject({
  data: z.union([z.string(), z.looseObject({ authorization_url: z.string().optional() })]),
});

export const interopReplySchema = z.strictObject({
  data: z.looseObject({
    status: patientAccessStatusSchema,
    ph_id: integer.optional(),
    error: z.string().optional(),
  }),
});

export const mintReplySchema = z.strictObject({ data: z.string() });

export type ConnectionWire = z.infer<typeof connectionSchema>;
export type ConnectUser = z.infer<typeof connectUserSchema>;
