import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { errorTable } from '../../../../../src/contract/error-codes.ts';
import { renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/sync', 'sync:getStatus', ['the sync status', 'Couldn’t load the sync status'], {
  filled: { lastReceipt: { outcome: 'notProven', reason: longName } },
  empty: [{}, /^No sync/],
  others: { 'records:listSetAside': {} },
});

const at = new Date();
at.setHours(0, 0, 0);
const ended = { startedAt: at.toISOString(), finishedAt: at.toISOString() };

test.each([
  ['complete', 'good', 'Verified complete', 'Finished'],
  ['notProven', 'caution', 'Not verified', 'Finished'],
  ['canceled', 'caution', 'Canceled', 'Stopped'],
  ['failed', 'bad', 'Failed', 'Stopped'],
] as const)('a sync that is %s has its own color and word', async (outcome, tone, label, how) => {
  renderScreen('/sync', {
    'records:listSetAside': {},
    'sync:getStatus': { lastReceipt: { ...ended, outcome } },
  });
  const receipt = await screen.findByRole('region', { name: 'Last sync' });
  expect(within(receipt).getByText(label).closest('[data-tone]')?.getAttribute('data-tone')).toBe(tone);
  expect(receipt.textContent).toContain(`${how} today at 12:00 AM`);
});

test('a failure of rules after a sync is on the page and in the top bar, with what to do', async () => {
  const report = { ...errorTable['sync.unsettled'] };
  renderScreen('/sync', {
    'records:listSetAside': {},
    'sync:getStatus': { lastReceipt: { ...ended, outcome: 'complete' }, unsettled: report },
  });
  const notice = (await screen.findByText('Reviews weren’t updated after the last sync')).closest(
    '[role="alert"]',
  );
  for (const text of Object.values(report)) expect(notice?.textContent).toContain(text);
  await screen.findByText('Reviews not updated · no full sync yet');
});

test('a quick refresh that is not offered shows why, and requests nothing', async () => {
  const reason = 'The quick refresh isn’t available for this service.';
  const { calls } = renderScreen('/sync', {
    'records:listSetAside': {},
    'sync:getStatus': { quickRefresh: { isOffered: false, reason } },
  });
  const quick = await screen.findByRole('button', { name: 'Quick refresh', description: reason });
  expect(quick.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(quick);
  expect(calls).not.toContain('sync:refresh');
});

test.each([
  ['what is here can be read', { claims: 5 }, true],
  ['there is nothing to read', {}, false],
])('without the service %s', async (_what, summary, isReadable) => {
  renderScreen('/sync', {
    'records:listSetAside': {},
    'records:getSummary': summary,
    'sync:getStatus': {
      lastReceipt: { ...ended, outcome: 'failed', errorCode: 'service.unreachable' },
      isServiceReachable: false,
    },
  });
  await screen.findByText('The last sync did not finish');
  await screen.findByText('Offline · no full sync yet');
  expect(screen.queryByText(/^You can still read/) !== null).toBe(isReadable);
});
