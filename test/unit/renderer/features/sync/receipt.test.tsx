import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { SyncReceipt } from '../../../../../src/contract/sync.ts';
import { Receipt } from '../../../../../src/renderer/features/sync/receipt.tsx';

const now = new Date(2026, 2, 9, 15, 0);
const at = new Date(2026, 2, 9, 12, 14).toISOString();
const receipt: SyncReceipt = {
  runId: 'r',
  outcome: 'complete',
  proof: 'complete',
  reason: null,
  coverage: '',
  errorCode: null,
  requestId: null,
  startedAt: at,
  finishedAt: at,
  seconds: 1,
  passes: 2,
  pages: 2,
  failedRequests: 0,
  failures: [],
  reads: [],
  lists: [],
  changes: { new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 },
  members: 0,
  dependents: 0,
  claims: 0,
  lines: 0,
  setAside: 0,
  digest: 'd',
};
const draw = (outcome: SyncReceipt['outcome']): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <Receipt receipt={{ ...receipt, outcome }} now={now} summary={null} />
    </MantineProvider>,
  );

it.each([
  ['complete', 'good', 'Verified complete', 'Finished today at 12:14 PM'],
  ['notProven', 'caution', 'Not verified', 'Finished today at 12:14 PM'],
  ['canceled', 'caution', 'Canceled', 'Stopped today at 12:14 PM'],
  ['failed', 'bad', 'Failed', 'Stopped today at 12:14 PM'],
] as const)('a sync that is %s has its own color and word', (outcome, tone, label, ended) => {
  const drawn = draw(outcome);
  expect(drawn).toMatch(new RegExp(`data-tone="${tone}">${label}<`));
  expect(drawn).toContain(ended);
});
