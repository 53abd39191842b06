import { describe, expect, it } from 'vitest';
import type { SyncProgress, SyncReceipt, SyncStatus } from '../../../../../src/contract/sync.ts';
import {
  describeCounts,
  describeEnd,
  describeMembers,
  describeNoSync,
  describeProgress,
  describeReceipt,
  describeReceiptDetails,
  percentOf,
  summarizeSync,
} from '../../../../../src/renderer/domain/sync/sync-messages.ts';
import { answerOf } from '../../../../support/contract-values.ts';

const now = new Date(2026, 2, 9, 15, 0);
const at = new Date(2026, 2, 9, 9, 12).toISOString();
const coverage = 'Two full reads gave the same records.';
const ofReceipt = { outcome: 'complete', coverage, startedAt: at, finishedAt: at } as const;
const idle = answerOf('sync:getStatus', {
  lastReceipt: { ...ofReceipt, seconds: 6.2, passes: 2, pages: 44 },
  lastComplete: ofReceipt,
  isServiceReachable: true,
});
const receipt = { ...(idle.lastReceipt as SyncReceipt), members: 1, dependents: 2, claims: 3, lines: 4 };
const progress: SyncProgress = {
  ...{ workspaceId: 'w', syncId: 'r', phase: 'claims', pass: 1, read: 500, total: 2000 },
  ...{ recordsPerSecond: 100, secondsLeft: 15 },
};
const failed = {
  ...receipt,
  outcome: 'failed',
  proof: 'not-proven',
  errorCode: 'service.unreachable',
} as const;

describe('summarizeSync', () => {
  it('says complete only with the receipt of a complete sync', () => {
    expect(summarizeSync(idle, false, now)).toEqual({
      tone: 'good',
      text: 'Up to date · synced today at 9:12 AM',
    });
    const notProven = { ...receipt, outcome: 'notProven', proof: 'not-proven' } as const;
    expect(summarizeSync({ ...idle, lastReceipt: notProven }, false, now).text).toBe(
      'Synced, not verified · last full sync today at 9:12 AM',
    );
  });

  it('says offline while the service does not answer, and when the last full sync was', () => {
    expect(summarizeSync({ ...idle, lastReceipt: failed }, true, now)).toEqual({
      tone: 'offline',
      text: 'Offline · last full sync today at 9:12 AM',
    });
    expect(summarizeSync({ ...idle, lastComplete: null }, true, now).text).toBe('Offline · no full sync yet');
  });

  it('says how old records are from one day on, if the last sync read them to the end', () => {
    const inTwoDays = new Date(2026, 2, 11, 15, 0);
    expect(summarizeSync(idle, false, inTwoDays)).toEqual({
      tone: 'caution',
      text: 'Records 2 days old · synced 03/09/2026 at 9:12 AM',
    });
    expect(summarizeSync(idle, true, inTwoDays).text).toBe('Offline · records 2 days old');
    const finishedAt = inTwoDays.toISOString();
    const ofToday = { ...receipt, outcome: 'refreshed', finishedAt } as const;
    expect(summarizeSync({ ...idle, lastReceipt: ofToday }, false, inTwoDays).text).toBe(
      'Refreshed today at 3:00 PM · last full sync 03/09/2026 at 9:12 AM',
    );
    expect(summarizeSync({ ...idle, lastReceipt: { ...failed, finishedAt } }, false, inTwoDays).text).toBe(
      'Sync failed · last full sync 03/09/2026 at 9:12 AM',
    );
  });

  it('is no longer offline once the service answers, whatever the last sync ended with', () => {
    expect(summarizeSync({ ...idle, lastReceipt: failed }, false, now)).toEqual({
      tone: 'failed',
      text: 'Sync failed · last full sync today at 9:12 AM',
    });
  });

  it('shows the running sync before anything else', () => {
    expect(summarizeSync({ ...idle, running: progress }, true, now)).toEqual({
      tone: 'running',
      text: 'Syncing 25%',
    });
    expect(summarizeSync({ ...idle, running: { ...progress, total: null } }, false, now).text).toBe(
      'Syncing',
    );
  });

  it('does not present a refresh as a verification, and asks before it says anything else', () => {
    const refreshed = { ...receipt, outcome: 'refreshed', proof: 'not-proven' } as const;
    expect(summarizeSync({ ...idle, lastReceipt: refreshed }, false, now)).toEqual({
      tone: 'none',
      text: 'Refreshed today at 9:12 AM · last full sync today at 9:12 AM',
    });
    expect(summarizeSync({ ...idle, isPaused: true }, false, now).text).toBe(
      'Sync paused · last full sync today at 9:12 AM',
    );
    const lossQuestion = { askedAt: at, losses: [{ list: 'claims' as const, here: 90, missing: 80 }] };
    expect(summarizeSync({ ...idle, lossQuestion, isPaused: true }, false, now)).toEqual({
      tone: 'failed',
      text: 'Review missing records · last full sync today at 9:12 AM',
    });
  });

  it('says that there was none yet', () => {
    const none = { ...idle, lastReceipt: null, lastComplete: null };
    expect(summarizeSync(none, false, now)).toEqual({ tone: 'none', text: 'Not synced yet' });
  });
});

it('describes progress, with the time left only if it can be estimated', () => {
  expect(describeProgress(progress)).toBe('500 of 2,000 · about 20 seconds left');
  expect(describeProgress({ ...progress, total: null, secondsLeft: null })).toBe('500 read');
  expect(percentOf({ ...progress, total: 0 })).toBeNull();
});

it('describes a receipt in sentences, including the reason', () => {
  expect(describeReceipt(receipt)).toEqual(['Everything in the claims service is on this computer.']);
  expect(describeReceiptDetails(receipt)).toEqual([
    'Two full reads gave the same records.',
    'The sync took 6 seconds and 44 pages.',
  ]);
  const odd = { ...failed, reason: 'The network went away.', failedRequests: 1, setAside: 1 };
  expect(describeReceipt(odd)).toContain('The network went away.');
  expect(describeReceipt(odd)).toContain('1 record could not be read.');
  expect(describeReceiptDetails(odd).join(' ')).toContain('1 request had to be repeated');
});

it('says why the list of members is shorter than the receipt, as long as the members are the same', () => {
  const counted = { ...receipt, members: 400 };
  expect(describeMembers(counted, { members: 400, archivedMembers: 22 })).toBe(
    '400: 378 in the list, 22 archived',
  );
  expect(describeMembers(counted, { members: 400, archivedMembers: 0 })).toBe('400');
  expect(describeMembers(counted, { members: 401, archivedMembers: 22 })).toBe('400');
  expect(describeMembers(counted, null)).toBe('400');
});

it.each([
  ['complete', 'Finished today at 9:12 AM'],
  ['notProven', 'Finished today at 9:12 AM'],
  ['refreshed', 'Finished today at 9:12 AM'],
  ['canceled', 'Stopped today at 9:12 AM'],
  ['failed', 'Stopped today at 9:12 AM'],
] as const)('a sync that is %s: %s', (outcome, said) => {
  expect(describeEnd({ ...receipt, outcome }, now)).toBe(said);
});

it('a first sync that was interrupted is not treated as if there had been none', () => {
  const none: SyncStatus = { ...idle, lastReceipt: null, lastComplete: null };
  expect(describeNoSync(none)).toBe('No sync yet.');
  expect(summarizeSync(none, false, now).text).toBe('Not synced yet');
  expect(describeNoSync({ ...none, running: progress })).toBe('The first sync is in progress.');
  const interrupted = { ...none, isResumable: true };
  expect(describeNoSync(interrupted)).toBe('The first sync is not done.');
  expect(summarizeSync(interrupted, false, now)).toEqual({
    tone: 'caution',
    text: 'Sync interrupted · no full sync yet',
  });
});

it('lists existing changes, and none otherwise', () => {
  const none = { new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 };
  expect(describeCounts({ ...none, new: 4, changed: 2, returned: 1 })).toBe(
    '4 new, 2 changed, 1 back in the service',
  );
  expect(describeCounts(none)).toBeNull();
});
