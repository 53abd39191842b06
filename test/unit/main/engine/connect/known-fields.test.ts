import { expect, test } from 'vitest';
import { fillBirthDate, readKnownFields } from '../../../../../src/main/engine/connect/payers.ts';

const formOf = (field: object, name = 'date_of_birth') => ({
  type: 'object',
  properties: { username: { type: 'string' }, [name]: { type: 'string', ...field } },
});

test.each([
  ['a date', { format: 'date' }, '1985-04-12'],
  ['a text', {}, '1985-04-12'],
  ['a US date', { pattern: '^\\d{2}/\\d{2}/\\d{4}$' }, '04/12/1985'],
  ['eight digits', { pattern: '^\\d{8}$' }, '04121985'],
  ['the last four digits of something', { maxLength: 4 }, undefined],
  ['a secret', { format: 'password' }, undefined],
])('a field that takes %s gets the date of birth as it accepts it', (_what, field, filled) => {
  expect(fillBirthDate(formOf(field), '1985-04-12T00:00:00Z').date_of_birth).toBe(filled);
});

test('by the name that the carrier uses, and only where the form has such a field', () => {
  expect(fillBirthDate(formOf({ format: 'date' }, 'dob'), '1985-04-12')).toEqual({ dob: '1985-04-12' });
  expect(fillBirthDate(formOf({}, 'member_id'), '1985-04-12')).toEqual({});
  expect(fillBirthDate(formOf({}), 'unknown')).toEqual({});
});

const found = (...dates: (string | null)[]) => ({
  findMembers: async () =>
    dates.map((dateOfBirth, id) => ({
      ...{ id, email: 'a@x.example', firstName: null, lastName: null, employerId: null, dateOfBirth },
    })),
});

test.each([
  ['one record', ['1985-04-12'], false, { date_of_birth: '1985-04-12' }],
  ['two records that agree', ['1985-04-12', '1985-04-12'], false, { date_of_birth: '1985-04-12' }],
  ['two that disagree', ['1985-04-12', '1986-04-12'], false, {}],
  ['a record without one', [null], false, {}],
  ['no record', [], false, {}],
  ['demo data', ['1985-04-12'], true, {}],
])('%s', async (_name, dates, isDemo, known) => {
  const connect = { integration: { getSettings: async () => ({ isDemo }) }, records: found(...dates) };
  expect(await readKnownFields(connect as never, 'a@x.example', formOf({ format: 'date' }))).toEqual(known);
});
