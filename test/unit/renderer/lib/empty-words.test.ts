import { describe, expect, it } from 'vitest';
import type { SyncReceipt, SyncStatus } from '../../../../src/contract/sync.ts';
import { emptyWords, leftOutWords } from '../../../../src/renderer/lib/empty-words.ts';

const at = '2026-03-09T09:12:00Z';
const complete: SyncReceipt = {
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
const failed: SyncReceipt = {
  ...complete,
  outcome: 'failed',
  proof: 'not-proven',
  errorCode: 'service.fault',
};
const never: SyncStatus = {
  running: null,
  lastReceipt: null,
  lastComplete: null,
  isResumable: false,
  isPaused: false,
  lossQuestion: null,
  quickRefresh: { isOffered: false, reason: '' },
};
const words = (
  status: SyncStatus | undefined,
  more: { isServiceReachable?: boolean; ownText?: string; leftOut?: string | null } = {},
) => emptyWords({ many: 'claims', status, isServiceReachable: true, ...more });

describe('why a list is empty', () => {
  it('says that the service has none only after a complete sync', () => {
    const said = 'The service has no claims for this account.';
    expect(words({ ...never, lastReceipt: complete, lastComplete: complete }).text).toBe(said);
    for (const status of [never, undefined, { ...never, lastReceipt: failed }]) {
      expect(words(status).text).not.toBe(said);
    }
  });

  it('keeps to the last complete sync where a later one failed or the service is away', () => {
    const status = { ...never, lastReceipt: failed, lastComplete: complete };
    expect(words(status, { isServiceReachable: false }).title).toBe('No claims');
  });

  it('says why itself where the list has a reason of its own', () => {
    const status = { ...never, lastReceipt: complete, lastComplete: complete };
    expect(words(status, { ownText: 'No claim names this member.' }).text).toBe(
      'No claim names this member.',
    );
  });

  it('says what the list leaves out, where a complete sync brought nothing else', () => {
    const leftOut = leftOutWords('members', { includesArchived: false, includesGone: false });
    const status = { ...never, lastReceipt: complete, lastComplete: complete };
    expect(words(status, { ownText: 'None.', leftOut }).text).toBe(`None. ${leftOut}`);
    expect(words(never, { leftOut }).text).not.toContain('left out');
  });

  it('offers the first sync, unless the service is away', () => {
    expect(words(never)).toMatchObject({ title: 'No claims on this computer yet', next: 'sync' });
    expect(words(never, { isServiceReachable: false })).toMatchObject({ next: 'seeSync' });
    const lost: SyncReceipt = { ...failed, errorCode: 'service.unreachable' };
    expect(words({ ...never, lastReceipt: lost }).text).toMatch(/^The service cannot be reached/);
  });

  it('says of a sync that was not complete that it was not', () => {
    for (const status of [
      { ...never, lastReceipt: failed },
      { ...never, lastReceipt: { ...failed, outcome: 'notProven' as const, errorCode: null } },
      { ...never, lastReceipt: { ...failed, outcome: 'canceled' as const, errorCode: 'sync.canceled' } },
      { ...never, isResumable: true },
    ]) {
      expect(words(status)).toMatchObject({ next: 'seeSync' });
      expect(words(status).text).toMatch(/^The last sync was not complete/);
    }
  });

  it('waits while a sync runs', () => {
    const running = { workspaceId: 'w', runId: 'r', phase: 'claims', pass: 1, read: 0, total: null } as const;
    const status = { ...never, running: { ...running, recordsPerSecond: 0, secondsLeft: null } };
    expect(words(status)).toMatchObject({ title: 'No claims yet', next: null });
  });
});

describe('what a list leaves out', () => {
  const of = (entity: 'members' | 'claims', includesArchived: boolean, includesGone: boolean) =>
    leftOutWords(entity, { includesArchived, includesGone });

  it('is said until all is asked for', () => {
    expect(of('members', false, false)).toMatch(/^Archived members, and those that the service no longer/);
    expect(of('members', false, true)).toBe('Archived members are left out.');
    expect(of('members', true, false)).toBe('What the service no longer returns is left out.');
    expect(of('claims', false, false)).toBe('What the service no longer returns is left out.');
    expect(of('members', true, true)).toBeNull();
    expect(of('claims', false, true)).toBeNull();
  });
});
