import { describe, expect, it } from 'vitest';
import type { SyncProgress, SyncReceipt, SyncStatus } from '../../../../src/contract/sync.ts';
import {
  describeProgress,
  describeReceipt,
  isOffline,
  percentOf,
  summarizeSync,
} from '../../../../src/renderer/lib/sync-words.ts';

const now = new Date(2026, 2, 9, 15, 0);
const at = new Date(2026, 2, 9, 9, 12).toISOString();
const receipt: SyncReceipt = {
  runId: 'r',
  outcome: 'complete',
  proof: 'complete',
  reason: null,
  coverage: 'Two full reads gave the same records.',
  errorCode: null,
  requestId: null,
  startedAt: at,
  finishedAt: at,
  seconds: 6.2,
  passes: 2,
  pages: 44,
  failedRequests: 0,
  failures: [],
  reads: [],
  lists: [],
  changes: { new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 },
  members: 1,
  dependents: 2,
  claims: 3,
  lines: 4,
  setAside: 0,
  digest: 'd',
};
const progress: SyncProgress = {
  workspaceId: 'w',
  runId: 'r',
  phase: 'claims',
  pass: 1,
  read: 500,
  total: 2000,
  recordsPerSecond: 100,
  secondsLeft: 15,
};
const idle: SyncStatus = {
  running: null,
  lastReceipt: receipt,
  lastComplete: receipt,
  isResumable: false,
  isPaused: false,
  lossQuestion: null,
  quickRefresh: { isOffered: false, reason: 'No.' },
};
const failed = {
  ...receipt,
  outcome: 'failed',
  proof: 'not-proven',
  errorCode: 'service.unreachable',
} as const;

describe('summarizeSync', () => {
  it('says complete only with the receipt of a complete sync', () => {
    expect(summarizeSync(idle, true, now)).toEqual({
      tone: 'good',
      text: 'Complete · last complete sync today at 9:12 AM',
    });
    const notProven = { ...receipt, outcome: 'notProven', proof: 'not-proven' } as const;
    expect(summarizeSync({ ...idle, lastReceipt: notProven }, true, now).text).toBe(
      'Synced, not proven complete · last complete sync today at 9:12 AM',
    );
  });

  it('is honest about being offline, and names the last complete sync', () => {
    expect(summarizeSync({ ...idle, lastReceipt: failed }, true, now)).toEqual({
      tone: 'offline',
      text: 'Offline · last complete sync today at 9:12 AM',
    });
    expect(summarizeSync({ ...idle, lastComplete: null }, false, now).text).toBe(
      'Offline · no complete sync yet',
    );
  });

  it('tells a refusal of the service from being offline', () => {
    const refused = { ...failed, errorCode: 'service.unauthorized' };
    expect(isOffline({ ...idle, lastReceipt: refused }, true)).toBe(false);
    expect(summarizeSync({ ...idle, lastReceipt: refused }, true, now).tone).toBe('failed');
  });

  it('shows the running sync before anything else', () => {
    expect(summarizeSync({ ...idle, running: progress }, false, now)).toEqual({
      tone: 'running',
      text: 'Syncing 25%',
    });
    expect(summarizeSync({ ...idle, running: { ...progress, total: null } }, true, now).text).toBe('Syncing');
  });

  it('does not pass off a refresh as a proof, and asks before it says anything else', () => {
    const refreshed = { ...receipt, outcome: 'refreshed', proof: 'not-proven' } as const;
    expect(summarizeSync({ ...idle, lastReceipt: refreshed }, true, now)).toEqual({
      tone: 'caution',
      text: 'Refreshed without proof · last complete sync today at 9:12 AM',
    });
    expect(summarizeSync({ ...idle, isPaused: true }, true, now).text).toBe(
      'Sync paused · last complete sync today at 9:12 AM',
    );
    const lossQuestion = { askedAt: at, losses: [{ list: 'claims' as const, here: 90, missing: 80 }] };
    expect(summarizeSync({ ...idle, lossQuestion, isPaused: true }, true, now)).toEqual({
      tone: 'failed',
      text: 'Sync asks about missing records · last complete sync today at 9:12 AM',
    });
  });

  it('says that there was none yet', () => {
    const none = { ...idle, lastReceipt: null, lastComplete: null };
    expect(summarizeSync(none, true, now)).toEqual({ tone: 'none', text: 'Not synced yet' });
  });
});

it('describes progress, with time left only where it can be judged', () => {
  expect(describeProgress(progress)).toBe('500 of 2,000 · about 20 seconds left');
  expect(describeProgress({ ...progress, total: null, secondsLeft: null })).toBe('500 read');
  expect(percentOf({ ...progress, total: 0 })).toBeNull();
});

it('describes a receipt in sentences, the reason among them', () => {
  expect(describeReceipt(receipt)).toEqual([
    'Everything the service has is on this computer.',
    'Two full reads gave the same records.',
    'It took 6 seconds and 44 pages.',
  ]);
  const words = describeReceipt({
    ...failed,
    reason: 'The network went away.',
    failedRequests: 1,
    setAside: 1,
  });
  expect(words).toContain('The network went away.');
  expect(words.join(' ')).toContain('1 request had to be repeated');
  expect(words.join(' ')).toContain('1 record could not be read');
});
