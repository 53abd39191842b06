import { expect, it } from 'vitest';
import type { SyncReceipt } from '../../../../../src/contract/sync.ts';
import { describeNoWorklists } from '../../../../../src/renderer/features/start/start-page.tsx';
import { answerOf } from '../../../../support/contract-values.ts';

const idle = answerOf('sync:getStatus', {});
const receipt = { outcome: 'complete' } as SyncReceipt;
const running = answerOf('sync:getStatus', { running: { phase: 'claims', pass: 1 } });

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
