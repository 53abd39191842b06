import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { failed, noRecords, pressKey, renderScreen, whenReady } from '../../../../support/render-screen.tsx';

/** Shows claims 7 and 8 with an owner each; what is sent changes no review by itself. */
function show(owners: Record<number, string | null> = {}, isRefused = false) {
  const sent: { claimId: number | undefined; act: object }[] = [];
  renderScreen('/claims/7', {
    ...noRecords,
    'reviews:get': ({ claimId }) => ({ claimId, owner: owners[claimId] ?? null }),
    'reviews:act': ({ target, act }) => {
      if (isRefused) return failed('disk.full');
      sent.push({ claimId: 'claimIds' in target ? target.claimIds[0] : undefined, act });
      return {};
    },
  });
  return sent;
}
const goTo = async (address: string, heading: RegExp) => {
  window.location.hash = address;
  window.dispatchEvent(new PopStateEvent('popstate'));
  await screen.findByRole('heading', { level: 1, name: heading });
};
const fieldOf = (label: RegExp) =>
  screen.findByLabelText<HTMLInputElement>(label, { selector: 'input, textarea' });
/** Types without leaving the field. */
const type = async (label: RegExp, text: string) => {
  const field = await fieldOf(label);
  field.focus();
  fireEvent.change(field, { target: { value: text } });
};

test.each([
  [/^Owner/, 'ben@example.com'],
  [/^Reminder/, '2026-12-24'],
  [/^New note/, 'Called the plan'],
  [/^Tags/, 'appeal'],
])(
  '%s: what is typed while the claim leaves the page is there again, and is sent once the field is left',
  async (label, text) => {
    const sent = show();
    await type(label, text);
    for (const [address, heading] of [
      ['/claims/8', /^Claim 8/],
      ['/members', /^Members/],
      ['/claims/8', /^Claim 8/],
    ] as const) {
      await goTo(address, heading);
      if (heading.source.includes('8')) expect((await fieldOf(label)).value).toBe('');
    }
    await goTo('/claims/7', /^Claim 7/);
    const field = await fieldOf(label);
    await waitFor(() => expect(field.value).toBe(text));
    expect(sent).toEqual([]);
    const isSaid = screen.queryByText('Not saved. Enter saves it, Esc discards it.') !== null;
    expect(isSaid).toBe(/Owner|Reminder/.test(label.source));
    if (label.source.includes('note')) {
      fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    } else {
      field.focus();
      fireEvent.focusOut(field);
    }
    await waitFor(() => expect(sent).toMatchObject([{ claimId: 7 }]));
    expect(JSON.stringify(sent)).toContain(text);
  },
);

test('Escape discards what was typed, and an owner that changes elsewhere does not affect it', async () => {
  const owners: Record<number, string | null> = { 7: 'ana@example.com' };
  const sent = show(owners);
  await type(/^Owner/, 'ben');
  const field = await fieldOf(/^Owner/);
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => expect(field.value).toBe('ana@example.com'));
  fireEvent.focusOut(field);
  expect(sent).toEqual([]);
});

test('a note that could not be saved is in its field again', async () => {
  show({}, true);
  await type(/^New note/, 'Called the plan');
  fireEvent.keyDown(await fieldOf(/^New note/), { key: 'Enter', ctrlKey: true });
  await waitFor(async () => expect((await fieldOf(/^New note/)).value).toBe('Called the plan'));
});

test('names that were used before are offered immediately when “Waiting on” is opened again', async () => {
  Object.assign(document, { fonts: new EventTarget() });
  let asked = 0;
  renderScreen('/claims/7', {
    ...noRecords,
    'reviews:get': ({ claimId }) => ({ claimId }),
    'records:group': () => {
      asked += 1;
      const first = { groups: [{ value: 'Dr. Diaz', totals: { count: 1 } }] };
      return asked === 1 ? first : new Promise<never>(() => undefined);
    },
  });
  await screen.findByRole('region', { name: 'Review panel', busy: false });
  await screen.findByText('The open amount is not known.');
  for (const times of [1, 2]) {
    await whenReady();
    await pressKey('w');
    await screen.findByText('Dr. Diaz');
    expect(asked).toBe(times);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test('one Escape leaves “Waiting on” with its choices open, and the next key decides', async () => {
  // Text areas that grow listen for fonts, which this document lacks.
  Object.assign(document, { fonts: new EventTarget() });
  const sent = show();
  await screen.findByRole('region', { name: 'Review panel', busy: false });
  await screen.findByText('The open amount is not known.');
  await pressKey('w');
  const field = await screen.findByLabelText('Waiting on', { selector: 'input' });
  await waitFor(() => expect(field.getAttribute('aria-expanded')).toBe('true'));
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await whenReady();
  await pressKey('4');
  await waitFor(() => expect(sent).toMatchObject([{ claimId: 7, act: { outcome: 'noAction' } }]));
});
