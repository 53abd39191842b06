import { describe, expect, it } from 'vitest';
import { findFaults, readPointer } from '../../../src/carrier-form/check-form.ts';
import { withoutSecrets } from '../../../src/carrier-form/form-fields.ts';
import { loginForm as form } from '../../support/login-form.ts';

const good = { subscriber_number: 'A12345678', password: 'x', address: { zip: '1' } };
const faultsOf = (fields: unknown) =>
  Object.fromEntries(findFaults(form, fields).map(({ path, message }) => [`.${path.join('.')}`, message]));

describe('the carrier’s form is checked by interpreting its schema', () => {
  it('finds no fault in a valid form, whatever has no value', () => {
    expect(findFaults(form, { ...good, username: undefined })).toEqual([]);
  });
  it('reports faults at their fields, once, in plain words', () => {
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
  it('finds faults in nested values', () => {
    expect(faultsOf({ ...good, address: {} })).toEqual({ '.address.zip': 'Fill this in.' });
  });
  it('leaves the check to the carrier if there is no schema', () => {
    expect(findFaults({ $ref: '#/nowhere' }, { a: 1 })).toEqual([]);
    expect(findFaults({ properties: { a: { pattern: '(' } } }, { a: 'b' })).toEqual([]);
  });
  it('reads pointers with escaped characters', () => {
    expect(readPointer('#/a~1b/c~0d/%C3%A4')).toEqual(['a/b', 'c~d', 'ä']);
    expect(readPointer('#')).toEqual([]);
  });
});

describe('what was submitted', () => {
  const secret = { type: 'string', format: 'password' };
  const text = { type: 'string' };
  it('is stored without its secrets, however deep they are', () => {
    const login = { type: 'object', properties: { password: secret, username: text } };
    const nested = {
      properties: {
        username: text,
        password: secret,
        account: { type: 'object', properties: { login } },
        others: { type: 'array', items: login },
        pins: { type: 'array', items: secret },
      },
      anyOf: [{ type: 'object', properties: { passcode: secret, phone: text } }],
    };
    const filled = {
      username: 'dana',
      password: 's1',
      account: { login: { username: 'd', password: 's2' } },
      others: [{ username: 'e', password: 's3' }, {}],
      pins: ['s4'],
      passcode: 's5',
      phone: '555',
      other: 3,
    };
    expect(withoutSecrets(nested, filled)).toEqual({
      username: 'dana',
      account: { login: { username: 'd' } },
      others: [{ username: 'e' }, {}],
      pins: [],
      phone: '555',
      other: 3,
    });
  });
});
