import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCarrierUi, readOrder } from '../../../../../src/renderer/features/connect/carrier-ui.ts';
import { loginForm as form } from '../../../../support/login-form.ts';

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
  it('draws a secret field as one, whatever the hints say, wherever it is', () => {
    const secret = { type: 'string', format: 'password' };
    const drawn = { 'ui:widget': 'password' };
    const hint = { 'ui:widget': 'textarea' };
    const nested = {
      properties: {
        account: { type: 'object', properties: { password: secret } },
        others: { type: 'array', items: { type: 'object', properties: { password: secret } } },
        pin: { type: 'integer', format: 'password' },
      },
      oneOf: [{ type: 'object', properties: { passcode: secret } }],
    };
    const hints = {
      account: { password: hint },
      others: { items: { password: hint } },
      passcode: hint,
      pin: hint,
    };
    expect(readCarrierUi(nested, hints)).toEqual({
      account: { password: drawn },
      others: { items: { password: drawn } },
      passcode: drawn,
      pin: drawn,
    });
  });
  it('ignores a widget that does not match the field’s type', () => {
    const of = (property: object, widget: string) =>
      readCarrierUi({ properties: { a: property } }, { a: { 'ui:widget': widget } }).a;
    expect(of({ type: 'boolean' }, 'email')).toEqual({});
    expect(of({ type: 'string' }, 'checkbox')).toEqual({});
    expect(of({ type: 'string' }, 'select')).toEqual({});
    expect(of({ type: 'object', properties: {} }, 'hidden')).toEqual({});
    expect(of({ type: 'boolean' }, 'radio')).toEqual({ 'ui:widget': 'radio' });
  });
  it('an order lists every field, or the rest of them, and none twice', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 6 });
    fc.assert(
      fc.property(
        names,
        fc.array(fc.oneof(fc.stringMatching(/^[a-z]{1,4}$/), fc.constant('*'))),
        (all, given) => {
          const order = readOrder(given, all);
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
