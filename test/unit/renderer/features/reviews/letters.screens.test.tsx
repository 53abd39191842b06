import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { beforeAll, expect, test } from 'vitest';
import {
  findLetters,
  letterSettingsSchema,
  lettersOf,
  toStoredLetters,
} from '../../../../../src/contract/letter-settings.ts';
import type { Input } from '../../../../../src/contract/procedures.ts';
import type { SavedView } from '../../../../../src/contract/store.ts';
import { carryChanges } from '../../../../../src/renderer/domain/letter/use-letters.ts';
import { letterTable } from '../../../../../src/rules/letters/letter-kinds.ts';
import { type Answers, noRecords, press, renderScreen } from '../../../../support/render-screen.tsx';

// Text areas that grow listen for fonts, which this document lacks.
beforeAll(() => void Object.assign(document, { fonts: new EventTarget() }));

const views: SavedView[] = [];
const changes: Input<'team:changeSettings'>['changes'] = [];
const answers = (more: Answers = {}): Answers => ({
  ...noRecords,
  'records:listEmployers': { employers: [{ id: 5, name: 'Acme' }] },
  'records:readFirst': { rows: [{ id: 7 }] },
  'records:getClaim': { claim: { id: 7, members: [{ first_name: 'Ana', last_name: 'Ruiz' }] } },
  'reviews:get': { claimId: 7, state: 'done', outcome: 'notEligible', cause: 'Cosmetic' },
  'views:list': () => ({ views }),
  'views:save': ({ name, query, id = `of ${name}` }: Input<'views:save'>) => {
    const view = { id, name, query, createdAt: '', updatedAt: '' };
    views.splice(0, views.length, ...views.filter((one) => one.id !== id), view);
    return view;
  },
  'views:remove': ({ id }: Input<'views:remove'>) => {
    views.splice(0, views.length, ...views.filter((one) => one.id !== id));
    return { isDone: true as const };
  },
  'team:changeSettings': (input: Input<'team:changeSettings'>) => {
    changes.push(...input.changes);
    return { isDone: true as const };
  },
  ...more,
});
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save letters' });
const textOf = 'Text of “Not eligible”';

test('a text of one employer is changed with a preview, keeps its required parts, and can follow all employers again', async () => {
  renderScreen('/settings/letters', answers());
  await screen.findByRole('option', { name: 'Acme' });
  type('Letters for', '5');
  const preview = await screen.findByRole('region', { name: 'Preview' });
  expect(preview.textContent).toContain('Dear Ana Ruiz:');
  expect(saveButton().disabled).toBe(true);

  const { text } = letterTable.notEligible;
  type(textOf, text.replace('{appeal}', ''));
  screen.getByText('Not eligible: The letter must have {appeal}.');
  expect(saveButton().disabled).toBe(true);
  type(textOf, `${text}\n\n{ssn}`);
  screen.getByText('Not eligible: These fields don’t exist: {ssn}.');
  expect(saveButton().disabled).toBe(true);
  type(textOf, `${text}\n\nOur best wishes.`);
  type('Contact for questions', 'Call Ben.');
  expect(preview.textContent).toMatch(/Call Ben\.[\s\S]*Our best wishes\./);
  await press('Save letters');
  await waitFor(() => expect(views).toHaveLength(1));
  const { settings } = lettersOf(findLetters(views), '5');
  expect(settings).toMatchObject({
    contact: 'Call Ben.',
    templates: { notEligible: `${text}\n\nOur best wishes.` },
  });

  await press('Use the letters of all employers');
  await waitFor(() => expect(views).toEqual([]));
});

test('in a team, letter texts are saved for all of its computers', async () => {
  const own = toStoredLetters('', letterSettingsSchema.parse({ contact: 'Call Ben.' }));
  views.splice(0, views.length, { id: 'v', ...own, createdAt: '', updatedAt: '' });
  renderScreen(
    '/settings/letters',
    answers({
      'team:getStatus': { server: 'https://team.example', state: 'live', role: 'reviewer' },
    }),
  );
  await screen.findByText('These are on this computer only. Save them to share them with the team.');
  await press('Save letters');
  await waitFor(() => expect(changes).toEqual([{ setting: 'view', name: own.name, value: own.query }]));
});

test('what was typed for one employer is still there after choosing another one, until it is saved or discarded', async () => {
  views.splice(0);
  renderScreen('/settings/letters', answers());
  await screen.findByRole('option', { name: 'Acme' });
  type('Letters for', '5');
  await screen.findByRole('region', { name: 'Preview' });
  type('Contact for questions', 'Call Ben.');
  type('Letters for', '');
  const contact = () => screen.getByLabelText<HTMLInputElement>('Contact for questions').value;
  await waitFor(() => expect(contact()).toBe(''));
  expect(saveButton().disabled).toBe(true);
  type('Letters for', '5');
  await waitFor(() => expect(contact()).toBe('Call Ben.'));
  expect(saveButton().disabled).toBe(false);
  await press('Discard changes of letters');
  expect(contact()).toBe('');
  expect(screen.queryByRole('button', { name: 'Discard changes of letters' })).toBeNull();
});

test('a text that was cleared stays blank, and an inserted field is all of it', async () => {
  views.splice(0);
  renderScreen('/settings/letters', answers());
  const text = await screen.findByLabelText<HTMLTextAreaElement>(textOf);
  type(textOf, '');
  expect(text.value).toBe('');
  type('Insert field', 'member');
  expect(text.value).toBe('{member}');
  expect(saveButton().disabled).toBe(true);
});

test('what a colleague saves in the meantime is kept next to what is being typed', () => {
  const from = { a: 'x', b: { one: '1', two: '2' }, c: 1 };
  expect(
    carryChanges<object>(
      from,
      { ...from, b: { one: '1!' } },
      { a: 'y', b: { one: '1', two: '2', three: '3' }, c: 2 },
    ),
  ).toEqual({ a: 'y', b: { one: '1!', three: '3' }, c: 2 });
});
