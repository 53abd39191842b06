import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { noRecords, pending, renderScreen } from '../../../../support/render-screen.tsx';

test.each([
  ['is counting', { 'worklists:counts': pending }, 'Counting claims…'],
  ['nothing to do', {}, 'Nothing to do: every worklist is empty.'],
  ['never synced', { 'sync:getStatus': {} }, 'No claims on this computer yet'],
  ['interrupted', { 'sync:getStatus': { isResumable: true } }, 'The first sync is not done'],
] as const)('%s', async (_state, answers, said) => {
  renderScreen('/start', { ...noRecords, 'reviews:listEvents': {}, ...answers });
  await screen.findByText(said);
});

test('shows how far the sync is that worklists wait for', async () => {
  const running = { phase: 'claims', pass: 1, read: 17_000, total: 68_000 } as const;
  renderScreen('/start', {
    ...noRecords,
    'reviews:listEvents': {},
    'worklists:counts': { isCurrent: false },
    'sync:getStatus': { running },
  });
  await screen.findByText(/Reading claims · 17,000 of 68,000/);
  const [progress] = screen.getAllByRole('progressbar');
  expect(progress?.getAttribute('aria-valuenow')).toBe('25');
});
