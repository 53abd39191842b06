import { screen } from '@testing-library/dom';
import { test } from 'vitest';
import { renderScreen } from '../../../../support/render-screen.tsx';

test('help opens without a workspace, at its first topic for an unknown one', async () => {
  renderScreen('/help?topic=gone', { 'workspaces:list': {} });
  await screen.findByRole('heading', { level: 1, name: 'Help' });
  await screen.findByRole('heading', { level: 2, name: "A day's review" });
});
