import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { letterSettingsSchema } from '../../../../../src/contract/letter-settings.ts';
import { noRecords, press, renderScreen, whenReady } from '../../../../support/render-screen.tsx';

test('a letter’s dialog reports the field that can’t be used, and does not show the member’s texts to the carrier', async () => {
  // Text areas that grow listen for fonts, which this document lacks.
  Object.assign(document, { fonts: new EventTarget() });
  renderScreen('/claims/7', {
    ...noRecords,
    'reviews:get': { claimId: 7, state: 'done', outcome: 'notEligible' },
  });
  await screen.findByRole('region', { name: 'Review panel', busy: false });
  await whenReady();
  await press('Letter…');
  let dialog = within(await screen.findByRole('dialog'));
  const type = (label: string, value: string) =>
    fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  await dialog.findByRole('textbox', { name: 'Member’s address' });
  const missing = dialog.getByRole('status');
  expect(missing.textContent).not.toContain('ERISA');
  type('Days to appeal', '');
  expect(missing.textContent).toContain('Days to appeal must be a number from 1 to 1,000.');
  type('Days to appeal', '179');
  expect(missing.textContent).toContain('Under ERISA, members have at least 180 days to appeal.');
  type('Days to appeal', '180');
  type('Contact for questions', 'x'.repeat(2_001));
  expect(missing.textContent).toContain('The contact for questions has more than 2,000 characters.');
  expect(missing.textContent).not.toContain('ERISA');
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save letter…' }).disabled).toBe(true);

  type('Member’s address', '12 Elm Street');
  type('Letter', 'documentsNeeded');
  type('What is needed', 'The receipt for the biopsy.');
  type('Letter', 'disagrees');
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Carrier’s address').value).toBe('');
  const preview = dialog.getByRole('region', { name: 'Preview' });
  expect(preview.textContent).not.toMatch(/Elm Street|biopsy/);
  type('Letter', 'documentsNeeded');
  expect(preview.textContent).toMatch(/Elm Street[^$]*biopsy/);

  // Closing the dialog loses nothing that was typed.
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Letter…');
  dialog = within(await screen.findByRole('dialog'));
  type('Letter', 'documentsNeeded');
  expect(dialog.getByLabelText<HTMLTextAreaElement>('What is needed').value).toContain('biopsy');
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Member’s address').value).toBe('12 Elm Street');
  expect(dialog.getByLabelText<HTMLInputElement>('Contact for questions').value).toMatch(/^x+$/);

  // A field of the list is put where the cursor was left.
  const text = dialog.getByLabelText<HTMLTextAreaElement>('Text of “Documents needed”');
  fireEvent.change(text, { target: { value: 'Dear , hello' } });
  text.setSelectionRange(5, 5);
  fireEvent.focusOut(text);
  type('Insert field', 'member');
  expect(text.value).toBe('Dear {member}, hello');
  expect(dialog.getByRole('status').textContent).toContain(
    'The letter must have {date}, {claim}, {documents}, {contact}.',
  );
});

test('a letter saves for everyone only what its dialog shows, not texts of other letters and reasons that are being edited', async () => {
  Object.assign(document, { fonts: new EventTarget() });
  const saved: unknown[] = [];
  renderScreen('/claims/7', {
    ...noRecords,
    'records:getClaim': {
      claim: {
        ...{ id: 7, patient_name: 'Ann Lee', service_provider: 'Lakeside Clinic' },
        date_of_service: { bounds: '[)', start: '2026-03-02', end: '2026-03-03' },
        members: [{ id: 1, first_name: 'Ann', last_name: 'Lee', employer: { id: 3, name: 'Acme' } }],
      },
    },
    'reviews:get': { claimId: 7, state: 'done', outcome: 'disputed', cause: 'Network' },
    'views:save': ({ name, query }) => {
      if (name.startsWith('$letters/')) saved.push([name, JSON.parse(query).settings]);
      return {};
    },
  });
  await screen.findByRole('region', { name: 'Review panel', busy: false });
  await whenReady();
  await press('Letter…');
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('textbox', { name: 'Carrier’s address' });
  const type = (label: string | RegExp, value: string) =>
    fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  type('Letter', 'notEligible');
  type('Text of “Not eligible”', 'Half a tex');
  type(/^What the plan says about/, 'Section');
  type('Days to appeal', '17');
  type('Letter', 'disagrees');
  type('What our records show, with amounts', 'The deductible was met.');
  type('Contact for questions', 'Call Ana.');
  await press('Save letter…');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved).toEqual([['$letters/3', letterSettingsSchema.parse({ contact: 'Call Ana.' })]]);
});
