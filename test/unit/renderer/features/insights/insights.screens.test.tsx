import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { failed, noRecords, press, renderScreen } from '../../../../support/render-screen.tsx';

const filled = { 'records:getSummary': { claims: 5 } };

test('each chart shows why it could not be made, and can be tried again', async () => {
  renderScreen('/insights', { ...noRecords, ...filled, 'records:group': failed('disk.fault') });
  expect((await screen.findAllByText('Couldn’t load this chart')).length).toBeGreaterThan(3);
});

test('says what it means that there is nothing', async () => {
  renderScreen('/insights', noRecords);
  await screen.findByText('No claims');
});

test('shows the year that no claims match, and can show all claims again', async () => {
  renderScreen('/insights', { ...noRecords, ...filled });
  const years = await screen.findByRole('combobox', { name: 'Year of service' });
  const year = String(new Date().getFullYear());
  fireEvent.change(years, { target: { value: year } });
  await screen.findByText(`Year of service is ${year}`);
  await press('Show all claims');
  await waitFor(() => expect(screen.queryByText('No claims match')).toBeNull());
});
