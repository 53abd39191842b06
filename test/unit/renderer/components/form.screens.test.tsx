import { MantineProvider, Select, Textarea } from '@mantine/core';
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Form } from '../../../../src/renderer/components/form.tsx';
import { watchPresses } from '../../../../src/renderer/lib/presses.ts';

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
        <Select
          label="Signs in with"
          data={['A password', 'A PIN']}
          defaultValue="A password"
          searchable
          selectFirstOptionOnChange
        />
        <button type="button">Cancel</button>
        <button type="submit">Save</button>
      </Form>
    </MantineProvider>,
  );
  await screen.findByRole('button', { name: 'Save' });
  return () => onSubmit.mock.calls.length;
}

const ctrlEnter = { key: 'Enter', code: 'Enter', ctrlKey: true };

test('Ctrl Enter submits a form once, even if the field submits it with Enter', async () => {
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

test('Enter chooses the marked option of an open list, even if keys came before the list’s own timer', async () => {
  onTestFinished(watchPresses(window));
  const count = await draw();
  const box = screen.getByRole<HTMLInputElement>('combobox', { name: 'Signs in with' });
  const timers: (() => void)[] = [];
  const later = window.setTimeout;
  const held = vi
    .spyOn(window, 'setTimeout')
    .mockImplementation(((act: () => void, ms?: number) =>
      ms === 0 ? timers.push(act) : later(act, ms)) as typeof setTimeout);
  onTestFinished(() => held.mockRestore());
  box.focus();
  fireEvent.change(box, { target: { value: 'A PIN' } });
  const option = await screen.findByRole('option', { name: 'A PIN' });
  await waitFor(() => expect(option.getAttribute('data-combobox-selected')).toBe('true'));
  // The timer looks for the option of the field’s value, which the text leaves out of the list.
  for (const act of timers) act();
  fireEvent.keyDown(box, { key: 'Enter', code: 'Enter' });
  await waitFor(() => expect(box.getAttribute('aria-expanded')).toBe('false'));
  box.blur();
  await waitFor(() => expect(box.value).toBe('A PIN'));
  expect(count()).toBe(0);
});
