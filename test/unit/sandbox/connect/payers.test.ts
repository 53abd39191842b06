import { describe, expect, it } from 'vitest';
import { fieldsIn } from '../../../../src/carrier-form/form-fields.ts';
import { readOnboardForm } from '../../../../src/carrier-form/read-form.ts';
import { CONNECT_PAYERS, describePayerInFull, findPayer } from '../../../../src/sandbox/connect/payers.ts';
import { problemsOf } from '../../../integration/sandbox/json-schema.ts';

type Json = Record<string, unknown>;

const FILLED: Readonly<Record<number, Json>> = {
  11: { username: 'dana', password: 'p', date_of_birth: '1985-04-12' },
  12: {
    username: 'dana',
    password: 'p',
    security_question_first_choice: 'City you were born in?',
    security_question_first: 'Cleveland',
  },
  13: { username: 'dana', password: 'p', subscriber_number: 'W12345678' },
  14: { username: 'dana@x.example', password: 'p' },
  15: { username: 'dana', password: 'p' },
  16: { username: 'dana', password: 'p' },
  18: { username: 'dana', password: 'p' },
  19: { username: 'dana', password: 'p' },
  20: { username: 'dana', password: 'p' },
  21: { username: 'dana', sign_in: 'pin', pin: '4711', plan: null, agree: true },
};

describe('onboard_form', () => {
  const withForm = CONNECT_PAYERS.filter(({ form }) => form !== null);

  /** Reads a form as our client does, which accepts every shape. */
  const read = (id: number): Json => {
    const payer = describePayerInFull(findPayer(id) as never);
    const form = readOnboardForm(payer.onboard_form, payer.onboard_ui_schema);
    return form.kind === 'form' ? form.schema : {};
  };

  it('is wrapped for most carriers and bare for some; required fields are marked in three ways', () => {
    const forms = withForm.map((payer) => describePayerInFull(payer).onboard_form as Json);
    const wrapped = forms.filter((form) => 'schema' in form);
    expect([wrapped.length, forms.length]).toEqual([7, 10]);
    const schemas = forms.map((form) => (form.schema ?? form) as Json);
    for (const { $schema: dialect } of schemas.filter(({ allOf }) => allOf === undefined))
      expect(dialect).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schemas.filter(({ required }) => Array.isArray(required))).toHaveLength(5);
    expect(wrapped.filter(({ required }) => (required as string[]).length > 0)).toHaveLength(1);
    expect(schemas.filter((schema) => JSON.stringify(schema).includes('"required":true'))).toHaveLength(4);
  });

  it.each(withForm)('$name: accepts what the check accepts, and refuses what it refuses', ({ id, form }) => {
    const rules = read(id);
    const filled = FILLED[id] as Json;
    expect(problemsOf(rules, rules, filled)).toEqual([]);
    expect(form?.safeParse(filled).success).toBe(true);
    expect((rules.required as string[]).length).toBeGreaterThanOrEqual(2);
    for (const name of rules.required as string[]) {
      const { [name]: _left, ...rest } = filled;
      expect(problemsOf(rules, rules, rest), name).not.toEqual([]);
      expect(form?.safeParse(rest).success, name).toBe(false);
      expect(problemsOf(rules, rules, { ...filled, [name]: 7 }), name).not.toEqual([]);
    }
  });

  it.each(withForm)('$name: every field has a title, and the order lists only existing fields', ({ id }) => {
    const { onboard_ui_schema: ui } = describePayerInFull(findPayer(id) as never);
    const fields = fieldsIn(read(id));
    for (const [name, property] of fields) expect(property.title, name).toEqual(expect.any(String));
    const order = ui['ui:order'] as string[];
    expect(order).toContain('*');
    for (const name of order) if (name !== '*') expect(fields.map(([one]) => one)).toContain(name);
  });
});
