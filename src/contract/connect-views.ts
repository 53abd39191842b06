import { z } from 'zod';
import { patientAccessStatusSchema, validationStateSchema } from './connect.ts';
import { errorCodes } from './error-codes.ts';
import { tokenHeaderSchema } from './workspace.ts';

const nullableText = z.string().nullable();
const namedSchema = z.object({ id: z.number().int(), name: z.string() });

/** What the common headers are called; they can differ between deployments. docs/service.md, "Connect requests". */
export const connectHeadersSchema = z.object({
  serviceToken: tokenHeaderSchema.default('X-Service-Token'),
  apiVersion: tokenHeaderSchema.default('X-Connect-API-Version'),
  accessToken: tokenHeaderSchema.default('X-Connect-Access-Token'),
  newAccessToken: tokenHeaderSchema.default('X-Set-Connect-Access-Token'),
  tenantLabel: tokenHeaderSchema.default('X-Tenant-Label'),
  tenantKey: tokenHeaderSchema.default('X-Tenant-Key'),
  stateId: tokenHeaderSchema.default('X-Connect-State-Id'),
  isDemo: tokenHeaderSchema.default('X-Is-Demo'),
});
export type ConnectHeaders = z.infer<typeof connectHeadersSchema>;

/** Where Connect lies: `/connect/v1`, or `/sdk-api` with the old spellings of routes. Interface, "Versioning". */
export const connectBases = ['current', 'legacy'] as const;
/** How a correction names its connection: `PUT /policy_holder/{id}`, or bare with the id in the body. */
export const correctionSpellings = ['path', 'body'] as const;

/** A header's value: printable ASCII. */
const headerText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);

/** Any text but control characters: it travels as UTF-8. */
const tenantText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]+$/u);

/** The integration of a workspace without its secret key, of which only whether there is one is ever told. */
export const connectSettingsSchema = z.object({
  publicToken: headerText(500).nullable(),
  hasSecret: z.boolean(),
  tenantLabel: tenantText.nullable(),
  tenantKey: tenantText.nullable(),
  /** Demo data of the service in place of real members. */
  isDemo: z.boolean(),
  base: z.enum(connectBases),
  correction: z.enum(correctionSpellings),
  headers: connectHeadersSchema,
});
export type ConnectSettings = z.infer<typeof connectSettingsSchema>;

/** Changes what is given. `secretKey` goes inward once; null removes it. */
export const connectSettingsChangeSchema = connectSettingsSchema
  .omit({ hasSecret: true, headers: true })
  .partial()
  .extend({
    headers: z
      .object(
        Object.fromEntries(
          Object.keys(connectHeadersSchema.shape).map((name) => [name, tokenHeaderSchema.optional()]),
        ) as Record<keyof ConnectHeaders, z.ZodOptional<typeof tokenHeaderSchema>>,
      )
      .strict()
      .optional(),
    secretKey: headerText(2000).nullable().optional(),
  });

export const connectPayerSchema = namedSchema;
export type ConnectPayer = z.infer<typeof connectPayerSchema>;

/** A member as Connect knows them at one employer; remembered on this computer, encrypted. */
export const connectMemberSchema = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  employer: namedSchema,
  tenant: namedSchema,
  /** As the data API's vendor-tenant route takes them (docs/service.md, "Lists and values"). */
  systemKey: z.string(),
  vendor: z.string(),
  memberSystemKey: nullableText,
  /** The employer's own, for members whose login fails though it is right. */
  supportEmail: nullableText.default(null),
  bootstrappedAt: z.string(),
});
export type ConnectMember = z.infer<typeof connectMemberSchema>;

const nameText = z.string().trim().min(1).max(300);
const keyText = z.string().trim().min(1).max(200);

/**
 * Whose employee a member is: an employer that is known here, by id or by its exact name, or a new one. Never a
 * name alone: the service creates an employer that it does not know, so that must be asked for by itself.
 */
export const employerPickSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('known'), id: z.number().int() }),
  z.object({ kind: z.literal('named'), name: nameText }),
  z.object({ kind: z.literal('new'), name: nameText }),
]);
export type EmployerPick = z.output<typeof employerPickSchema>;

/**
 * What a person can insist on after a refusal, each undoing one: `sameName` `connect.employerExists`,
 * `otherEmployer` `connect.memberElsewhere`, `unknownKey` `connect.employerKeyUnknown`.
 */
export const confirmations = ['sameName', 'otherEmployer', 'unknownKey'] as const;
export type Confirmation = (typeof confirmations)[number];

/**
 * What the first call of Connect is told of a member (docs/service.md, "Connect calls"). `systemKey` and `vendor`
 * belong to the employer: left out where they are kept from an earlier member, else wanted.
 */
export const bootstrapInputSchema = z.object({
  email: z.string().trim().min(3).max(320),
  firstName: z.string().trim().min(1).max(200),
  lastName: z.string().trim().min(1).max(200),
  employer: employerPickSchema,
  systemKey: keyText.optional(),
  vendor: keyText.optional(),
  dateOfBirth: z.iso.date().optional(),
  phone: z.string().trim().min(1).max(50).optional(),
  memberSystemKey: keyText.optional(),
  confirmed: z.array(z.enum(confirmations)).optional(),
});

/** An employer that a member can be added under: of the records, or one that Connect named before. */
export const connectEmployerSchema = namedSchema.extend({
  /** Other numbers of the same employer in the records. */
  otherIds: z.array(z.number().int()),
  tenantNames: z.array(z.string()),
  /** Kept from an earlier member of this employer; null until it was given once. */
  systemKey: nullableText,
  vendor: nullableText,
  /** Labels of its tenants' vendors, the one that most of its members have keys at first. */
  vendorLabels: z.array(z.string()),
});
export type ConnectEmployer = z.output<typeof connectEmployerSchema>;

/** What a bootstrap would do, said before it is done. */
export const memberPlanSchema = z.object({
  /** Of the matched member's record where there is one, else as given. */
  memberName: z.string(),
  isMemberKnown: z.boolean(),
  /** `id` is null where the employer would be created. */
  employer: z.object({ id: z.number().int().nullable(), name: z.string() }),
  systemKey: z.string(),
  vendor: z.string(),
  sentence: z.string(),
  /** What cannot be told beforehand, and is worth a look; null: nothing. */
  warning: nullableText,
});
export type MemberPlan = z.output<typeof memberPlanSchema>;

const jsonObject = z.record(z.string(), z.json());

/**
 * A carrier with the form that its login wants. `form` is a bare JSON Schema without references, whose secret
 * fields have the format `password`; null where the carrier has none. `uiSchema` are hints of
 * react-jsonschema-form. The articles are untrusted HTML.
 */
export const payerFormSchema = namedSchema.extend({
  form: jsonObject.nullable(),
  uiSchema: jsonObject,
  hasSecurityQuestions: z.boolean(),
  hasPatientAccess: z.boolean(),
  /** https, or null. */
  registerUrl: nullableText,
  website: nullableText,
  redirectVendorName: nullableText,
  articles: z.array(z.object({ title: z.string(), untrustedHtml: z.string() })),
});
export type PayerForm = z.infer<typeof payerFormSchema>;

/** The two consents that travel with a submit: to the terms, and to each tenant that receives claims. */
export const consentsSchema = z.object({
  terms: z.literal(true),
  tenantIds: z.array(z.number().int()).min(1).max(100),
});

/** The carrier's form as filled in, username and password among it. Never stored, logged or told again. */
export const carrierFieldsSchema = z.record(z.string().min(1).max(200), z.json());

export const severities = ['critical', 'warning', 'running', 'fine', 'unknown'] as const;

/** A connection with what it means in plain words. `usernameHint` is masked: the name itself is not kept. */
export const connectionViewSchema = z.object({
  policyHolderId: z.number().int(),
  email: z.string(),
  memberName: z.string(),
  employerName: z.string(),
  /** Of the employer's support. */
  supportEmail: nullableText,
  payerId: z.number().int().nullable(),
  payerName: nullableText,
  usernameHint: nullableText,
  severity: z.enum(severities),
  /** The service's word; null is none. */
  loginProblem: nullableText,
  needsCorrection: z.boolean(),
  /** Why, in the carrier's own words; plain text. */
  correctionMessage: nullableText,
  sentence: z.string(),
  nextStep: nullableText,
  lastSuccessAt: nullableText,
  /** Claims that the service has fetched by it; null: not known. */
  claimsSynced: z.number().int().nullable(),
  /** Date of the newest of them. */
  newestClaimOn: nullableText,
  createdAt: nullableText,
  /** A validation runs at the service. */
  isRunning: z.boolean(),
  /** When the service said so. */
  readAt: z.string(),
});
export type ConnectionView = z.infer<typeof connectionViewSchema>;

export const validationPhases = ['working', 'chooseMethod', 'enterCode', 'ended'] as const;
export const validationOutcomes = ['connected', 'provisional', 'attention', 'failed', 'unknown'] as const;

/**
 * A validation as a person sees it. `methods` and `message` are the carrier's own words; `sentence` and
 * `nextStep` are ours. `interruption` says what keeps Claimdesk from the service just now; it goes on trying.
 */
export const validationViewSchema = z.object({
  policyHolderId: z.number().int(),
  email: z.string(),
  payerId: z.number().int().nullable(),
  payerName: nullableText,
  phase: z.enum(validationPhases),
  state: validationStateSchema,
  methods: z.array(z.string()),
  message: nullableText,
  isCodeRefused: z.boolean(),
  outcome: z.enum(validationOutcomes).nullable(),
  loginProblem: nullableText,
  sentence: z.string(),
  nextStep: nullableText,
  watchedBy: z.enum(['stream', 'polling']).nullable(),
  interruption: z.enum(errorCodes).nullable(),
  /** When the login was submitted, or the validation found. */
  startedAt: z.string(),
  /** False: the login was submitted in the portal, say, or on another computer. */
  isStartedHere: z.boolean(),
  changedAt: z.string(),
});
export type ValidationView = z.infer<typeof validationViewSchema>;

export const patientAccessPhases = ['ready', 'waiting', 'connected', 'failed', 'abandoned'] as const;

/** A sign-in at the carrier's own page. `host` is shown before the page is opened; `message` is the carrier's. */
export const patientAccessViewSchema = z.object({
  email: z.string(),
  payerId: z.number().int(),
  phase: z.enum(patientAccessPhases),
  status: patientAccessStatusSchema,
  host: z.string(),
  authorizationUrl: z.string(),
  policyHolderId: z.number().int().nullable(),
  message: nullableText,
  sentence: z.string(),
  nextStep: nullableText,
  interruption: z.enum(errorCodes).nullable(),
  startedAt: z.string(),
});
export type PatientAccessView = z.infer<typeof patientAccessViewSchema>;
