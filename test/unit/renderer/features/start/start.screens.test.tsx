import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Condition, Row } from '../../../../../src/contract/query.ts';
import { reviewedOn } from '../../../../../src/renderer/features/start/own-work.ts';
import {
  type Answers,
  noRecords,
  pending,
  press,
  renderScreen,
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

test('shows how far the sync is that worklists wait for, and no zero that means nothing', async () => {
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
    connections: 3,
    worklists: [
      { id: 'changed', claims: 2, ...amountOf(10) },
      { id: 'ready', claims: 30, ...amountOf(1200) },
      { id: 'denied', claims: 40, ...amountOf(5) },
      { id: 'toPay', claims: 4, ...amountOf(562) },
      { id: 'waiting', claims: 50, ...amountOf(9) },
      { id: 'highCost', claims: 60, ...amountOf(7) },
    ],
  },
};
const region = (name: string) => screen.findByRole('region', { name });

test('each number of today is a link to its rows', async () => {
  renderScreen('/start', counted);
  const today = within(await region('Today'));
  for (const [name, address] of [
    [/2 ?changed since reviewed$/, '#/worklists/changed'],
    [/^To pay\$562\.00/, '#/worklists/toPay'],
    [/^Sign-ins3/, '#/connections'],
  ] as const) {
    const link = await today.findByText(
      (_text, one) => one?.tagName === 'A' && name.test(one.textContent ?? ''),
    );
    expect(link.getAttribute('href')).toBe(`/${address}`);
  }
  const watch = within(await region('Watch'));
  expect(watch.getByText('60').closest('li')?.textContent).toContain('High cost');
});

test('one’s own reviews of the last day of work are counted by the conditions that open them', async () => {
  const friday = new Date(2026, 10, 20, 16, 5);
  vi.setSystemTime(new Date(2026, 10, 23, 9, 0));
  onTestFinished(() => void vi.useRealTimers());
  const counts: (readonly Condition[])[] = [];
  const opened: (readonly Condition[])[] = [];
  renderScreen('/start', {
    ...counted,
    'records:open': ({ query }) => {
      counts.push(query.conditions ?? []);
      return { snapshotId: 's', total: 4, totals: { count: 4 } };
    },
    'records:readFirst': ({ query }) => {
      const isOfReviews = query.conditions?.some(({ field }) => field === 'review.by') === true;
      if (isOfReviews) opened.push(query.conditions ?? []);
      const rows = isOfReviews ? [{ id: 7, 'review.at': friday.toISOString() }] : [];
      return { rows };
    },
    'records:begin': ({ query }) => {
      opened.push(query.conditions ?? []);
      return { snapshotId: 's', total: 0 };
    },
  });
  const today = within(await region('Today'));
  const tile = await today.findByRole('button', { name: /^Your reviews ?4 ?11\/20\/2026 · 4 today$/ });
  const own = reviewedOn('desk@example.com', '2026-11-20');
  expect(counts).toContainEqual(own);
  opened.length = 0;
  fireEvent.click(tile);
  await screen.findByRole('heading', { level: 1, name: 'Claims' });
  await expect.poll(() => opened).toContainEqual(own);
});

test('reminders are a part of today, with whom each waits on; with none it says so', async () => {
  const due = {
    id: 7,
    'review.reminder': '2026-11-02',
    'review.on_whom': 'Carrier',
    patient_name: 'DIAZ, ANA',
  };
  let rows: Row[] = [];
  const answers: Answers = {
    ...counted,
    'records:readFirst': ({ query }) => (query.sort?.[0]?.field === 'review.reminder' ? { rows } : {}),
  };
  renderScreen('/start', answers);
  await within(await region('Today')).findByText('No reminders due.');
  rows = [due];
  renderScreen('/start', answers);
  const reminders = within(
    await within(await region('Today')).findByRole('region', { name: 'Reminders due' }),
  );
  expect(reminders.getByRole('listitem').textContent).toBe('Claim 711/02/2026Ana Diaz · waiting on Carrier');
});

test('work is the largest worklists that are worked through; what was done of one opens what was counted', async () => {
  const opened: (readonly Condition[])[] = [];
  renderScreen('/start', {
    ...counted,
    'views:list': {},
    'records:open': ({ query: { conditions = [] } }) => {
      if (!conditions.some(({ field }) => field === 'review.by')) opened.push(conditions);
      return { snapshotId: 's', total: 7, totals: { count: 7 } };
    },
    'records:readFirst': {},
    'records:begin': ({ query }) => {
      const fields = (query.conditions ?? []).map(({ field }) => field);
      if (fields.includes('review.at') && !fields.includes('review.by')) opened.push(query.conditions ?? []);
      return { snapshotId: 's', total: 0 };
    },
  });
  const work = within(await region('Work'));
  const buttons = await work.findAllByRole('button', { name: '7 reviewed this week' });
  expect(work.getAllByRole('listitem').map((one) => /^\D+/.exec(one.textContent ?? '')?.[0])).toEqual([
    'Denied$',
    'Ready to review$',
  ]);
  const [, ofReady = []] = opened;
  expect(ofReady).toContainEqual({ field: 'review.state', operator: 'is', values: ['done'] });
  opened.length = 0;
  fireEvent.click(buttons[1] as Element);
  await screen.findByRole('heading', { level: 1, name: 'Claims' });
  await expect.poll(() => opened[0]).toEqual(ofReady);
});

test('begins with a claim that nobody has worked on, and has its worklist behind it', async () => {
  const rows = [
    { id: 41, 'review.last_event_at': '2026-11-20T10:00:00.000Z' },
    { id: 42, 'review.last_event_at': null },
  ];
  renderScreen('/start', {
    ...counted,
    'records:readFirst': { rows },
    'records:getWindow': { rows },
    'records:getClaim': pending,
    'reviews:get': pending,
    'worklists:why': pending,
    'duplicates:of': pending,
    'reviews:listActs': pending,
  } as Answers);
  await press('Start reviewing');
  await expect.poll(() => window.location.hash).toMatch(/^#\/claims\/42\?.*at=1/);
});
