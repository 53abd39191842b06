import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
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

test('a step that was not checked shows which one it waits for', async () => {
  renderScreen('/settings/doctor', {
    'doctor:run': {
      outcome: 'broken',
      cause: 'tcp.refused',
      steps: [
        { id: 'tcp', status: 'failed', code: 'tcp.refused', sentence: 'Refused.', remedy: null, checks: [] },
        { id: 'tls', status: 'skipped', code: 'step.notTried', sentence: 'An earlier step.', checks: [] },
        { id: 'proxy', status: 'skipped', code: 'step.byProxy', sentence: 'Left to the proxy.', checks: [] },
      ],
    },
  });
  await press('Run check');
  const steps = await screen.findAllByRole('listitem');
  expect(steps.map((one) => one.textContent)).toEqual([
    'Server connectionFailedtcp.refusedRefused.',
    'Encryption (TLS)Not checkedWaits for: Server connection',
    'ProxyNot checkedLeft to the proxy.',
  ]);
});
