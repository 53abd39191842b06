import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Condition } from '../../../../../src/contract/query.ts';
import { type Answers, noRecords, pending, press, renderScreen } from '../../../../support/render-screen.tsx';

const quiet: Answers = { ...noRecords, 'worklists:report': {}, 'reviews:listEvents': {} };

test.each([
  ['is counting', { 'worklists:counts': pending }, 'Counting claims…'],
  ['nothing to do', {}, 'Nothing to do: every worklist is empty.'],
  ['never synced', { 'sync:getStatus': {} }, 'No claims on this computer yet'],
  ['interrupted', { 'sync:getStatus': { isResumable: true } }, 'The first sync is not done'],
] as const)('%s', async (_state, answers, said) => {
  renderScreen('/start', { ...quiet, ...answers });
  await screen.findByText(said);
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
  'worklists:report': {
    done: [
      { day: '2000-01-01', outcome: 'eligible', claims: 12 },
      { day: '2999-01-01', outcome: 'eligible', claims: 5 },
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
    [/^Reviewed yesterday0/, '#/reports'],
  ] as const) {
    const link = await today.findByText(
      (_text, one) => one?.tagName === 'A' && name.test(one.textContent ?? ''),
    );
    expect(link.getAttribute('href')).toBe(`/${address}`);
  }
  const watch = within(await region('Watch'));
  expect(watch.getByText('60').closest('li')?.textContent).toContain('High cost');
});

test('work is the largest worklists that are worked through; what was done of one opens what was counted', async () => {
  const opened: (readonly Condition[])[] = [];
  renderScreen('/start', {
    ...counted,
    'views:list': {},
    'records:open': ({ query }) => {
      opened.push(query.conditions ?? []);
      return { snapshotId: 's', total: 7, totals: { count: 7 } };
    },
    'records:begin': ({ query }) => {
      if (query.conditions?.some(({ field }) => field === 'review.at')) opened.push(query.conditions);
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
    'records:begin': { snapshotId: 's', total: 2, rows },
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
