import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import {
  failed,
  noRecords,
  pressKey,
  renderScreen,
  requestId,
  whenReady,
} from '../../../support/render-screen.tsx';

describe.each([
  ['/claims', 'claims'],
  ['/lines', 'claim lines'],
  ['/members', 'members'],
  ['/dependents', 'dependents'],
  ['/worklists/toDecide', 'claims'],
])('%s', (at, many) => {
  test('shows why the list could not be made, and tries again', async () => {
    let isWell = false;
    renderScreen(at, {
      ...noRecords,
      'records:begin': () => (isWell ? { total: 0 } : failed('disk.fault')),
    });
    const notice = (await screen.findByText(`Couldn’t load the ${many}`)).closest('[role="alert"]');
    for (const told of ['disk.fault', requestId]) expect(notice?.textContent).toContain(told);
    isWell = true;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { level: 2, name: /^No/ });
    expect(screen.queryByText(`Couldn’t load the ${many}`)).toBeNull();
  });

  test.each([
    ['never', {}, 'Sync once; after that everything works offline.', 'Sync now'],
    ['offline', { isServiceReachable: false }, /^Can’t reach the claims service, and nothing/, 'Go to Sync'],
    ['broken off', { lastReceipt: { outcome: 'failed' } }, /^The last sync did not finish/, 'Go to Sync'],
  ] as const)('says that nothing is there before a first sync, %s', async (_how, status, said, next) => {
    if (at.startsWith('/worklists') && _how === 'broken off') return;
    renderScreen(at, { ...noRecords, 'sync:getStatus': status });
    await screen.findByText(said);
    const main = within(screen.getByRole('main'));
    main.getByText(`No ${many} on this computer yet`);
    expect(
      main.queryByRole('button', { name: next }) ?? main.getByRole('link', { name: next }),
    ).not.toBeNull();
  });

  test('shows the search that nothing matches, and clears it', async () => {
    renderScreen(at, noRecords);
    fireEvent.change(await screen.findByRole('textbox', { name: `Search ${many}` }), {
      target: { value: 'zzzz' },
    });
    await screen.findByText('Search for “zzzz”');
    screen.getByText(`No ${many} match`);
    fireEvent.click(screen.getByRole('button', { name: 'Clear search and filters' }));
    await screen.findByText(`No ${many}`);
  });
});

test.each(['/members', '/employers/3', '/tenants/3'])(
  '%s leaves archived members out, and has no column for that in each row',
  async (at) => {
    const rows = [{ id: 7, last_name: 'Diaz', archived: false }];
    renderScreen(at, {
      ...noRecords,
      'records:begin': { snapshotId: 's', total: 1, rows },
      'records:getEmployer': { employer: { id: 3 } },
      'records:getTenant': { tenant: { id: 3 } },
    });
    await screen.findByRole('columnheader', { name: /^Last name/ });
    expect(screen.queryByRole('columnheader', { name: /^Archived/ })).toBeNull();
  },
);

test('rows that could not be read show why, and appear after another try', async () => {
  let isWell = false;
  renderScreen('/claims', {
    ...noRecords,
    'records:begin': { snapshotId: 's', total: 400, rows: [] },
    'records:getWindow': () => (isWell ? { rows: [{ id: 7, status: 'Processed' }] } : failed('store.busy')),
  });
  const notice = (await screen.findByText('Couldn’t load some rows')).closest('[role="alert"]');
  expect(notice?.textContent).toContain('store.busy');
  isWell = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('Couldn’t load some rows')).toBeNull());
});

test('totals before a full sync are marked incomplete', async () => {
  renderScreen('/claims', {
    ...noRecords,
    'records:begin': { snapshotId: 's', total: 1, rows: [{ id: 7 }] },
    'sync:getStatus': { lastReceipt: { outcome: 'failed' }, isServiceReachable: false },
  });
  await screen.findByText('No full sync yet. Records may be missing.');
  await screen.findByText('Offline · no full sync yet');
});

test.each(['a row', 'Refresh'])(
  'the heading of an emptied list gets the focus that %s had; when a row is back, that gets it',
  async (focused) => {
    let rows = [{ id: 7, patient_name: 'Ana 7' }];
    const { tell } = renderScreen('/worklists/toDecide', {
      ...noRecords,
      'worklists:counts': () => ({
        ...{ isCurrent: true, hasReadAll: true },
        worklists: [{ id: 'toDecide', claims: rows.length }],
      }),
      'records:begin': () => ({ snapshotId: `s${rows.length}`, total: rows.length, rows }),
      'records:getWindow': () => ({ rows }),
      'records:findRanges': { places: [] },
    });
    await screen.findByText('Ana 7');
    // In use, the list keeps its rows until Refresh.
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search claims' }), { key: 'ArrowDown' });
    await waitFor(() => expect(document.activeElement?.closest('[role="gridcell"]') ?? null).not.toBeNull());
    rows = [];
    tell('worklists:changed', { workspaceId: 'w' });
    const refresh = await screen.findByRole('button', { name: 'Refresh' });
    if (focused === 'Refresh') refresh.focus();
    fireEvent.click(refresh);
    const heading = await screen.findByRole('heading', { level: 2, name: /^No/ });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    rows = [{ id: 8, patient_name: 'Ana 8' }];
    tell('worklists:changed', { workspaceId: 'w' });
    await screen.findByText('Ana 8');
    await waitFor(() => expect(focusedRow()).toContain('Ana 8'));
  },
);

describe('the quality check in its list', () => {
  const rows = [7, 8].map((id) => ({ id, patient_name: `Ana ${id}`, 'review.outcome': 'eligible' }));
  const openList = (at: string, sent: unknown[]) => {
    // A field that grows with its text waits for fonts, which this document has none of.
    Object.assign(document, { fonts: new EventTarget() });
    renderScreen(at, {
      ...noRecords,
      'records:begin': { snapshotId: 's', total: 2, rows },
      'records:getWindow': { rows },
      'reviews:act': (input) => {
        sent.push(input);
        return {};
      },
    });
  };
  /** Presses a key in the row of a patient, which has the focus, once a press acts. */
  const pressInRow = async (patient: 'Ana 7' | 'Ana 8', key: string) => {
    const cell = (await screen.findByText(patient)).closest('[role="gridcell"]');
    await whenReady();
    fireEvent.keyDown(cell as Element, { key });
  };
  const goToRows = async () => {
    await screen.findByText('Ana 7');
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search claims' }), { key: 'ArrowDown' });
  };

  test('y agrees with the review of the row, d sends it back with a reason', async () => {
    const sent: unknown[] = [];
    openList('/worklists/qualityCheck', sent);
    await goToRows();
    await pressInRow('Ana 7', 'y');
    await waitFor(() => expect(sent).toHaveLength(1));
    await pressInRow('Ana 8', 'd');
    const reason = await screen.findByRole('textbox', { name: 'Reason' });
    fireEvent.change(reason, { target: { value: 'No receipt' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Send back' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toEqual([
      { workspaceId: 'w', target: { claimIds: [7] }, act: { kind: 'check', agrees: true, reason: null } },
      {
        workspaceId: 'w',
        target: { claimIds: [8] },
        act: { kind: 'check', agrees: false, reason: 'No receipt' },
      },
    ]);
  });

  test('the keys do nothing in another list, or for selected rows', async () => {
    const sent: unknown[] = [];
    openList('/worklists/toDecide', sent);
    await goToRows();
    await pressInRow('Ana 7', 'y');
    openList('/worklists/qualityCheck', sent);
    await goToRows();
    for (const key of ['x', 'j']) await pressInRow('Ana 7', key);
    await pressInRow('Ana 8', 'y');
    await screen.findByText('Check one claim at a time');
    for (const key of ['Escape', 'y']) await pressInRow('Ana 8', key);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent).toMatchObject([{ target: { claimIds: [8] } }]);
  });
});

test('after a decision the focus moves to the next row once the mark is drawn, or at the next key', async () => {
  const rows = [7, 8, 9, 10].map((id) => ({ id, patient_name: `Ana ${id}` }));
  const decided: number[] = [];
  renderScreen('/claims', {
    ...noRecords,
    'records:begin': { snapshotId: 's', total: 4, rows },
    'records:getWindow': { rows },
    'reviews:act': ({ target }) => {
      if ('claimIds' in target) decided.push(...target.claimIds);
      return {};
    },
  });
  const press = (name: string, key: string) =>
    fireEvent.keyDown(screen.getByText(name).closest('[role="gridcell"]') as Element, { key });
  const focusedRow = () => document.activeElement?.closest('[row-index]')?.getAttribute('row-index');
  await screen.findByText('Ana 7');
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search claims' }), { key: 'ArrowDown' });
  await waitFor(() => expect(focusedRow()).toBe('0'));
  await whenReady();
  press('Ana 7', '1');
  expect(focusedRow()).toBe('0');
  await waitFor(() => expect(focusedRow()).toBe('1'));
  await whenReady();
  press('Ana 8', '1');
  // Pressed before the next frame: an act does nothing, and a step begins at the next row.
  press('Ana 8', '1');
  press('Ana 8', 'j');
  expect(focusedRow()).toBe('3');
  await waitFor(() => expect(decided).toEqual([7, 8]));
});

test('rows selected before a list is counted are those of an act, even if records arrive', async () => {
  let count = (_counted: { snapshotId: string; total: number }) => undefined as unknown;
  const counted = new Promise<{ snapshotId: string; total: number }>((resolve) => {
    count = resolve;
  });
  const frozen: unknown[] = [];
  const rows = [7, 8, 9].map((id) => ({ id, patient_name: `Ana ${id}` }));
  renderScreen('/claims', {
    ...noRecords,
    'records:begin': { snapshotId: 'first', total: null, rows },
    'records:getCount': () => counted,
    'records:findRanges': ({ places }) => ({ places: places.map(([first, last]) => [first + 1, last + 1]) }),
    'records:getWindow': { rows: [{ id: 6, patient_name: 'Ana 6' }, ...rows] },
    'reviews:freeze': ({ from }) => {
      frozen.push(from);
      return { selectionId: 'f', claims: 3, groups: [] };
    },
    'reviews:estimate': {},
    'reviews:estimateOpen': { open: 0, notKnown: 0 },
  });
  const pressIn = (name: string, key: string, isShift = false) => {
    const cell = screen.getByText(name).closest('[role="gridcell"]');
    fireEvent.keyDown(cell as Element, { key, shiftKey: isShift });
  };
  await screen.findByText('Ana 7');
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search claims' }), { key: 'ArrowDown' });
  pressIn('Ana 7', 'ArrowDown', true);
  pressIn('Ana 8', 'ArrowDown', true);
  await screen.findByText('3 selected');
  // The test before may have acted a moment ago.
  await waitFor(() => expect(document.documentElement.hasAttribute('data-resting')).toBe(false));
  pressIn('Ana 9', '4');
  const dialog = await screen.findByRole('dialog', { name: 'Mark claims No action' });
  await waitFor(() => expect(frozen).toEqual([{ kind: 'list', snapshotId: 'first', places: [[0, 2]] }]));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  // A claim that a sync brought comes before them.
  count({ snapshotId: 'whole', total: 4 });
  await screen.findByText('Ana 6');
  screen.getByText('3 selected');
  // A press too soon after the last act does nothing.
  await waitFor(() => expect(document.documentElement.hasAttribute('data-resting')).toBe(false));
  pressIn('Ana 9', '4');
  await waitFor(() => expect(frozen.at(-1)).toEqual({ kind: 'list', snapshotId: 'whole', places: [[1, 3]] }));
});

/** Shows claims 7 and 8, of which 8 has the focus; `replace` replaces them by `next`. */
async function showReplaced(next: number[], added: number) {
  let count = (_counted: { snapshotId: string; total: number }) => undefined as unknown;
  const counted = new Promise<{ snapshotId: string; total: number }>((resolve) => {
    count = resolve;
  });
  const rowsOf = (ids: number[]) => ids.map((id) => ({ id, patient_name: `Ana ${id}` }));
  const asked: string[] = [];
  renderScreen('/claims', {
    ...noRecords,
    'records:begin': { snapshotId: 'first', total: null, rows: rowsOf([7, 8]) },
    'records:getCount': () => counted,
    'records:findRanges': () => ({ places: next.includes(8) ? [[next.indexOf(8), next.indexOf(8)]] : [] }),
    'records:getWindow': { rows: rowsOf(next) },
    'reviews:act': ({ target }) => {
      asked.push(JSON.stringify(target));
      return { eventId: 'e', claims: 1, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 };
    },
    'reviews:getUndo': () => {
      asked.push('getUndo');
      return {};
    },
  });
  await screen.findByText('Ana 7');
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search claims' }), { key: 'ArrowDown' });
  await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('gridcell'));
  fireEvent.keyDown(document.activeElement as Element, { key: 'j' });
  await waitFor(() => expect(focusedRow()).toContain('Ana 8'));
  await whenReady();
  asked.length = 0;
  return {
    asked,
    async replace() {
      count({ snapshotId: 'whole', total: next.length });
      await screen.findByText(`Ana ${added}`);
    },
  };
}

const focusedRow = () => document.activeElement?.closest('[role="row"]')?.textContent;

/** The time of a press is that of its event: it may be handled much later. */
function pressNow(key: string, how: KeyboardEventInit = {}): () => void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...how });
  return () => void document.activeElement?.dispatchEvent(event);
}

test('a key pressed before the focused record was replaced is refused; Ctrl+Z and g still act', async () => {
  const { asked, replace } = await showReplaced([7, 9], 9);
  const act = pressNow('4');
  const undo = pressNow('z', { code: 'KeyZ', ctrlKey: true });
  const go = [pressNow('g'), pressNow('m')];
  await replace();
  act();
  await screen.findByText('Press again');
  expect(asked.filter((name) => name !== 'getUndo')).toEqual([]);
  asked.length = 0;
  undo();
  await waitFor(() => expect(asked).toContain('getUndo'));
  for (const handle of go) handle();
  await screen.findByRole('heading', { level: 1, name: 'Members' });
  expect(asked.filter((name) => name !== 'getUndo')).toEqual([]);
});

test('a key pressed before rows were replaced acts on the record that keeps the focus', async () => {
  const { asked, replace } = await showReplaced([6, 7, 8], 6);
  const act = pressNow('4');
  await replace();
  await waitFor(() => expect(focusedRow()).toContain('Ana 8'));
  act();
  await waitFor(() => expect(asked).toContain('{"claimIds":[8]}'));
});

test('rows after a search without results are shown before they are counted', async () => {
  let count = (_counted: { snapshotId: string; total: number }) => undefined as unknown;
  const counted = new Promise<{ snapshotId: string; total: number }>((resolve) => {
    count = resolve;
  });
  const rows = [7, 8].map((id) => ({ id, patient_name: `Ana ${id}` }));
  const read: unknown[] = [];
  renderScreen('/claims', {
    ...noRecords,
    'records:begin': { snapshotId: 'first', total: null, rows },
    'records:getCount': () => counted,
    'records:getWindow': (input) => {
      read.push(input);
      return { rows };
    },
    'records:findRanges': ({ places }) => ({ places }),
    'records:getClaim': { claim: rows[0] },
  });
  await screen.findByText('Ana 7');
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search claims' }), { key: 'ArrowDown' });
  fireEvent.keyDown(screen.getByText('Ana 7').closest('[role="gridcell"]') as Element, { key: 'Enter' });
  await screen.findByRole('heading', { name: /^Claim 7/ });
  await whenReady();
  // Another snapshot than the one that the rows came from: rows that were shown before may be others now.
  count({ snapshotId: 'whole', total: 2 });
  await waitFor(() =>
    expect(read).toContainEqual(expect.objectContaining({ snapshotId: 'whole', limit: 100 })),
  );
  expect(document.documentElement.hasAttribute('data-resting')).toBe(false);
});

test('rows after a search that had none are shown before they are counted', async () => {
  const rows = [{ id: 7, patient_name: 'Ana 7' }];
  renderScreen('/claims', {
    ...noRecords,
    'records:begin': ({ query: { search } }) =>
      search === 'x'
        ? { snapshotId: 'none', total: 0, rows: [] }
        : { snapshotId: 'some', total: null, rows: search === 'an' ? rows : [] },
    'records:getCount': () => new Promise(() => undefined),
  });
  const search = async (text: string) =>
    fireEvent.change(await screen.findByRole('textbox', { name: 'Search claims' }), {
      target: { value: text },
    });
  await search('x');
  await screen.findByText('No claims match');
  await search('an');
  await screen.findByText('Ana 7');
  await waitFor(() => expect(screen.queryByText('No claims match')).toBeNull());
});

test('a worklist that one comes to has the rows of its count; one count stands on the page', async () => {
  const rows = [7, 8, 9].map((id) => ({ id, patient_name: `Ana ${id}` }));
  let opened = 0;
  const list = () => ({ snapshotId: `s${opened}`, total: opened === 1 ? 2 : 3 });
  const counts = { isCurrent: true, hasReadAll: true, worklists: [{ id: 'toPay' as const, claims: 3 }] };
  // A count that is here before the list is no newer than it.
  let count: () => void = () => undefined;
  const isListed = new Promise<void>((resolve) => (count = resolve));
  renderScreen('/worklists/toPay', {
    ...noRecords,
    'worklists:counts': () => isListed.then(() => counts),
    'records:begin': () => {
      opened += 1;
      count();
      return { ...list(), rows: rows.slice(0, list().total) };
    },
    'records:getWindow': () => ({ rows: rows.slice(0, list().total) }),
  });
  await screen.findByText('Ana 9');
  await waitFor(() => expect(screen.queryByText('2 claims')).toBeNull());
  const totals = within(screen.getByRole('region', { name: 'Totals' }));
  expect((await totals.findAllByRole('status'))[0]?.textContent).toBe('3 claims');
  expect(opened).toBe(2);
});

test.each([
  ['ready', 'To decide', 'toDecide'],
  ['changedAfterReimbursement', 'Owed back', 'owedBack'],
  ['runOut', 'Deadlines', 'due'],
])('the address of a worklist under its old ID leads to it: %s', async (id, name, current) => {
  renderScreen(`/worklists/${id}`, noRecords);
  await screen.findByRole('heading', { level: 1, name });
  expect(window.location.hash).toBe(`#/worklists/${current}`);
});

test('a step from a claim whose list could not be read reads it again', async () => {
  const rows = [7, 8].map((id) => ({ id, patient_name: `Ana ${id}` }));
  let isRead = false;
  renderScreen('/claims', {
    ...noRecords,
    'records:begin': { snapshotId: 's', total: 2, rows },
    'records:getWindow': ({ fields }) => {
      if (fields?.length !== 1 || isRead) return { rows };
      isRead = true;
      return failed('store.busy');
    },
    'reviews:get': ({ claimId }) => ({ claimId }),
  });
  await screen.findByText('Ana 7');
  fireEvent.click(await screen.findByText('7'));
  await screen.findByRole('heading', { level: 1, name: /^Claim 7/ });
  await screen.findByText('Couldn’t load the list');
  await pressKey('j');
  await screen.findByRole('heading', { level: 1, name: /^Claim 8/ });
});
