import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyForm } from '../../../src/carrier-form/apply-form.ts';
import { fieldsIn, typeOf } from '../../../src/carrier-form/form-fields.ts';
import { readOnboardForm } from '../../../src/carrier-form/read-form.ts';
import { fuzzRuns } from '../../support/seeds.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };
const login = {
  username: { type: 'string', title: 'Username' },
  password: { type: 'string', title: 'Password' },
};
const read = (given: unknown, hints: unknown = {}): Json => {
  const form = readOnboardForm(given, hints);
  if (form.kind !== 'form') throw new Error(`not a form but ${form.kind}`);
  return form.schema as Json;
};
const propertiesOf = (schema: Json): Record<string, Json> => schema.properties as Record<string, Json>;
const expected = {
  type: 'object',
  properties: { username: login.username, password: { ...login.password, format: 'password' } },
  required: ['username', 'password'],
};

describe('a login form in every shape that a service sends', () => {
  const required = ['username', 'password'];
  const asked = Object.fromEntries(
    Object.entries(login).map(([name, one]) => [name, { ...one, required: true }]),
  );
  it.each([
    ['bare', { type: 'object', properties: login, required }],
    ['bare, said by each property', { type: 'object', properties: asked }],
    ['bare, said by both', { type: 'object', properties: asked, required: ['username'] }],
    ['bare, without a type', { properties: login, required }],
    [
      'wrapped',
      { form: ['*'], required: [], schema: { type: 'object', properties: login, required }, type: 'object' },
    ],
    ['wrapped, said by each property', { form: null, schema: { properties: asked }, type: 'object' }],
    [
      'wrapped, said by the wrapper',
      { form: [], required, schema: { type: 'object', properties: login }, type: 'x' },
    ],
    ['wrapped, said by the wrapper as a flag', { required: true, schema: { properties: asked } }],
    [
      'in an allOf',
      { allOf: [{ properties: { username: login.username }, required }, { properties: login }] },
    ],
    [
      'by references',
      { $ref: '#/$defs/login', $defs: { login: { type: 'object', properties: login, required } } },
    ],
  ])('%s', (_name, given) => {
    expect(read(given)).toEqual(expected);
  });

  it.each([[null], [undefined]])('%s is not a form', (given) => {
    expect(readOnboardForm(given, {})).toEqual({ kind: 'none' });
  });

  it.each([
    ['an empty object', {}],
    ['a wrapper around nothing', { form: [], required: [], schema: {}, type: 'object' }],
    [
      'no properties, and required names all the same',
      { type: 'object', properties: {}, required: ['username'] },
    ],
    ['a text', 'username, password'],
    ['a list', [login]],
    ['a single text', { type: 'string' }],
    ['nothing but nulls', { properties: { a: { type: 'null' }, b: { type: ['null'] } } }],
    ['nothing but empty objects', { properties: { a: { type: 'object', properties: {} } } }],
    [
      'lists of nothing',
      { properties: { a: { type: 'array' }, b: { type: 'array', items: {}, maxItems: 0, $ref: 7 } } },
      { b: { 'ui:widget': 'hidden' } },
    ],
    [
      'nothing but hidden fields',
      { properties: login },
      { username: { 'ui:widget': 'hidden' }, password: { 'ui:options': { widget: 'hidden' } } },
    ],
    ['a reference to itself', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
    ['schemas that are true or false', { properties: { a: true, b: false } }],
  ])('%s has no input', (_name, given: unknown, hints: unknown = {}) => {
    expect(readOnboardForm(given, hints)).toEqual({ kind: 'unusable' });
  });

  it('accepts all of 200 fields', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`field_${n}`, { ...text, required: true }]),
    );
    const schema = read({ schema: { properties } });
    expect(Object.keys(propertiesOf(schema))).toHaveLength(200);
    expect(schema.required).toHaveLength(200);
  });
});

describe('only what a person can fill in is required', () => {
  it.each([
    ['a name without a property', { properties: { a: text }, required: ['a', 'b'] }, {}],
    [
      'a hidden property',
      { properties: { a: text, b: { ...text, required: true } }, required: ['a'] },
      { b: { 'ui:widget': 'hidden' } },
    ],
    [
      'one that is only read',
      { properties: { a: text, b: { ...text, readOnly: true } }, required: ['a', 'b'] },
      {},
    ],
    ['one that is null', { properties: { a: text, b: { type: 'null' } }, required: ['a', 'b'] }, {}],
    ['one with nothing inside', { properties: { a: text, b: { type: 'object' } }, required: ['a', 'b'] }, {}],
    [
      'one that is another thing than a schema',
      { properties: { a: text, b: 'text' }, required: ['a', 'b'] },
      {},
    ],
    [
      'the prototype',
      JSON.parse(
        '{"properties":{"a":{"type":"string"},"__proto__":{"type":"string"}},"required":["a","__proto__"]}',
      ),
      {},
    ],
  ])('%s', (_name, given, hints) => {
    expect(read(given, hints)).toEqual({ type: 'object', properties: { a: text }, required: ['a'] });
  });

  it('a hidden field with its own value is sent and not asked for', () => {
    const given = {
      properties: { a: text, b: { ...text, default: 'web' }, c: { const: 3 } },
      required: ['a', 'b', 'c'],
    };
    const hints = { b: { 'ui:widget': 'hidden' }, c: { 'ui:widget': 'hidden' } };
    expect(read(given, hints)).toMatchObject({
      properties: { b: { default: 'web' }, c: { type: 'number', const: 3 } },
      required: ['a'],
    });
  });
});

describe('types and keywords', () => {
  it.each([
    [['string', 'null'], 'string'],
    [['null', 'integer'], 'integer'],
    [['integer', 'string'], 'string'],
    [undefined, 'string'],
    ['text', 'string'],
    ['boolean', 'boolean'],
    [7, 'string'],
  ])('%j is drawn as %s', (type, drawn) => {
    expect(propertiesOf(read({ properties: { a: { type } } })).a).toEqual({ type: drawn });
  });

  it('a choice between something and null is that something', () => {
    const anyOf = [{ type: 'string', maxLength: 3 }, { type: 'null' }];
    expect(propertiesOf(read({ properties: { a: { anyOf, title: 'A' } } })).a).toEqual({
      type: 'string',
      title: 'A',
      maxLength: 3,
    });
  });

  it('keeps keywords that restrict a value, and leaves out those in another form or that break the check', () => {
    const good = { title: 'A', description: 'B', pattern: '^a', minLength: 1, enum: ['a'], default: 'a' };
    const bad = {
      title: 7,
      pattern: '(',
      maxLength: '9',
      enum: [],
      exclusiveMinimum: true,
      $comment: 'x',
      onclick: 'x',
    };
    const properties = propertiesOf(
      read({ properties: { good: { ...text, ...good }, bad: { ...text, ...bad } } }),
    );
    expect(properties).toEqual({ good: { ...text, ...good }, bad: text });
  });

  it('keeps alternatives with inputs, and conditions with any or that require one', () => {
    const by = (name: string) => ({ properties: { [name]: text }, required: [name] });
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    const branches = { then: by('code'), else: { required: ['kind'] } };
    const condition = { properties: { kind: { const: 'a' } } };
    const schema = read({
      properties: { kind: { enum: ['a', 'b'] } },
      oneOf: [by('email'), by('phone'), { required: ['kind'] }],
      if: condition,
      ...branches,
    });
    expect(schema).toMatchObject({
      oneOf: [by('email'), by('phone')],
      allOf: [{ if: condition, ...branches }],
    });
    expect(schema.oneOf).toHaveLength(2);
  });
});

describe('secret fields are marked, however deep and whatever they are called', () => {
  it.each([
    ['password', text],
    ['Passphrase', text],
    ['card_pin', { type: 'integer' }],
    ['userPin', text],
    ['secret_answer', { type: ['string', 'null'] }],
    ['field_3', { type: 'string', title: 'Your password' }],
    ['field_4', { type: 'string', format: 'password' }],
    ['field_5', { type: 'password' }],
    ['field_6', { type: 'string', form: { type: 'password' } }],
    ['field_7', { type: 'string', writeOnly: true, enum: ['a', 'b'] }],
    ['field_8', { type: 'string', oneOf: [{ format: 'password' }, { const: 'none' }] }],
  ])('%s %j', (name, property) => {
    expect(propertiesOf(read({ properties: { [name]: property } }))[name]).toHaveProperty(
      'format',
      'password',
    );
  });

  it.each([['spin'], ['passport_number'], ['username'], ['shipping']])('%s is none', (name) => {
    expect(propertiesOf(read({ properties: { [name]: text } }))[name]).toEqual(text);
  });

  it('by a hint, in a nested object, in a list, in an alternative, behind a reference', () => {
    const hints = { account: { login: { field_1: { 'ui:widget': 'password' } } } };
    const schema = read(
      {
        $defs: { secret: { properties: { password: text } } },
        properties: {
          account: { type: 'object', properties: { login: { properties: { field_1: text } } } },
          others: { type: 'array', items: { properties: { pin: text } } },
          second: { $ref: '#/$defs/secret' },
        },
        oneOf: [{ properties: { passcode: text } }],
      },
      hints,
    );
    expect(JSON.stringify(schema).match(/"format":"password"/g)).toHaveLength(4);
    expect(
      propertiesOf(read({ properties: { password: { enum: ['yes', 'no'] } } })).password,
    ).not.toHaveProperty('format');
  });
});

describe('a hostile form does no harm', () => {
  it('references that fan out end soon, and the form is not used', () => {
    const fan = (name: string) => ({
      allOf: Array.from({ length: 60 }, () => ({ $ref: `#/$defs/${name}` })),
    });
    const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`d${n}`, fan(`d${n + 1}`)]));
    const startedMs = performance.now();
    expect(readOnboardForm({ ...fan('d0'), $defs, properties: login }, {})).toEqual({ kind: 'unusable' });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it('a form that contains itself is cut off, and its fields stay', () => {
    const schema = read({
      properties: { ...login, partner: { $ref: '#/$defs/all' } },
      $defs: { all: { $ref: '#' } },
    });
    expect(Object.keys(propertiesOf(schema)).slice(0, 2)).toEqual(['username', 'password']);
  });

  it('a thousand levels are cut off', () => {
    let deep: Json = text;
    for (let level = 0; level < 1_000; level += 1) deep = { properties: { inner: deep } };
    expect(read({ properties: { ...login, deep } })).toEqual({ ...expected, required: [] });
  });

  const keyword = fc.constantFrom(
    ...[
      'type',
      'properties',
      'required',
      'allOf',
      'anyOf',
      'oneOf',
      'items',
      '$ref',
      'enum',
      'schema',
      'if',
      'then',
      'title',
    ],
    ...['else', 'dependencies', 'dependentSchemas', 'dependentRequired', 'enumNames', 'form', 'not'],
    ...['username', 'password', 'pattern', 'readOnly', 'default', 'const'],
  );
  const anySchema = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom<unknown>(
        'string',
        'object',
        ['string', 'null'],
        true,
        null,
        7,
        '#/properties/username',
        ['username'],
      ),
      fc.dictionary(keyword, tie('node'), { maxKeys: 6 }),
      fc.array(tie('node'), { maxLength: 3 }),
    ),
  })).node;

  it('whatever is sent: no fault, and the result has inputs, requires only those, and can be checked', () => {
    fc.assert(
      fc.property(anySchema, fc.dictionary(keyword, anySchema), (given, hints) => {
        const form = readOnboardForm(given, hints);
        if (form.kind !== 'form') return;
        judge(form.schema as Json);
        expect(() => new Validator(form.schema as never, '2020-12', false).validate({})).not.toThrow();
        expect(JSON.stringify(form.schema)).not.toContain('$ref');
        const applied = applyForm(form.schema, {});
        for (const name of applied.form.required as string[])
          expect(applied.form.properties).toHaveProperty([name]);
      }),
      { numRuns: fuzzRuns(1_000) },
    );
    function judge(schema: Json): void {
      expect(['string', 'integer', 'number', 'boolean', 'array', 'object']).toContain(typeOf(schema));
      if (schema.type !== 'object') return;
      const fields = fieldsIn(schema);
      const names = fields.map(([name]) => name);
      for (const name of schema.required as string[]) expect(names).toContain(name);
      for (const [, property] of fields) judge(property as Json);
    }
  });
});
