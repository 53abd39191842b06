import { expect, it } from 'vitest';
import type { SyncReceipt } from '../../../../../src/contract/sync.ts';
import { describeNoWorklists } from '../../../../../src/renderer/features/start/start-page.tsx';
import { answerOf } from '../../../../support/contract-values.ts';

const sorting = 'Sorting claims into worklists…';
const idle = answerOf('sync:getStatus', {});
const receipt = { outcome: 'complete' } as SyncReceipt;
const running = answerOf('sync:getStatus', { running: { phase: 'claims', pass: 1 } });

const counts = (isCurrent: boolean, hasReadAll: boolean) => ({ isCurrent, hasReadAll });

it.each([
  [counts(true, true), idle, 'Nothing to do: every worklist is empty.'],
  [counts(true, true), running, 'Nothing to do: every worklist is empty.'],
  // Counted before the first claim came.
  [counts(true, false), running, 'Worklists follow when the sync is done.'],
  [counts(false, false), running, 'Worklists follow when the sync is done.'],
  [
    counts(false, false),
    { ...idle, isResumable: true },
    'The sync is not done. Worklists follow when it is.',
  ],
  // The sync's status is newer than the counts: it has just ended.
  [counts(true, false), { ...idle, lastReceipt: receipt, lastComplete: receipt }, sorting],
  [counts(false, true), { ...idle, lastComplete: receipt }, sorting],
  [counts(false, true), { ...running, lastComplete: receipt }, sorting],
  [counts(false, false), undefined, sorting],
] as const)(
  'says that there is nothing to do only where all claims were read and looked at (%o)',
  (counted, status, said) => {
    expect(describeNoWorklists(counted, status)).toBe(said);
  },
);
