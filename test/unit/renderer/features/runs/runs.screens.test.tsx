import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import type { Output } from '../../../../../src/contract/procedures.ts';
import { layoutFields, type RunLayout } from '../../../../../src/rules/review/run-layout.ts';
import { noRecords, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const run: Output<'runs:list'>['runs'][number] = {
  ...{
    id: 'r1',
    name: longName,
    account: 'Payroll',
    corrections: false,
    at: '2026-03-01T12:00:00.000Z',
    author: 'lee@example.com',
  },
  ...{ state: 'sent', claims: 3, amount: 700_000, made: { claims: 5, amount: 900_000 } },
  byState: [
    { state: 'sent', claims: 3, amount: 700_000 },
    { state: 'left', claims: 1, amount: 100_000 },
  ],
};
const opened: Output<'runs:get'> = {
  ...run,
  totals: {
    ...{ claims: 3, amount: 700_000 },
    employers: [{ employerId: null, name: null, claims: 3, amount: 700_000 }],
    members: [{ memberId: 7, name: null, employer: null, claims: 3, amount: 700_000 }],
  },
  ...{ marked: 1, listed: [{ claimId: 4, amount: 200_000, mark: 'amount', open: null }] },
  ...{
    rejected: 1,
    rejections: [{ claimId: 9, member: 'Cole, Ana', amount: 100_000, reason: 'No account' }],
  },
  steps: [
    {
      ...{ eventId: 'r1', kind: 'run', at: run.at, author: run.author, claims: 5 },
      ...{ file: null, reason: null },
    },
    {
      ...{ eventId: 'r2', kind: 'runSent', at: run.at, author: run.author, claims: 3 },
      ...{ file: { name: 'march.csv', sha256: 'ab12cd34ef56ab12' }, reason: null },
    },
  ],
};

testStates('/runs', 'runs:list', ['the runs', 'Couldn’t load the runs'], {
  filled: { runs: [run] },
  empty: [{ runs: [] }, 'No runs yet'],
});
testStates('/runs/r1', 'runs:get', ['the run', 'Couldn’t load the run'], { filled: opened });

test('a run shows what left it, what changed, and what was removed, and a step back requires a reason', async () => {
  const steps: unknown[] = [];
  renderScreen('/runs/r1', {
    'runs:get': opened,
    'runs:step': (input) => {
      steps.push(input);
      return { eventId: 'e', claims: 3, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 };
    },
  });
  await screen.findByText(/Left out: 1 claim/);
  screen.getByText('1 claim of the run was removed from this computer.');
  within(screen.getByRole('table', { name: 'Changed claims' })).getByText('Another amount is open');
  within(screen.getByRole('table', { name: 'Rejected by the payer' })).getByText('No account');
  within(screen.getByRole('table', { name: 'Steps' })).getByText(/march\.csv/);
  expect(screen.queryByRole('button', { name: 'Mark as checked' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Undo last step…' }));
  const dialog = await screen.findByRole('dialog');
  const action = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Undo' });
  expect(action.disabled).toBe(true);
  fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'Wrong file' } });
  fireEvent.click(action);
  await expect.poll(() => steps).toMatchObject([{ step: { kind: 'back', reason: 'Wrong file' } }]);
});

test('claims that changed since the run was made are asked about before it is recorded', async () => {
  const steps: unknown[] = [];
  renderScreen('/runs/r1', {
    'runs:get': opened,
    'runs:step': (input) => {
      steps.push(input);
      return { eventId: 'e', claims: 3, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Record as reimbursed…' }));
  const dialog = await screen.findByRole('dialog');
  const action = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Record 3 claims' });
  expect(action.disabled).toBe(true);
  fireEvent.click(within(dialog).getByLabelText('Include 1 claim that changed since the run was made'));
  fireEvent.click(action);
  await expect.poll(() => steps).toMatchObject([{ step: { kind: 'record' }, acceptsMarked: 1 }]);
});

test.each([
  ['made', 'Mark as checked', 'Checked'],
  ['checked', 'Save file…', 'File saved'],
  ['sent', 'Record as reimbursed…', 'Answered'],
] as const)('for a run that is %s, the one primary button is %s', async (state, label, step) => {
  renderScreen('/runs/r1', {
    'runs:get': { ...opened, state, byState: [{ state, claims: 3, amount: 700_000 }], marked: 0, listed: [] },
  });
  await screen.findByRole('button', { name: label });
  // What the file has is shown until the run was sent.
  expect(screen.queryByText('Excel, a row per member, 4 columns', { exact: false }) === null).toBe(
    state === 'sent',
  );
  const primary = within(screen.getByRole('main'))
    .getAllByRole('button')
    .filter((one) => one.matches('.mantine-Button-root') && (one.dataset.variant ?? 'filled') === 'filled');
  expect(primary.map(({ textContent }) => textContent)).toEqual([label]);
  const current = within(screen.getByRole('list', { name: 'Steps' }))
    .getAllByRole('listitem')
    .find((one) => one.getAttribute('aria-current') === 'step');
  expect(current?.textContent).toContain(step);
});

test('a file without results is asked about, and rejected claims are shown before it is applied', async () => {
  const applied: unknown[] = [];
  renderScreen('/runs/r1', {
    'runs:get': opened,
    'runs:readResults': {
      ...{ selectionId: 's', asksAllPaid: true, rows: 10, unmatched: [], rejections: [] },
      ...{
        paid: { claims: 10, amount: 1 },
        rejected: { claims: 0, amount: 0 },
        without: { claims: 0, amount: 0 },
      },
    },
    'runs:applyResults': (input) => {
      applied.push(input);
      const none = { eventId: null, claims: 0, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 };
      return { rejected: none, recorded: none };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Import the payer’s answer…' }));
  const dialog = await screen.findByRole('dialog');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  fireEvent.change(input as HTMLInputElement, { target: { files: [new File(['claim\n1'], 'r.csv')] } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Match results' }));
  const answer = await within(dialog).findByLabelText('All 10 rows are paid');
  const action = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Apply results' });
  expect(action.disabled).toBe(true);
  fireEvent.click(answer);
  fireEvent.click(action);
  await expect.poll(() => applied).toMatchObject([{ selectionId: 's', allPaid: true }]);
});

describe.each([
  ['toPay', 'open of 2 claims', false],
  ['owedBack', 'differ from what was sent, in 2 claims', true],
] as const)('a run made from %s', (worklist, said, isOfCorrections) => {
  test('contains what differs from what was sent if that is chosen', async () => {
    const [estimated, made]: [unknown[], unknown[]] = [[], []];
    renderScreen(`/worklists/${worklist}`, {
      ...noRecords,
      'records:begin': { snapshotId: 's', total: 2, rows: [{ id: 7 }, { id: 8 }] },
      'records:getWindow': { rows: [{ id: 7 }, { id: 8 }] },
      'reviews:freeze': { selectionId: 'frozen' },
      'runs:estimate': ({ corrections }) => {
        estimated.push(corrections);
        return {
          claims: 2,
          amount: corrections ? -500_000 : 900_000,
          offsets: { claims: 1, amount: 300_000 },
        };
      },
      'runs:make': (input) => {
        made.push(input);
        return { eventId: null, claims: 2 };
      },
    });
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Make run…' });
    await waitFor(() => {
      fireEvent.click(button);
      screen.getByRole('dialog');
    });
    const dialog = within(screen.getByRole('dialog'));
    const box = await dialog.findByRole<HTMLInputElement>('checkbox', {
      name: 'Only what differs from what was sent',
    });
    expect(box.checked).toBe(isOfCorrections);
    await dialog.findByText(
      (_text, element) => element?.textContent?.includes(said) === true && element.role === 'status',
    );
    dialog.getByText(/^Each claim has its eligible amount minus what earlier runs paid/);
    fireEvent.click(box);
    await waitFor(() => expect(estimated).toEqual([isOfCorrections, !isOfCorrections]));
    const action = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Make run of 2 claims' });
    await waitFor(() => expect(action.disabled).toBe(false));
    fireEvent.click(action);
    await waitFor(() =>
      expect(made).toMatchObject([{ selectionId: 'frozen', corrections: !isOfCorrections }]),
    );
  });
});

const reader = { server: 'https://team.example', state: 'live', role: 'reader' } as const;
const isOff = (name: string) => screen.getByRole('button', { name }).closest('fieldset[disabled]') !== null;

test('a reader of the team sees the steps of a run disabled, with the reason, and can save its file', async () => {
  renderScreen('/runs/r1', { 'runs:get': opened, 'team:getStatus': reader });
  await screen.findByText(/^Your role in the team is reader, so you can’t change reviews\./);
  for (const name of [
    'Record as reimbursed…',
    'Import the payer’s answer…',
    'Undo last step…',
    'Leave out 1 claim…',
  ])
    expect([name, isOff(name)]).toEqual([name, true]);
  expect(isOff('Save file…')).toBe(false);
  expect(isOff('Show claims')).toBe(false);
});

test('a reader of the team sees the acts on a list disabled', async () => {
  renderScreen('/worklists/toPay', {
    ...noRecords,
    'records:begin': { snapshotId: 's', total: 2, rows: [{ id: 7 }, { id: 8 }] },
    'records:getWindow': { rows: [{ id: 7 }, { id: 8 }] },
    'team:getStatus': reader,
  });
  await screen.findByText(/^Your role in the team is reader, so you can’t change reviews\./);
  await waitFor(() => {
    for (const name of ['Import payments…', 'Make run…', 'Review all…'])
      expect([name, isOff(name)]).toEqual([name, true]);
  });
});

test('an empty list has the acts on all of its claims disabled', async () => {
  renderScreen('/worklists/toPay', noRecords);
  await screen.findByText('No claims');
  for (const name of ['Make run…', 'Review all…']) expect([name, isOff(name)]).toEqual([name, true]);
});

test('the acts on all claims of a list are enabled while its rows are there and not counted yet', async () => {
  renderScreen('/worklists/toPay', {
    ...noRecords,
    'records:begin': { snapshotId: 's', total: null, rows: [{ id: 7, patient_name: 'Ana' }] },
    'records:getCount': () => new Promise<never>(() => undefined),
  });
  await screen.findByText('Ana');
  for (const name of ['Make run…', 'Review all…']) expect([name, isOff(name)]).toEqual([name, false]);
});

test('a layout with a row for each claim can have what a file of corrections needs', async () => {
  const layouts: RunLayout[] = [];
  renderScreen('/runs/r1', {
    'runs:get': opened,
    'runs:preview': ({ layout }) => {
      layouts.push(layout);
      return { rows: 1, first: [layout.columns.map(({ header }) => header)] };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: /^(Save )?[Ff]ile/ }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Rows'), { target: { value: 'line' } });
  const wanted = ['procedure', 'billed', 'allowed', 'line', 'disposition', 'reference', 'original'] as const;
  for (const [index, field] of wanted.entries()) {
    fireEvent.click(dialog.getByRole('button', { name: 'Add column' }));
    fireEvent.change(await dialog.findByLabelText(`Column ${index + 5}`), { target: { value: field } });
  }
  await waitFor(() =>
    expect(layouts.at(-1)).toMatchObject({
      rows: 'line',
      columns: expect.arrayContaining(
        wanted.map((field) => ({ field, header: layoutFields[field].label, text: expect.anything() })),
      ),
    }),
  );
});
