import { screen } from '@testing-library/dom';
import { test } from 'vitest';
import { failed, press, renderScreen } from '../../../../support/render-screen.tsx';

test('a check that could not run says why, and runs again', async () => {
  let isWell = false;
  renderScreen('/settings/doctor', {
    'doctor:run': () => (isWell ? { outcome: 'works' } : failed('engine.stopped')),
  });
  await press('Run check');
  await screen.findByText('Couldn’t run the check');
  isWell = true;
  await press('Run check');
  await screen.findByRole('button', { name: 'Run check again' });
});
