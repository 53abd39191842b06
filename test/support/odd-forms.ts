type Json = Record<string, unknown>;

/** An unusual form that a service may send, with values, the fields that apply to these values, and the errors. */
export interface OddForm {
  readonly name: string;
  readonly form: Json;
  readonly filled: Json;
  readonly asked: readonly string[];
  /** The applicable fields that are missing or wrong. */
  readonly faults: readonly string[];
  readonly secrets?: readonly string[];
}

const text = { type: 'string' };
const user = { username: text };
const needs = (...required: string[]) => ({ required });
const adds = (name: string, schema: Json = text) => ({ properties: { [name]: schema }, ...needs(name) });
const is = (name: string, value: unknown) => ({ properties: { [name]: { const: value } }, ...needs(name) });

/**
 * A condition of a JSON Schema. It is made from entries, because an object literal with a property `then` would be
 * treated as a promise.
 */
export const when = (condition: unknown, met: unknown, unmet?: unknown): Json =>
  Object.fromEntries(
    [
      ['if', condition],
      ['then', met],
      ['else', unmet],
    ].filter(([, part]) => part !== undefined),
  ) as Json;

const kind = { kind: { type: 'string', enum: ['pin', 'password'] } };
const byKind = when(is('kind', 'pin'), adds('pin'), adds('password'));

export const oddForms: readonly OddForm[] = [
  {
    name: 'if, then and else beside the fields',
    form: { properties: kind, ...byKind },
    filled: { kind: 'pin' },
    asked: ['kind', 'pin'],
    faults: ['pin'],
    secrets: ['pin'],
  },
  {
    name: 'if, then and else in allOf, the condition met',
    form: { properties: { ...user, ...kind }, required: ['username'], allOf: [byKind] },
    filled: { username: 'dana', kind: 'pin' },
    asked: ['username', 'kind', 'pin'],
    faults: ['pin'],
    secrets: ['pin'],
  },
  {
    name: 'if, then and else in allOf, the condition not met, and another in it',
    form: {
      properties: { ...user, ...kind },
      allOf: [{ allOf: [byKind] }, when(is('kind', 'password'), adds('hint'))],
    },
    filled: { kind: 'password' },
    asked: ['username', 'kind', 'password', 'hint'],
    faults: ['password', 'hint'],
    secrets: ['password'],
  },
  {
    name: 'a branch that only requires what the form declares',
    form: { properties: { ...kind, pin: text }, allOf: [when(is('kind', 'pin'), needs('pin'))] },
    filled: { kind: 'pin' },
    asked: ['kind', 'pin'],
    faults: ['pin'],
    secrets: ['pin'],
  },
  {
    name: 'a branch that requires what another branch declares',
    form: {
      properties: { a: text, b: text },
      allOf: [when(needs('a'), { properties: { extra: text } }), when(needs('b'), needs('extra'))],
    },
    filled: { b: 'x' },
    asked: ['a', 'b', 'extra'],
    faults: ['extra'],
  },
  {
    name: 'a branch that takes a field away',
    form: {
      properties: { has_code: { type: 'boolean' }, code: text },
      required: ['code'],
      ...when(is('has_code', false), { properties: { code: false } }),
    },
    filled: { has_code: false },
    asked: ['has_code'],
    faults: [],
  },
  {
    name: 'a condition behind references',
    form: {
      $defs: { isPin: is('kind', 'pin'), pin: adds('pin') },
      properties: kind,
      allOf: [when({ $ref: '#/$defs/isPin' }, { $ref: '#/$defs/pin' })],
    },
    filled: { kind: 'pin' },
    asked: ['kind', 'pin'],
    faults: ['pin'],
    secrets: ['pin'],
  },
  {
    name: 'a condition that cannot be tested: the fields of both branches, none required',
    form: {
      properties: user,
      ...when({ properties: { username: { pattern: '^(?=a)' } } }, adds('one'), adds('other')),
    },
    filled: { username: 'dana' },
    asked: ['username', 'one', 'other'],
    faults: [],
  },
  {
    name: 'a condition in a field inside of another',
    form: { properties: { account: { type: 'object', properties: kind, ...byKind } } },
    filled: { account: { kind: 'pin' } },
    asked: ['account.kind', 'account.pin'],
    faults: ['account.pin'],
    secrets: ['account.pin'],
  },
  {
    name: 'dependencies as names',
    form: { properties: { card: text, expires: text }, dependencies: { card: ['expires'] } },
    filled: { card: '7' },
    asked: ['card', 'expires'],
    faults: ['expires'],
  },
  {
    name: 'dependencies as a schema, not reached',
    form: { properties: { card: text }, dependencies: { card: adds('expires') } },
    filled: {},
    asked: ['card'],
    faults: [],
  },
  {
    name: 'dependencies as a schema, reached',
    form: { properties: { card: text }, dependencies: { card: adds('expires') } },
    filled: { card: '7' },
    asked: ['card', 'expires'],
    faults: ['expires'],
  },
  {
    name: 'dependencies with an alternative for each value: none of them is to be chosen',
    form: {
      properties: { method: { enum: ['text', 'call'] } },
      dependencies: {
        method: {
          oneOf: [
            { properties: { method: { enum: ['text'] }, mobile: text }, required: ['mobile'] },
            { properties: { method: { enum: ['call'] }, phone: text }, required: ['phone'] },
          ],
        },
      },
    },
    filled: { method: 'call' },
    asked: ['method', 'phone'],
    faults: ['phone'],
  },
  {
    name: 'dependentSchemas',
    form: { properties: { card: text }, dependentSchemas: { card: adds('expires') } },
    filled: { card: '7' },
    asked: ['card', 'expires'],
    faults: ['expires'],
  },
  {
    name: 'dependentRequired, in allOf',
    form: {
      properties: { card: text, expires: text },
      allOf: [{ dependentRequired: { card: ['expires'] } }],
    },
    filled: { card: '7' },
    asked: ['card', 'expires'],
    faults: ['expires'],
  },
  {
    name: 'what a field asked for asks for itself; a wrapped form, required said by properties',
    form: {
      form: [],
      required: [],
      schema: {
        properties: { a: { ...text, required: true } },
        dependencies: { a: { properties: { b: { ...text, required: true } } }, b: adds('c') },
      },
      type: 'object',
    },
    filled: { a: '1', b: '2' },
    asked: ['a', 'b', 'c'],
    faults: ['c'],
  },
  {
    name: 'a value left from a field that is no longer asked for brings nothing',
    form: { properties: kind, allOf: [byKind, when(needs('pin'), adds('pin_again'))] },
    filled: { kind: 'password', pin: '1234' },
    asked: ['kind', 'password'],
    faults: ['password'],
    secrets: ['password'],
  },
  {
    name: 'a choice with null in it',
    form: { properties: { plan: { enum: ['gold', 'silver', null] } }, required: ['plan'] },
    filled: { plan: null },
    asked: ['plan'],
    faults: [],
  },
  {
    name: 'a choice with null in it, not made',
    form: { properties: { plan: { type: ['string', 'null'], enum: ['gold', null] } }, required: ['plan'] },
    filled: {},
    asked: ['plan'],
    faults: ['plan'],
  },
  {
    name: 'a consent that nobody has given',
    form: { properties: { agree: { type: 'boolean', const: true, default: true } }, required: ['agree'] },
    filled: {},
    asked: ['agree'],
    faults: ['agree'],
  },
  {
    name: 'a consent that somebody took back, said by a list of one',
    form: { properties: { agree: { type: 'boolean', enum: [true] } }, required: ['agree'] },
    filled: { agree: false },
    asked: ['agree'],
    faults: ['agree'],
  },
  {
    name: 'a secret by form.type, one that is only written, one by a wrapper',
    form: {
      form: [{ key: 'c', type: 'password' }],
      required: [],
      schema: {
        properties: { a: { ...text, form: { type: 'password' } }, b: { ...text, writeOnly: true }, c: text },
      },
      type: 'object',
    },
    filled: {},
    asked: ['a', 'b', 'c'],
    faults: [],
    secrets: ['a', 'b', 'c'],
  },
  {
    name: 'a secret that a branch only says more about',
    form: {
      properties: { ...user, field_1: { ...text, title: 'Your password' } },
      ...when(needs('username'), {
        properties: { field_1: { minLength: 8, format: 'email' } },
        required: ['field_1'],
      }),
    },
    filled: { username: 'dana' },
    asked: ['username', 'field_1'],
    faults: ['field_1'],
    secrets: ['field_1'],
  },
  {
    name: 'fields called like those of the request',
    form: {
      properties: {
        payer_id: text,
        user_email: text,
        employer_id: text,
        tenants_accept: text,
        accept: { type: 'boolean' },
      },
      required: ['payer_id', 'user_email', 'employer_id'],
    },
    filled: {},
    asked: ['payer_id', 'user_email', 'accept'],
    faults: ['payer_id', 'user_email'],
  },
];
