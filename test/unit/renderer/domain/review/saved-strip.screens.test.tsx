import { setImmediate } from 'node:timers/promises';
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failed, noRecords, pressKey, renderScreen, whenReady } from '../../../../support/render-screen.tsx';

const eventOf = (claimId: number, at: string, outcome: 'noAction' | 'eligible' = 'noAction') => ({
  ...{ id: `e${claimId}`, claimId, claims: 1, at, author: 'desk@example.com', amounts: null, filter: null },
  fact: { kind: 'decision' as const, state: 'done' as const, outcome },
});

/** Waits until the strip has its first answer: acts after it are said. The count of answers for all claims is `count`. */
async function whenStripAnswered(count: () => number): Promise<void> {
  await waitFor(() => expect(count()).toBeGreaterThan(0));
  // The answer is drawn some turns after it was given.
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  await whenReady();
}

test('what was just saved for a claim is shown on the next one, and can be undone there; older acts are not shown', async () => {
  let answers = 0;
  let newest = eventOf(5, '2026-11-20T09:00:00.000Z');
  const undone: string[] = [];
  renderScreen('/claims/7', {
    ...noRecords,
    'reviews:get': ({ claimId }) => ({ claimId, state: 'todo' }),
    'records:readFirst': { rows: [{ id: 7, patient_name: 'DIAZ, ANA' }] },
    'reviews:getUndo': ({ claimId }) => {
      if (claimId === undefined) answers += 1;
      return { event: newest };
    },
    'reviews:act': ({ target }) => {
      newest = eventOf('claimIds' in target ? (target.claimIds[0] ?? 0) : 0, '2026-11-20T10:00:00.000Z');
      return { eventId: newest.id, claims: 1, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 };
    },
    'reviews:undo': ({ eventId }) => {
      undone.push(eventId);
      newest = eventOf(5, '2026-11-20T09:00:00.000Z');
      return { claims: 1 };
    },
  });
  await screen.findByRole('region', { name: 'Review panel', busy: false });
  await screen.findByText('The open amount is not known.');
  await whenStripAnswered(() => answers);
  expect(screen.queryByText(/✓/)).toBeNull();
  await pressKey('4');
  await screen.findByText('Undo “No action”');
  expect(screen.queryByText(/✓/)).toBeNull();
  window.history.pushState({}, '', '#/claims/8');
  await screen.findByRole('heading', { level: 1, name: 'Claim 8' });
  await screen.findByText(/Ana Diaz/);
  expect(screen.getByText(/✓/).textContent).toBe('✓ 7 Ana Diaz · No action · Undo (Ctrl Z)');
  await whenReady();
  fireEvent.click(screen.getByRole('button', { name: 'Undo (Ctrl Z)' }));
  await waitFor(() => expect(undone).toEqual(['e7']));
  await waitFor(() => expect(screen.queryByText(/✓/)).toBeNull());
});

test('the strip has the eligible amount of the claim’s page, today’s count as on Start, and earlier acts in a popover', async () => {
  let acts = 0;
  let answers = 0;
  let isFailing = true;
  let newest = eventOf(5, '2026-11-20T09:00:00.000Z');
  const undone: string[] = [];
  renderScreen('/claims/7', {
    ...noRecords,
    'reviews:get': ({ claimId }) => ({ claimId, state: 'todo', eligible: 25_146_600 + claimId }),
    'records:readFirst': { rows: [7, 8].map((id) => ({ id, patient_name: 'DIAZ, ANA' })) },
    'records:getTotals': { total: 4, totals: { count: 4 } },
    'reviews:getUndo': ({ claimId }) => {
      if (claimId === undefined) answers += 1;
      return { event: newest };
    },
    'reviews:act': ({ target }) => {
      acts += 1;
      const claimId = 'claimIds' in target ? (target.claimIds[0] ?? 0) : 0;
      newest = eventOf(claimId, `2026-11-20T1${acts}:00:00.000Z`, 'eligible');
      return { eventId: newest.id, claims: 1, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 };
    },
    'reviews:undo': ({ eventId }) => {
      if (isFailing) return failed('engine.stopped');
      undone.push(eventId);
      return { claims: 1 };
    },
  });
  await screen.findByRole('region', { name: 'Review panel', busy: false });
  await whenStripAnswered(() => answers);
  for (const id of [7, 8]) {
    await screen.findByRole('heading', { level: 1, name: `Claim ${id}` });
    await whenReady();
    const before = answers;
    await pressKey('1');
    // Each act is asked for by itself; asked for after the next one, it would not be among those before.
    await waitFor(() => expect(answers).toBeGreaterThan(before));
    await screen.findByText(`Undo “Eligible”`);
    window.history.pushState({}, '', `#/claims/${id + 1}`);
    await screen.findByRole('heading', { level: 1, name: `Claim ${id + 1}` });
  }
  await waitFor(() =>
    expect(screen.getByText(/✓/).closest('div')?.textContent).toBe(
      '✓ 8 Ana Diaz · Eligible $2,514.66 · Undo (Ctrl Z) · 4 today · Earlier (1)',
    ),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Earlier (1)' }));
  const earlier = await screen.findByRole('listitem');
  await waitFor(() => expect(earlier.textContent).toBe('7 Ana Diaz · Eligible $2,514.66 · Undo'));
  await whenReady();
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('Couldn’t undo');
  const opener = screen.getByRole('button', { name: 'Earlier (1)' });
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull());
  opener.focus();
  fireEvent.click(opener);
  await screen.findByRole('listitem');
  opener.blur();
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull());
  fireEvent.click(opener);
  await screen.findByRole('listitem');
  fireEvent.animationEnd(opener.parentElement as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull());
  fireEvent.click(opener);
  isFailing = false;
  await whenReady();
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(undone).toEqual(['e7']));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Earlier/ })).toBeNull());
});

test('a judged pair of duplicates is shown on the page of the next pair, and can be undone there', async () => {
  let answers = 0;
  const judged = { kind: 'judgeDuplicate', otherClaimId: 8, isDuplicate: false, isDone: false } as const;
  let [at, claimId] = ['2026-11-20T09:00:00.000Z', 5];
  const undone: string[] = [];
  renderScreen('/claims/7/duplicates', {
    ...noRecords,
    'duplicates:of': ({ claimId: left }) => ({
      pairs: [{ left, right: 8, kind: 'exact', fields: [], isOpen: true }],
    }),
    'reviews:getUndo': () => {
      answers += 1;
      return { event: { ...eventOf(claimId, at), claims: 2, fact: judged } };
    },
    'reviews:act': () => {
      [at, claimId] = ['2026-11-20T10:00:00.000Z', 7];
      return { eventId: 'e7', claims: 2, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 };
    },
    'reviews:undo': ({ eventId }) => {
      undone.push(eventId);
      return { claims: 2 };
    },
  });
  await screen.findByRole('button', { name: /^Not a duplicate/ });
  await whenStripAnswered(() => answers);
  await pressKey('u');
  await waitFor(() =>
    expect(screen.getByText(/✓/).textContent).toBe('✓ 7 · Not a duplicate of claim 8 · Undo (Ctrl Z)'),
  );
  window.history.pushState({}, '', '#/claims/9/duplicates');
  await screen.findByRole('heading', { level: 1, name: 'Claim 9: duplicates' });
  await whenReady();
  fireEvent.click(screen.getByRole('button', { name: 'Undo (Ctrl Z)' }));
  await waitFor(() => expect(undone).toEqual(['e7']));
});

test('in split view the list says what was saved, and the claim beside it does not say it again', async () => {
  vi.stubGlobal('innerWidth', 1280);
  onTestFinished(() => window.localStorage.clear());
  const rows = [7, 8].map((id) => ({ id, patient_name: `Ana ${id}` }));
  let answers = 0;
  let newest = eventOf(5, '2026-11-20T09:00:00.000Z');
  renderScreen('/claims', {
    ...noRecords,
    'records:begin': { snapshotId: 's', total: 2, rows },
    'records:getWindow': { rows },
    'reviews:get': ({ claimId }) => ({ claimId, state: 'todo' }),
    'reviews:getUndo': ({ claimId }) => {
      if (claimId === undefined) answers += 1;
      return { event: newest };
    },
    'reviews:act': () => {
      newest = eventOf(7, '2026-11-20T10:00:00.000Z');
      return { eventId: newest.id, claims: 1, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 };
    },
  });
  await screen.findByText('Ana 7');
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search claims' }), { key: 'ArrowDown' });
  await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('gridcell'));
  await pressKey('v');
  await screen.findByRole('heading', { level: 2, name: 'Claim 7' });
  await screen.findByRole('region', { name: 'Review panel', busy: false });
  await screen.findByText('The open amount is not known.');
  await whenStripAnswered(() => answers);
  await pressKey('4');
  await screen.findByRole('heading', { level: 2, name: 'Claim 8' });
  await waitFor(() => expect(screen.getAllByText(/✓/).length).toBeGreaterThan(0));
  await whenReady();
  expect(screen.getAllByText(/✓/).map(({ textContent }) => textContent)).toEqual([
    '✓ 7 · No action · Undo (Ctrl Z)',
  ]);
});
