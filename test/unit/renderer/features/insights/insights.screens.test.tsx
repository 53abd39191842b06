import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { failed, noRecords, renderScreen } from '../../../../support/render-screen.tsx';

const filled = { 'records:getSummary': { claims: 5 } };

test('each chart says why it could not be made, and is made by another try', async () => {
  renderScreen('/insights', { ...noRecords, ...filled, 'records:group': failed('disk.fault') });
  expect((await screen.findAllByText('Couldn’t load this chart')).length).toBeGreaterThan(3);
});

test('says what it means that there is nothing', async () => {
  renderScreen('/insights', noRecords);
  await screen.findByText('No claims');
});
