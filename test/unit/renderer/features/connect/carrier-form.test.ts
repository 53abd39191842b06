import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  passwordNames,
  readCarrierForm,
  readCarrierUi,
  readOrder,
} from '../../../../../src/renderer/features/connect/carrier-ui.ts';
import {
  carrierValidator,
  findFaults,
  readPointer,
} from '../../../../../src/renderer/features/connect/carrier-validator.ts';

const form = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  title: 'Login',
  properties: {
    subscriber_number: { type: 'string', pattern: '^[A-Z]\\d{8}$', title: 'Subscriber number' },
    username: { type: 'string', format: 'email', minLength: 1, maxLength: 10 },
    password: { type: 'string', minLength: 1 },
    question: { type: 'string', enum: ['School?', 'Pet?'] },
    born: { type: 'string', format: 'date' },
    address: { type: 'object', properties: { zip: { type: 'string' } }, required: ['zip'] },
  },
  required: ['subscriber_number', 'password'],
};
const schema = readCarrierForm(form);
const good = { subscriber_number: 'A12345678', password: 'x', address: { zip: '1' } };
const faultsOf = (fields: unknown) =>
  Object.fromEntries(findFaults(schema, fields).map(({ property, message }) => [property, message]));

describe('the carrier’s form is checked by interpreting its schema', () => {
  it('finds nothing where everything is in order, whatever has no value', () => {
    expect(findFaults(schema, { ...good, username: undefined })).toEqual([]);
  });
  it('says at each field what is wrong, once, in plain words', () => {
    expect(faultsOf({})).toEqual({ '.subscriber_number': 'Fill this in.', '.password': 'Fill this in.' });
    expect(
      faultsOf({ ...good, subscriber_number: 'x', username: 'not an email', password: '', question: 'Cat?' }),
    ).toEqual({
      '.subscriber_number': 'The carrier expects this in another form.',
      '.username': expect.stringMatching(/^(Enter an email address\.|At most 10 characters\.)$/),
      '.password': 'Fill this in.',
      '.question': 'Choose one of those listed.',
    });
    expect(faultsOf({ ...good, born: '12.4.1985' })).toEqual({
      '.born': 'Enter a date, such as 1985-04-12.',
    });
  });
  it('finds faults inside of what is nested', () => {
    expect(faultsOf({ ...good, address: {} })).toEqual({ '.address.zip': 'Fill this in.' });
  });
  it('gives rjsf the errors where its fields look for them, and choices between subschemas', () => {
    const { errors, errorSchema } = carrierValidator.validateFormData({ password: 'x' }, schema);
    expect(errors).toHaveLength(1);
    expect(errorSchema).toMatchObject({ subscriber_number: { __errors: ['Fill this in.'] } });
    const isName = (name: unknown) =>
      carrierValidator.isValid(
        { properties: { name: { $ref: '#/$defs/n' } } },
        { name },
        {
          $defs: { n: { type: 'string' } },
        },
      );
    expect([isName('Dana'), isName(3)]).toEqual([true, false]);
  });
  it('lets the carrier judge where the schema is none', () => {
    expect(findFaults({ $ref: '#/nowhere' }, { a: 1 })).toEqual([]);
    expect(findFaults({ properties: { a: { pattern: '(' } } } as never, { a: 'b' })).toEqual([]);
  });
  it('reads pointers with the signs that they escape', () => {
    expect(readPointer('#/a~1b/c~0d/%C3%A4')).toEqual(['a/b', 'c~d', 'ä']);
    expect(readPointer('#')).toEqual([]);
  });
});

describe('the carrier’s hints for drawing are taken only as far as they are known', () => {
  it('keeps the order and the widgets, and nothing that becomes a property of an element', () => {
    const ui = readCarrierUi(form, {
      'ui:order': ['password', 'gone', 'username'],
      'ui:options': { style: { position: 'fixed' } },
      username: {
        'ui:placeholder': 'As on the site',
        'ui:options': { dangerouslySetInnerHTML: { __html: '<b>' }, enableMarkdownInDescription: true },
      },
      question: { 'ui:widget': 'radio' },
      born: { 'ui:widget': 'file' },
    });
    expect(ui).toEqual({
      'ui:order': ['password', 'username', '*'],
      subscriber_number: {},
      username: { 'ui:placeholder': 'As on the site' },
      password: { 'ui:widget': 'password' },
      question: { 'ui:widget': 'radio' },
      born: {},
      address: { zip: {} },
    });
  });
  it('draws what sounds like a password as one, whatever the hints say', () => {
    const names = ['password', 'pin', 'card_pin', 'passcode', 'secret_answer', 'PASSPHRASE'];
    const properties = Object.fromEntries(
      [...names, 'spin', 'name'].map((name) => [name, { type: 'string' }]),
    );
    const hints = Object.fromEntries(names.map((name) => [name, { 'ui:widget': 'text' }]));
    expect(passwordNames(readCarrierUi({ properties }, hints)).sort()).toEqual([...names].sort());
  });
  it('an order names every field, or the rest of them, and none twice', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 6 });
    fc.assert(
      fc.property(
        names,
        fc.array(fc.oneof(fc.stringMatching(/^[a-z]{1,4}$/), fc.constant('*'))),
        (all, wish) => {
          const order = readOrder(wish, all);
          if (order === null) return;
          expect(new Set(order).size).toBe(order.length);
          expect(order.includes('*') || all.every((name) => order.includes(name))).toBe(true);
          expect(order.every((name) => name === '*' || all.includes(name))).toBe(true);
        },
      ),
    );
    expect(readOrder('username', ['username'])).toBeNull();
  });
});
