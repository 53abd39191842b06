import { MantineProvider } from '@mantine/core';
import { screen, waitFor } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { Dialog } from '../../../../src/renderer/components/dialog.tsx';

test('a brisk Tab in a dialog that just opened keeps the focus where it went', async () => {
  const window = document.body.appendChild(document.createElement('div'));
  const root = createRoot(window);
  onTestFinished(() => {
    root.unmount();
    window.remove();
  });
  let isMoved = false;
  const onFocus = ({ target }: FocusEvent) => {
    if (isMoved || (target as Element).getAttribute('aria-label') !== 'Waiting on') return;
    isMoved = true;
    screen.getByLabelText('Reason').focus();
  };
  document.addEventListener('focusin', onFocus);
  onTestFinished(() => document.removeEventListener('focusin', onFocus));
  root.render(
    <MantineProvider>
      <Dialog isOpen onClose={() => undefined} title="Waiting" transitionProps={{ duration: 0 }}>
        <input aria-label="Waiting on" data-autofocus />
        <input aria-label="Reason" />
      </Dialog>
    </MantineProvider>,
  );
  await waitFor(() => expect(isMoved).toBe(true));
  // The focus trap sets the focus in two timers of no delay.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setTimeout(resolve));
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Reason');
});
