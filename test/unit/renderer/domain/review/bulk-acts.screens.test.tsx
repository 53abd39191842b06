import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { missingAnswerLabels } from '../../../../../src/rules/money/say-chain.ts';
import { failed, noRecords, renderScreen, whenReady } from '../../../../support/render-screen.tsx';

/** What the last act was about. */
let frozenFrom: unknown;

/** Shows a worklist of two claims; what is sent about them. */
function show(
  worklist: string,
  estimate: object = { open: 200_000, payments: 2, nothingOpen: 0, needsSecond: 0, notKnown: 0 },
  done: object = {},
  frozen?: object,
) {
  const sent: { act: object; acceptsEarly: boolean }[] = [];
  renderScreen(`/worklists/${worklist}`, {
    ...noRecords,
    'records:begin': { snapshotId: 's', total: 2, rows: [{ id: 7 }, { id: 8 }] },
    'records:getWindow': { rows: [{ id: 7 }, { id: 8 }] },
    'reviews:freeze': ({ from }) => {
      frozenFrom = from;
      const totals = { count: 2, billed: null, allowed: null, paid: null, patientResponsibility: 200_000 };
      return frozen ?? { selectionId: 'frozen', claims: 2, groups: [{ group: 'open', totals }] };
    },
    'reviews:estimateOpen': estimate,
    'reviews:act': ({ act, acceptsEarly = false }) => {
      sent.push({ act, acceptsEarly });
      if (act.kind === 'payment' && !acceptsEarly) return failed('review.beforeService');
      return { eventId: 'e', claims: 2, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0, ...done };
    },
  });
  return sent;
}

test('Gone claims… answers for all of them why they are missing', async () => {
  const sent = show('exceptions');
  const button = await screen.findByRole('button', { name: 'Gone claims…' });
  fireEvent.click(button);
  fireEvent.click(await screen.findByText(missingAnswerLabels.owedBack));
  const dialog = within(await screen.findByRole('dialog'));
  const action = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Review 2 claims' });
  await waitFor(() => expect(action.disabled).toBe(false));
  fireEvent.click(action);
  await waitFor(() =>
    expect(sent).toEqual([{ act: { kind: 'missing', answer: 'owedBack' }, acceptsEarly: false }]),
  );
});

test('an act on several claims shows how many of them already had its value', async () => {
  show('toDecide', {}, { claims: 1, unchanged: 1 });
  await whenReady();
  fireEvent.click(await screen.findByRole('button', { name: 'Review all…' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'No action' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(await dialog.findByRole('button', { name: 'Mark 2 claims No action' }));
  await screen.findByText('No action: 1 claim saved. 1 claim already had this.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

const keep = { name: /^Keep decisions where patient responsibility/ };
async function openMenu(): Promise<void> {
  await whenReady();
  fireEvent.click(await screen.findByRole('button', { name: 'Review all…' }));
  await screen.findByRole('menuitem', { name: 'No action' });
}

test('Changed keeps the decisions of claims in the list with the same amount, status, and patient', async () => {
  const sent = show('changed');
  await openMenu();
  fireEvent.click(screen.getByRole('menuitem', keep));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(await dialog.findByRole('button', { name: 'Review 2 claims' }));
  await waitFor(() => expect(sent).toEqual([{ act: { kind: 'accept' }, acceptsEarly: false }]));
  expect(frozenFrom).toEqual({ kind: 'acceptable', snapshotId: 's' });
});

test('where no decision can be kept, the dialog says why', async () => {
  const sent = show('changed', {}, {}, { selectionId: 'none', claims: 0, groups: [] });
  await openMenu();
  fireEvent.click(screen.getByRole('menuitem', keep));
  const dialog = within(await screen.findByRole('dialog'));
  const action = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Review 0 claims' });
  expect(dialog.getByRole('status').textContent).toBe(
    '0 claims. Each of these claims changed in patient responsibility, status, or patient. Open one to see what changed.',
  );
  expect(action.disabled).toBe(true);
  fireEvent.click(action);
  expect(sent).toEqual([]);
});

test('another list does not offer to keep decisions of claims that it does not show', async () => {
  show('toDecide');
  await openMenu();
  expect(screen.queryByRole('menuitem', keep)).toBeNull();
});

test('the open amount of claims of which none is known is not zero', async () => {
  show('toDecide', { payments: 0, nothingOpen: 0, needsSecond: 0, open: 0, notKnown: 2 });
  await whenReady();
  fireEvent.click(await screen.findByRole('button', { name: 'Review all…' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Not eligible/ }));
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.textContent).toMatch(/open –.* \(unknown for 2 claims\)/));
});
