import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { SyncReceipt, SyncStatus } from '../../../../../src/contract/sync.ts';
import { describeNoWorklists, NoWorklists } from '../../../../../src/renderer/features/start/start-page.tsx';

const idle: SyncStatus = {
  running: null,
  lastReceipt: null,
  lastComplete: null,
  isResumable: false,
  isPaused: false,
  lossQuestion: null,
  quickRefresh: { isOffered: false, reason: '' },
  isServiceReachable: null,
};
const receipt = { outcome: 'complete' } as SyncReceipt;
const running: SyncStatus = {
  ...idle,
  running: {
    workspaceId: 'w',
    runId: 'r',
    phase: 'claims',
    pass: 1,
    read: 17_000,
    total: 68_000,
    recordsPerSecond: 1000,
    secondsLeft: 51,
  },
};
const draw = (isCurrent: boolean, status: SyncStatus): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <NoWorklists isCurrent={isCurrent} status={status} />
    </MantineProvider>,
  ).replace(/<style.*?<\/style>/gs, '');

it.each([
  [true, { ...idle, lastComplete: receipt }, 'Nothing to do: every worklist is empty.'],
  [true, { ...running, lastComplete: receipt }, 'Nothing to do: every worklist is empty.'],
  [
    true,
    { ...running, lastReceipt: { ...receipt, outcome: 'notProven' } },
    'Nothing to do: every worklist is empty.',
  ],
  // Counted before the first claim came.
  [true, running, 'Worklists follow when the sync is done.'],
  [
    true,
    { ...running, lastReceipt: { ...receipt, outcome: 'failed' } },
    'Worklists follow when the sync is done.',
  ],
  [false, { ...running, lastComplete: receipt }, 'Worklists follow when the sync is done.'],
  [false, running, 'Worklists follow when the sync is done.'],
  [false, { ...idle, isResumable: true }, 'The sync is not done. Worklists follow when it is.'],
  [false, idle, 'Sorting claims into worklists…'],
  [false, undefined, 'Sorting claims into worklists…'],
] as const)(
  'says that there is nothing to do only where all claims were looked at (%s)',
  (isCurrent, status, said) => {
    expect(describeNoWorklists(isCurrent, status)).toBe(said);
  },
);

it('shows how far the sync is that worklists wait for', () => {
  const drawn = draw(false, running);
  expect(drawn).toContain('aria-valuenow="25"');
  expect(drawn).toContain('Reading claims · 17,000 of 68,000');
  expect(draw(true, { ...running, lastComplete: receipt })).not.toContain('progressbar');
  expect(draw(false, idle)).not.toContain('progressbar');
});
