import { Autocomplete, MantineProvider, Select, TagsInput } from '@mantine/core';
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { Dialog } from '../../../../src/renderer/components/dialog.tsx';
import { openPage } from '../../../support/open-page.ts';

test('a quick Tab in a dialog that just opened keeps the focus where it moved', async () => {
  const root = openPage();
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

test.each([
  ['a name', () => <Autocomplete label="Field" data={['Ana']} autoFocus />],
  ['tags', () => <TagsInput label="Field" autoFocus />],
])('one Escape closes a dialog whose field has its choices open: %s', async (_of, Field) => {
  let closed = 0;
  openPage().render(
    <MantineProvider>
      <Dialog isOpen onClose={() => (closed += 1)} title="Owner" transitionProps={{ duration: 0 }}>
        <Field />
      </Dialog>
    </MantineProvider>,
  );
  const field = await screen.findByLabelText('Field', { selector: 'input' });
  await waitFor(() => expect(field.hasAttribute('data-expanded')).toBe(true));
  fireEvent.keyDown(field, { key: 'Escape', code: 'Escape' });
  expect(closed).toBe(1);
});

test('Escape in a list of choices that you opened closes only that', async () => {
  let closed = 0;
  openPage().render(
    <MantineProvider>
      <Dialog isOpen onClose={() => (closed += 1)} title="Role" transitionProps={{ duration: 0 }}>
        <Select label="Field" data={['Reader']} />
      </Dialog>
    </MantineProvider>,
  );
  const field = await screen.findByLabelText('Field', { selector: 'input' });
  fireEvent.click(field);
  await waitFor(() => expect(field.hasAttribute('data-expanded')).toBe(true));
  fireEvent.keyDown(field, { key: 'Escape', code: 'Escape' });
  await waitFor(() => expect(field.hasAttribute('data-expanded')).toBe(false));
  expect(closed).toBe(0);
});

test('the focus returns to where it was from a dialog whose field takes the focus immediately', async () => {
  const root = openPage();
  const draw = (isOpen: boolean) =>
    root.render(
      <MantineProvider>
        <button type="button">Row</button>
        <Dialog isOpen={isOpen} onClose={() => undefined} title="Note" transitionProps={{ duration: 0 }}>
          <input aria-label="Text" autoFocus data-autofocus />
        </Dialog>
      </MantineProvider>,
    );
  draw(false);
  const row = await screen.findByText('Row');
  row.focus();
  draw(true);
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Text'));
  draw(false);
  await waitFor(() => expect(screen.queryByLabelText('Text')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(row));
});

test('the focus returns to the row from a dialog opened by a closed dialog, as by the palette’s commands', async () => {
  const root = openPage();
  const draw = (opened: 'Commands' | 'Export' | null) =>
    root.render(
      <MantineProvider>
        <button type="button">Row</button>
        {(['Commands', 'Export'] as const).map((title) => (
          <Dialog
            key={title}
            isOpen={opened === title}
            onClose={() => undefined}
            title={title}
            transitionProps={{ duration: 0 }}
          >
            <input aria-label={`Text of ${title}`} autoFocus data-autofocus />
          </Dialog>
        ))}
      </MantineProvider>,
    );
  draw(null);
  const row = await screen.findByText('Row');
  row.focus();
  for (const title of ['Commands', 'Export'] as const) {
    draw(title);
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(`Text of ${title}`));
  }
  draw(null);
  await waitFor(() => expect(document.activeElement).toBe(row));
});
