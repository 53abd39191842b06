import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultSettings } from '../../../../../src/contract/settings.ts';
import { mondayOf, reviewedSince } from '../../../../../src/renderer/domain/figure/reviewer-filters.ts';
import type { Condition, Row } from '../../../../../src/rules/query.ts';
import {
  type Answers,
  noRecords,
  pending,
  press,
  renderScreen,
  whenReady,
  workspace,
} from '../../../../support/render-screen.tsx';

const quiet: Answers = { ...noRecords, 'reviews:listEvents': {} };

test.each([
  ['is counting', { 'worklists:counts': pending }, 'Counting claims…'],
  ['nothing to do', {}, 'Nothing to do: every worklist is empty.'],
  ['never synced', { 'sync:getStatus': {} }, 'No claims on this computer yet'],
  ['interrupted', { 'sync:getStatus': { isResumable: true } }, 'The first sync is not done'],
] as const)('%s', async (_state, answers, said) => {
  renderScreen('/start', { ...quiet, ...answers });
  await screen.findByText(said);
});

test('a week without a backup shows a warning if a folder is set', async () => {
  renderScreen('/start', {
    ...quiet,
    'backup:getState': { folder: '/media/stick', isOverdue: true, sealedBy: null },
  });
  const warning = (await screen.findByText('No backup for seven days')).closest('[role="alert"]');
  expect(warning?.textContent).toContain('None was made yet. Make a recovery code');
  await screen.findByRole('link', { name: 'Open backups' });
});

test('before the service knows the key, the next step is to register it, not to sync', async () => {
  const own = { ...workspace, isSample: false, keyId: 'k' };
  renderScreen('/start', {
    ...quiet,
    'workspaces:list': { workspaces: [own], activeId: own.id },
    'keys:list': { keys: [{ id: 'k', provenAt: null }] },
    'sync:getStatus': {},
  });
  await screen.findByText(/^Next: register your SSH key with the claims service\. After the first sync/);
  const main = within(screen.getByRole('main'));
  expect(main.getByRole('link', { name: 'Finish setup' }).getAttribute('href')).toMatch(/welcome\/connect$/);
  expect(screen.queryByRole('button', { name: 'Sync now' })).toBeNull();
});

test('shows the progress of the sync that worklists wait for, and no meaningless zero', async () => {
  const running = { phase: 'claims', pass: 1, read: 17_000, total: 68_000 } as const;
  renderScreen('/start', {
    ...quiet,
    'worklists:counts': { isCurrent: false },
    'sync:getStatus': { running },
  });
  await screen.findByText(/Reading claims · 17,000 of 68,000/);
  const [progress] = screen.getAllByRole('progressbar');
  expect(progress?.getAttribute('aria-valuenow')).toBe('25');
  expect(screen.queryByRole('region', { name: 'Today' })).toBeNull();
});

const amountOf = (dollars: number) => ({ amount: dollars * 10_000, amountLabel: 'Open' });
const counted: Answers = {
  ...quiet,
  'worklists:counts': {
    isCurrent: true,
    hasReadAll: true,
    connections: 3,
    worklists: [
      { id: 'changed', claims: 2, ...amountOf(10) },
      { id: 'toDecide', claims: 30, ...amountOf(1200) },
      { id: 'denied', claims: 40, ...amountOf(5) },
      { id: 'toPay', claims: 4, ...amountOf(562) },
      { id: 'waiting', claims: 50, ...amountOf(9) },
      { id: 'highCost', claims: 60, ...amountOf(7) },
    ],
  },
};
const region = (name: string) => screen.findByRole('region', { name });

test('each number is a link to its rows, and a zero is left out or not a number', async () => {
  renderScreen('/start', counted);
  const today = within(await region('Today'));
  const money = within(await region('Money'));
  for (const [where, name, address] of [
    [today, /^2 claims$/, '#/worklists/changed'],
    [today, /^Carrier logins to fix: 3$/, '#/connections'],
    [money, /^To pay\$562\.004 claims · open$/, '#/worklists/toPay'],
    [money, /^Denied\$5\.0040 claims · open$/, '#/worklists/denied'],
    [money, /^Owed backNone$/, '#/worklists/owedBack'],
  ] as const) {
    const link = await where.findByText(
      (_text, one) => one?.tagName === 'A' && name.test(one.textContent ?? ''),
    );
    expect(link.getAttribute('href')).toBe(`/${address}`);
  }
});

test('a week begins on Monday', () => {
  expect(['2026-11-22', '2026-11-23', '2026-11-29', '2026-12-01'].map(mondayOf)).toEqual([
    '2026-11-16',
    '2026-11-23',
    '2026-11-23',
    '2026-11-30',
  ]);
});

test('your reviews of today and of this week are counted by the conditions that open them', async () => {
  vi.setSystemTime(new Date(2026, 10, 25, 9, 0));
  onTestFinished(() => void vi.useRealTimers());
  const [ofToday, ofWeek] = [
    reviewedSince('desk@example.com', '2026-11-25'),
    reviewedSince('desk@example.com', '2026-11-23'),
  ];
  const opened: (readonly Condition[])[] = [];
  renderScreen('/start', {
    ...counted,
    'records:getTotals': ({ query }) => {
      const total = JSON.stringify(query.conditions) === JSON.stringify(ofWeek) ? 31 : 0;
      return { snapshotId: 's', total, totals: { count: total } };
    },
    'records:begin': ({ query }) => {
      opened.push(query.conditions ?? []);
      return { snapshotId: 's', total: 0 };
    },
  });
  const today = within(await region('Today'));
  const button = await today.findByRole('button', { name: '31 this week' });
  expect(button.closest('li')?.textContent).toBe('Your reviews: none today, 31 this week');
  expect(ofToday).not.toEqual(ofWeek);
  opened.length = 0;
  fireEvent.click(button);
  await screen.findByRole('heading', { level: 1, name: 'Claims' });
  await expect.poll(() => opened).toContainEqual(ofWeek);
});

test('your goal is next to what you reviewed today', async () => {
  renderScreen('/start', {
    ...counted,
    'settings:get': { ...defaultSettings, reviewsADay: 40 },
    'records:getTotals': { total: 12, totals: { count: 12 } },
  });
  const today = within(await region('Today'));
  await today.findByRole('button', { name: '12 of 40 today' });
});

test('next are the twelve claims that are due first, each once, with the reason and its worklist', async () => {
  vi.setSystemTime(new Date(2026, 10, 25, 9, 0));
  onTestFinished(() => void vi.useRealTimers());
  const rowsOf: Readonly<Record<string, Row[]>> = {
    back: [
      {
        id: 7,
        patient_name: 'DIAZ, ANA',
        'review.on_whom': 'Carrier',
        'review.reminder': '2026-11-20',
        'facts.open': 125_000,
      },
    ],
    due: [
      { id: 7, 'facts.due_kind': 'Decide', 'facts.due_day': '2026-11-20' },
      { id: 8, patient_name: null, 'facts.due_kind': 'Decide', 'facts.due_day': '2026-11-27' },
    ],
    toDecide: Array.from({ length: 12 }, (_, at) => ({ id: 20 + at, 'facts.open': 1_000_000 })),
  };
  renderScreen('/start', {
    ...counted,
    'records:readFirst': ({ query }) => ({
      rows: rowsOf[String(query.conditions?.find(({ field }) => field === 'worklist')?.values[0])] ?? [],
    }),
  });
  const next = within(await region('Next'));
  const rows = await next.findAllByRole('link', { name: /Claim \d/ });
  expect(rows.map((row) => /Claim (\d+)/.exec(row.textContent ?? '')?.[1])).toEqual(
    [7, 8, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29].map(String),
  );
  expect(rows[0]?.textContent).toMatch(
    /^Ana DiazClaim 7Reminder of .* is due, was waiting on Carrier5 days late\$12\.50$/,
  );
  expect(rows[1]?.textContent).toMatch(/^No patientClaim 8Decide by 11\/27\/20262 days left/);
  expect(rows[1]?.getAttribute('href')).toContain('/claims/8?list=worklist-due&at=1');
});

test('if no claim is due and none has to be decided, it says so', async () => {
  renderScreen('/start', counted);
  await within(await region('Next')).findByText('Nothing is due, and nothing is waiting for a decision.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Start reviewing' }).disabled).toBe(true);
});

test('a claim of Next opens with its worklist behind it, so that the next one follows; Start reviewing opens the first', async () => {
  const rows = [{ id: 41 }, { id: 42 }];
  renderScreen('/start', {
    ...counted,
    'records:readFirst': { rows },
    'records:begin': { total: 2, snapshotId: 's', rows },
    'records:getWindow': { rows },
    'reviews:get': ({ claimId }) => ({ claimId, state: 'todo' }),
  });
  fireEvent.click(await within(await region('Next')).findByRole('link', { name: /Claim 42/ }));
  await screen.findByRole('heading', { level: 1, name: 'Claim 42' });
  expect(window.location.hash).toMatch(/^#\/claims\/42\?list=worklist-back&at=1/);
  await screen.findByRole('button', { name: 'Previous in list' });
  window.history.pushState({}, '', '#/start');
  await within(await region('Next')).findByRole('link', { name: /Claim 41/ });
  await whenReady();
  await press('Start reviewing');
  await waitFor(() => expect(window.location.hash).toMatch(/^#\/claims\/41\?list=worklist-back&at=0/));
});

test('after the update a card shows what chains moved, and disappears once dismissed', async () => {
  const opened: unknown[] = [];
  let moved: { claims: number; amount: number } | null = { claims: 12, amount: -34_000_000 };
  let dismissed = 0;
  renderScreen('/start', {
    ...counted,
    'worklists:counts': () => ({ isCurrent: true, hasReadAll: true, worklists: [], moved }),
    'worklists:dismissMoved': () => {
      moved = null;
      dismissed += 1;
      return { isDone: true };
    },
    'records:begin': ({ query }) => {
      opened.push(query);
      return { snapshotId: 's', total: 12 };
    },
  });
  await screen.findByText('A claim and its corrections now have one balance');
  expect(screen.getByRole('main').textContent).toContain('open amount of 12 claims, by −$3,400.00 in all');
  fireEvent.click(within(screen.getByRole('main')).getByRole('button', { name: 'Dismiss' }));
  await expect.poll(() => screen.queryByText('A claim and its corrections now have one balance')).toBeNull();
  expect(dismissed).toBe(1);
  expect(opened).toEqual([]);
});

test('the card of what chains moved opens the list of these claims', async () => {
  const opened: unknown[] = [];
  renderScreen('/start', {
    ...counted,
    'worklists:counts': { isCurrent: true, hasReadAll: true, worklists: [], moved: { claims: 2, amount: 5 } },
    'records:begin': ({ query }) => {
      opened.push({ conditions: query.conditions, includesMissing: query.includesMissing });
      return { snapshotId: 's', total: 2 };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Show 2 claims' }));
  const conditions = [{ field: 'facts.chain_moved', operator: 'isNotEmpty', values: [] }];
  await expect.poll(() => opened).toContainEqual({ conditions, includesMissing: true });
});
