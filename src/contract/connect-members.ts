import { z } from 'zod';

const nullableText = z.string().nullable();
const namedSchema = z.object({ id: z.int(), name: z.string() });

/** The message of a 403 when a request other than the bootstrap has no member's email (docs/service.md, "Errors"). */
export const emptyUserMessage = 'Cannot provide empty user outside of initial post.';

export const connectPayerSchema = namedSchema;
export type ConnectPayer = z.infer<typeof connectPayerSchema>;

/** A member as Connect returns them at one employer; stored on this computer, encrypted. */
export const connectMemberSchema = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  employer: namedSchema,
  tenant: namedSchema,
  /** The values that the data API's vendor-tenant route expects (docs/service.md, "Lists and values"). */
  systemKey: z.string(),
  vendor: z.string(),
  memberSystemKey: nullableText,
  /** Support address of the employer, for members whose login fails though it is right. */
  supportEmail: nullableText.default(null),
  bootstrappedAt: z.string(),
});
export type ConnectMember = z.infer<typeof connectMemberSchema>;

const nameText = z.string().trim().min(1).max(300);
const keyText = z.string().trim().min(1).max(200);

/**
 * The employer of a new member: one that is known here, by ID or by its exact name, or a new one. The service
 * creates an employer for an unknown name, so a name alone is not enough: the user must choose that.
 */
const employerPickSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('known'), id: z.int() }),
  z.object({ kind: z.literal('named'), name: nameText }),
  z.object({ kind: z.literal('new'), name: nameText }),
]);
export type EmployerPick = z.output<typeof employerPickSchema>;

/**
 * The refusals that the user may overrule: `sameName` overrules `connect.employerExists`, `otherEmployer`
 * `connect.memberElsewhere`, and `unknownKey` `connect.employerKeyUnknown`.
 */
const confirmations = ['sameName', 'otherEmployer', 'unknownKey'] as const;
export type Confirmation = (typeof confirmations)[number];

/**
 * The fields of a member in the first call of Connect (docs/service.md, "Connect calls"). `systemKey` and `vendor`
 * belong to the employer: left out where they are stored from an earlier member, else required.
 */
export const newMemberSchema = z.object({
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

/** An employer that a member can be added under: from the records, or returned by Connect before. */
export const connectEmployerSchema = namedSchema.extend({
  /** Other IDs of the same employer in the records. */
  otherIds: z.array(z.int()),
  tenantNames: z.array(z.string()),
  /** The key stored from an earlier member of this employer; null until one has been entered. */
  systemKey: nullableText,
  vendor: nullableText,
  /** Labels of the vendors of its tenants; the first is the one that most of its members have keys at. */
  vendorLabels: z.array(z.string()),
});
export type ConnectEmployer = z.output<typeof connectEmployerSchema>;

/** The steps that a bootstrap with this input would take, shown before they are taken. */
export const memberPlanSchema = z.object({
  /** Name in the matched member's record where there is one, else as entered. */
  memberName: z.string(),
  isMemberKnown: z.boolean(),
  /** `id` is null where the employer would be created. */
  employer: z.object({ id: z.int().nullable(), name: z.string() }),
  systemKey: z.string(),
  vendor: z.string(),
  sentence: z.string(),
  /** A point that cannot be checked beforehand and that the user should look at; null: none. */
  warning: nullableText,
});
export type MemberPlan = z.output<typeof memberPlanSchema>;

const jsonObject = z.record(z.string(), z.json());

/**
 * A carrier with its login form. `form` is a JSON Schema without references, whose secret fields have the format
 * `password`; null where the carrier has none. `uiSchema` has hints for react-jsonschema-form. The articles are
 * untrusted HTML. `known` has the values of the member's record for fields of the form, as the form accepts them.
 */
export const payerFormSchema = namedSchema.extend({
  form: jsonObject.nullable(),
  uiSchema: jsonObject,
  known: z.record(z.string(), z.string()),
  hasSecurityQuestions: z.boolean(),
  hasPatientAccess: z.boolean(),
  /** An https address, or null. */
  registerUrl: nullableText,
  website: nullableText,
  redirectVendorName: nullableText,
  articles: z.array(z.object({ title: z.string(), untrustedHtml: z.string() })),
});
export type PayerForm = z.infer<typeof payerFormSchema>;

/** The two consents that are sent with a login: to the terms, and to each tenant that receives claims. */
export const consentsSchema = z.object({
  terms: z.literal(true),
  tenantIds: z.array(z.int()).min(1).max(100),
});

/** The carrier's form as filled in, including username and password. Never stored, logged or returned. */
export const carrierFieldsSchema = z.record(z.string().min(1).max(200), z.json());
