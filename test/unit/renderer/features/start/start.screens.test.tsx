import { screen } from '@testing-library/dom';
import { test } from 'vitest';
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
