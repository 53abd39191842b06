import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { failed, noRecords, press, renderScreen } from '../../../support/render-screen.tsx';

test('a second window says that it is read-only, and why an act was not saved', async () => {
  const { calls } = renderScreen('/claims/7', {
    ...noRecords,
    'app:getInfo': { isReadOnly: true },
    'records:getClaim': { claim: { id: 7 } },
    'reviews:get': { claimId: 7 },
    'reviews:listEvents': {},
    'worklists:why': {},
    'reviews:act': failed('profile.busy'),
  });
  await screen.findByText(/This window is read-only\./);
  await press('Flag');
  await screen.findByText('Couldn’t save the review of claim 7');
  expect(calls).toContain('reviews:act');
});
