import { z } from 'zod';
import { PAYERS } from '../data/employers.ts';

type Json = Record<string, unknown>;

/** A carrier as Connect tells it; `form` both makes `onboard_form` and checks what is submitted. */
export type ConnectPayer = {
  readonly id: number;
  readonly name: string;
  readonly logoUrl: string | null;
  readonly host: string;
  readonly registerUrl: string | null;
  readonly form: z.ZodObject | null;
  readonly uiSchema: Json;
  readonly hasSecurityQuestions: boolean;
  readonly hasTwoFactor: boolean;
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

type Details = Partial<Omit<ConnectPayer, 'id' | 'name'>> & Pick<ConnectPayer, 'host' | 'form'>;

const DETAILS: Readonly<Record<number, Details>> = {
  11: {
    host: 'www.northern-mutual.example',
    form: plain.extend({ date_of_birth: dateOfBirth }),
    logoUrl: 'https://logos.example/payers/11.png',
    blogs: [
      { id: 1, title: 'Find your member portal', article: 'Your card shows the address of the portal.' },
    ],
  },
  12: {
    host: 'members.lakeshore.example',
    hasSecurityQuestions: true,
    form: plain.extend({
      security_question_first_choice: z
        .enum(QUESTIONS, 'must be one of the questions listed')
        .meta({ title: 'Security question' }),
      security_question_first: text('Answer'),
    }),
  },
  13: {
    host: 'bluestem.example',
    // The carrier wants its own order, which is not the schema's.
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
    redirectVendorName: 'Script Gateway',
    form: z.object({
      username: z.email('must be an email address').meta({ title: 'Email you sign in with' }),
      password,
      remember_device: z.boolean('must be yes or no').default(false).meta({ title: 'Remember this device' }),
    }),
  },
  15: { host: 'test-carrier.example', form: plain },
  16: { host: 'two-factor.test-carrier.example', form: plain, hasTwoFactor: true },
  17: { host: 'patient-access.test-carrier.example', form: null, registerUrl: null },
};

/** The carriers that a member can choose; the last signs in by Patient Access. */
export const CONNECT_PAYERS: readonly ConnectPayer[] = [
  ...PAYERS,
  { id: 17, name: 'Test Patient Access Carrier' },
].map(({ id, name }) => {
  const details = DETAILS[id] as Details;
  return {
    id,
    name,
    logoUrl: null,
    registerUrl: `https://${details.host}/register`,
    uiSchema: details.form === null ? {} : usual,
    hasSecurityQuestions: false,
    hasTwoFactor: false,
    redirectVendorName: null,
    blogs: [],
    ...details,
  };
});

export function findPayer(id: number): ConnectPayer | undefined {
  return CONNECT_PAYERS.find((payer) => payer.id === id);
}

/** `data.payers[]` of the bootstrap. */
export function describePayer(payer: ConnectPayer) {
  return { id: payer.id, name: payer.name, logo_url: payer.logoUrl };
}

/** `GET /payer/{employer_id}/{payer_id}`. Field notes §4. */
export function describePayerInFull(payer: ConnectPayer) {
  return {
    ...describePayer(payer),
    onboard_form: payer.form === null ? null : formSchemaOf(payer.form),
    onboard_ui_schema: payer.uiSchema,
    has_security_questions: payer.hasSecurityQuestions,
    supports_interoperability_apis: payer.form === null,
    register_url: payer.registerUrl,
    website_home_url_netloc: payer.host,
    redirect_vendor_name: payer.redirectVendorName,
    blogs: [...payer.blogs],
  };
}

function formSchemaOf(form: z.ZodObject): Json {
  return z.toJSONSchema(form, {
    target: 'draft-2020-12',
    io: 'input',
    // A format says it in one word; the pattern that zod adds to it would be shown to people as what they did wrong.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  }) as Json;
}
