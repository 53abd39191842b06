import { z } from 'zod';
import { isHostile } from '../data/corpus.ts';
import { PAYERS } from '../data/employers.ts';
import { CONDITIONAL_CHECK, CONDITIONAL_FORM } from './conditional-form.ts';
import type { ConnectBehavior } from './settings.ts';

type Json = Record<string, unknown>;

/** The form of `onboard_form`: bare or wrapped, and where it marks required fields. */
type FormShape = {
  readonly isWrapped: boolean;
  readonly requiredBy: 'schema' | 'property' | 'wrapper';
};

/** A carrier of Connect; `form` both makes `onboard_form` and validates what is submitted. */
export type OfferedPayer = {
  readonly id: number;
  readonly name: string;
  readonly logoUrl: string | null;
  readonly host: string;
  readonly registerUrl: string | null;
  readonly form: z.ZodObject | null;
  readonly formShape: FormShape;
  /** `onboard_form` where it cannot be made from the schema that checks it. */
  readonly writtenForm: Json | null;
  readonly uiSchema: Json;
  readonly hasSecurityQuestions: boolean;
  readonly hasTwoFactor: boolean;
  /** Whether its validations stay at `TWO_FACTOR_AUTH_COMPLETE` after a right code. */
  readonly restsAfterCode: boolean;
  /** The members of a migrating carrier move to another one of its group. */
  readonly groupId: number | null;
  readonly redirectVendorName: string | null;
  readonly blogs: readonly { readonly id: number; readonly title: string; readonly article: string }[];
};

const text = (title: string) => z.string('is required').trim().min(1, 'is required').max(200).meta({ title });
const username = text('Username');
const password = z.string('is required').min(1, 'is required').max(200).meta({ title: 'Password' });
const dateOfBirth = z.iso.date('must be a date such as 1985-04-12').meta({ title: 'Date of birth' });

const plain = z.object({ username, password });
const passwordBox: Json = { password: { 'ui:widget': 'password' } };
const usual: Json = { 'ui:order': ['username', 'password', '*'], ...passwordBox };

const QUESTIONS = [
  'Name of your first school?',
  'City you were born in?',
  'Name of your first pet?',
] as const;

type Details = Partial<Omit<OfferedPayer, 'id' | 'name'>> & Pick<OfferedPayer, 'host' | 'form'>;

const NORTHERN_GROUP = 501;

const DETAILS: Readonly<Record<number, Details>> = {
  11: {
    host: 'www.northern-mutual.example',
    groupId: NORTHERN_GROUP,
    formShape: { isWrapped: true, requiredBy: 'property' },
    form: plain.extend({ date_of_birth: dateOfBirth }),
    logoUrl: 'https://logos.example/payers/11.png',
    blogs: [
      { id: 1, title: 'Find your member portal', article: 'Your card shows the address of the portal.' },
    ],
  },
  12: {
    host: 'members.lakeshore.example',
    hasSecurityQuestions: true,
    formShape: { isWrapped: true, requiredBy: 'wrapper' },
    form: plain.extend({
      security_question_first_choice: z
        .enum(QUESTIONS, 'must be one of the questions listed')
        .meta({ title: 'Security question' }),
      security_question_first: text('Answer'),
    }),
  },
  13: {
    host: 'bluestem.example',
    formShape: { isWrapped: false, requiredBy: 'schema' },
    // The carrier's order of fields, which differs from the schema's.
    uiSchema: { 'ui:order': ['subscriber_number', '*', 'password'], ...passwordBox },
    form: plain.extend({
      subscriber_number: z
        .string('is required')
        .regex(/^[A-Z]\d{8}$/, 'must be a letter and eight digits')
        .meta({ title: 'Subscriber number', description: 'A letter and eight digits, on your card.' }),
      group_number: z.string().max(20).optional().meta({ title: 'Group number, if you have one' }),
    }),
  },
  14: {
    host: 'cascade-rx.example',
    formShape: { isWrapped: false, requiredBy: 'property' },
    redirectVendorName: 'Script Gateway',
    form: z.object({
      username: z.email('must be an email address').meta({ title: 'Email you sign in with' }),
      password,
      remember_device: z.boolean('must be yes or no').default(false).meta({ title: 'Remember this device' }),
    }),
  },
  15: { host: 'test-carrier.example', form: plain },
  16: {
    host: 'two-factor.test-carrier.example',
    formShape: { isWrapped: true, requiredBy: 'property' },
    form: plain,
    hasTwoFactor: true,
  },
  17: { host: 'patient-access.test-carrier.example', form: null, registerUrl: null },
  18: { host: 'resting.test-carrier.example', form: plain, hasTwoFactor: true, restsAfterCode: true },
  19: {
    host: 'online.northern-mutual.example',
    formShape: { isWrapped: true, requiredBy: 'property' },
    form: plain,
    groupId: NORTHERN_GROUP,
  },
  20: { host: 'www.summit-ridge.example', form: plain },
  21: {
    host: 'forms.test-carrier.example',
    form: CONDITIONAL_CHECK,
    writtenForm: CONDITIONAL_FORM,
    uiSchema: { 'ui:order': ['username', 'sign_in', 'password', 'pin', '*'] },
  },
};

/**
 * The carriers that a member can choose. 17 uses Patient Access, 18 has validations that stay at
 * `TWO_FACTOR_AUTH_COMPLETE`, 19 is the carrier to which the members of 11 move, 21 has a form with conditions.
 */
export const CONNECT_PAYERS: readonly OfferedPayer[] = [
  ...PAYERS,
  { id: 17, name: 'Test Patient Access Carrier' },
  { id: 18, name: 'Test Resting Carrier' },
  { id: 19, name: 'Northern Mutual Online' },
  { id: 20, name: 'Summit Ridge Health Plan' },
  { id: 21, name: 'Test Form Carrier' },
].map(({ id, name }) => {
  const details = DETAILS[id] as Details;
  return {
    id,
    name,
    logoUrl: null,
    registerUrl: `https://${details.host}/register`,
    formShape: { isWrapped: true, requiredBy: 'schema' } as const,
    writtenForm: null,
    uiSchema: details.form === null ? {} : usual,
    hasSecurityQuestions: false,
    hasTwoFactor: false,
    restsAfterCode: false,
    groupId: null,
    redirectVendorName: null,
    blogs: [],
    ...details,
  };
});

/** Lists carriers in the order of the bootstrap; except in the hostile corpus, those for tests come last. */
export function listPayers(): readonly OfferedPayer[] {
  if (isHostile()) return CONNECT_PAYERS;
  const isTest = ({ name }: OfferedPayer): number => (name.startsWith('Test ') ? 1 : 0);
  return CONNECT_PAYERS.toSorted((a, b) => isTest(a) - isTest(b));
}

export const findPayer = (id: number): OfferedPayer | undefined =>
  CONNECT_PAYERS.find((payer) => payer.id === id);

/** `data.payers[]` of the bootstrap. */
export function describePayer(payer: OfferedPayer, payerGroups: ConnectBehavior['payerGroups']) {
  const { id, name, logoUrl, groupId } = payer;
  return { id, name, logo_url: logoUrl, ...(payerGroups === 'lists' ? { payer_group_id: groupId } : {}) };
}

/**
 * `GET /payer/{employer_id}/{payer_id}`. docs/service.md, "Connect calls".
 *
 * @param address the carrier's own address for Patient Access
 */
export const describePayerInFull = (payer: OfferedPayer, address: string | null = null) => ({
  ...describePayer(payer, 'lists'),
  onboard_form: payer.writtenForm ?? (payer.form === null ? null : describeForm(payer.form, payer.formShape)),
  onboard_ui_schema: payer.uiSchema,
  has_security_questions: payer.hasSecurityQuestions,
  supports_interoperability_apis: payer.form === null,
  interoperability_authorization_url: address,
  register_url: payer.registerUrl,
  website_home_url_netloc: payer.host,
  redirect_vendor_name: payer.redirectVendorName,
  blogs: [...payer.blogs],
});

/** docs/service.md, "Connect calls", `GET /payer/…`: bare, or wrapped; a property may carry its own `required: true`. */
function describeForm(form: z.ZodObject, { isWrapped, requiredBy }: FormShape): Json {
  const { required, ...schema } = formSchemaOf(form) as {
    required: string[];
    properties: Record<string, Json>;
  };
  const formSchema =
    requiredBy === 'property'
      ? {
          ...schema,
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, property]) => [
              name,
              required.includes(name) ? { ...property, required: true } : property,
            ]),
          ),
        }
      : { ...schema, ...(requiredBy === 'schema' ? { required } : {}) };
  if (!isWrapped) return formSchema;
  return {
    form: Object.keys(schema.properties),
    required: requiredBy === 'wrapper' ? required : [],
    schema: formSchema,
    type: 'object',
  };
}

const formSchemaOf = (form: z.ZodObject): Json =>
  z.toJSONSchema(form, {
    target: 'draft-2020-12',
    io: 'input',
    // The format is kept alone: the error would show users the pattern that zod adds to it.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  }) as Json;
