import { z } from 'zod';

type Json = Record<string, unknown>;

const text = (title: string): Json => ({ type: 'string', title, minLength: 1, maxLength: 200 });
/**
 * A condition: with this way to sign in, the field is required. It is made from entries, because an object literal with
 * a property `then` would be treated as a promise.
 */
const signsInWith = (value: string, name: string, secret: Json): Json =>
  Object.fromEntries([
    ['if', { properties: { sign_in: { const: value } }, required: ['sign_in'] }],
    ['then', { properties: { [name]: secret }, required: [name] }],
  ]);
const pin: Json = { type: 'string', title: 'PIN', pattern: '^\\d{4,8}$', form: { type: 'password' } };

/**
 * A form with features of real carriers' forms: fields that depend on others, a choice with null and labels, a consent,
 * a secret by `form.type`, an address, and fields with the same names as those of the request.
 */
export const CONDITIONAL_FORM: Json = {
  type: 'object',
  properties: {
    username: text('Username'),
    sign_in: { title: 'Signs in with', enum: ['password', 'pin'], enumNames: ['A password', 'A PIN'] },
    plan: { title: 'Plan', enum: ['ppo', 'hmo', null], enumNames: ['PPO', 'HMO', 'Not sure'] },
    payer_id: text('Payer ID on the card'),
    user_email: { type: 'string', format: 'email', title: 'Email at the carrier' },
    portal: { type: 'string', format: 'url', title: 'Address of the portal' },
    agree: { type: 'boolean', const: true, title: 'The member allows the carrier to share their claims' },
  },
  required: ['username', 'sign_in', 'plan', 'agree'],
  allOf: [signsInWith('password', 'password', text('Password')), signsInWith('pin', 'pin', pin)],
  dependencies: { payer_id: ['card_date'] },
  dependentSchemas: {
    payer_id: { properties: { card_date: { type: 'string', format: 'date', title: 'Date on the card' } } },
  },
};

const required = 'is required';
const optionalText = z.string().min(1, required).max(200).optional();

/** The same rules, to check submitted values. */
export const CONDITIONAL_CHECK = z
  .object({
    username: z.string(required).trim().min(1, required).max(200),
    sign_in: z.enum(['password', 'pin'], 'must be password or pin'),
    plan: z.enum(['ppo', 'hmo'], 'must be one of those listed').nullable(),
    password: optionalText,
    pin: z
      .string()
      .regex(/^\d{4,8}$/, 'must be four to eight digits')
      .optional(),
    payer_id: optionalText,
    card_date: z.iso.date('must be a date').optional(),
    user_email: z.email('must be an email address').optional(),
    portal: z.url('must be an address').optional(),
    agree: z.literal(true, 'must be agreed to'),
  })
  .superRefine((filled, context) => {
    const missing = [
      ...(filled[filled.sign_in] === undefined ? [filled.sign_in] : []),
      ...(filled.payer_id !== undefined && filled.card_date === undefined ? ['card_date'] : []),
    ];
    for (const name of missing) context.addIssue({ code: 'custom', path: [name], message: required });
  });
