import { describe, expect, it } from 'vitest';
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
};

describe('onboard_form', () => {
  const withForm = CONNECT_PAYERS.filter(({ form }) => form !== null);

  it.each(withForm)('$name: takes what the check takes, and refuses what it refuses', ({ id, form }) => {
    const schema = describePayerInFull(findPayer(id) as never).onboard_form as Json;
    const { $schema: dialect, ...rules } = schema;
    expect(dialect).toBe('https://json-schema.org/draft/2020-12/schema');
    const filled = FILLED[id] as Json;
    expect(problemsOf(rules, rules, filled)).toEqual([]);
    expect(form?.safeParse(filled).success).toBe(true);
    for (const name of rules.required as string[]) {
      const { [name]: _left, ...rest } = filled;
      expect(problemsOf(rules, rules, rest), name).not.toEqual([]);
      expect(form?.safeParse(rest).success, name).toBe(false);
      expect(problemsOf(rules, rules, { ...filled, [name]: 7 }), name).not.toEqual([]);
    }
  });

  it.each(withForm)('$name: every field has a title, and the order names only fields there are', ({ id }) => {
    const { onboard_form: form, onboard_ui_schema: ui } = describePayerInFull(findPayer(id) as never);
    const properties = (form as { properties: Record<string, Json> }).properties;
    for (const [name, property] of Object.entries(properties))
      expect(property.title, name).toEqual(expect.any(String));
    const order = ui['ui:order'] as string[];
    expect(order).toContain('*');
    for (const name of order) if (name !== '*') expect(properties).toHaveProperty(name);
  });
});
