import { MantineProvider, Textarea } from '@mantine/core';
import { fireEvent, screen } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Form } from '../../../../src/renderer/components/form.tsx';

/** Draws a form with a text that Enter submits, and two buttons; returns how often it was submitted. */
async function draw(): Promise<() => number> {
  const onSubmit = vi.fn();
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  onTestFinished(() => root.unmount());
  root.render(
    <MantineProvider env="test">
      <Form onSubmit={onSubmit}>
        <Textarea
          aria-label="Reason"
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <input aria-label="Amount" />
        <button type="button">Cancel</button>
        <button type="submit">Save</button>
      </Form>
    </MantineProvider>,
  );
  await screen.findByRole('button', { name: 'Save' });
  return () => onSubmit.mock.calls.length;
}

const ctrlEnter = { key: 'Enter', code: 'Enter', ctrlKey: true };

test('Ctrl Enter submits a form once, also where the field submits it by Enter', async () => {
  const count = await draw();
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Amount' }), ctrlEnter);
  expect(count()).toBe(1);
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Reason' }), ctrlEnter);
  expect(count()).toBe(2);
});

test('Ctrl Enter on another button is that button’s', async () => {
  const count = await draw();
  fireEvent.keyDown(screen.getByRole('button', { name: 'Cancel' }), ctrlEnter);
  expect(count()).toBe(0);
});
