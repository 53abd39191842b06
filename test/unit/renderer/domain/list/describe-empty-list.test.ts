import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../../../src/contract/query.ts';
import type { SyncReceipt, SyncStatus } from '../../../../../src/contract/sync.ts';
import {
  describeEmptyList,
  describeLeftOut,
  describeNoMatch,
} from '../../../../../src/renderer/domain/list/describe-empty-list.ts';

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
  isServiceReachable: null,
};
const words = (
  status: SyncStatus | undefined,
  more: { isOffline?: boolean; ownText?: string; waitText?: string; leftOut?: string | null } = {},
) => describeEmptyList({ many: 'claims', status, isOffline: false, ...more });

describe('why a list is empty', () => {
  it('says that the service has none only after a complete sync', () => {
    const said = 'The claims service has no claims for this account.';
    expect(words({ ...never, lastReceipt: complete, lastComplete: complete }).text).toBe(said);
    for (const status of [never, undefined, { ...never, lastReceipt: failed }]) {
      expect(words(status).text).not.toBe(said);
    }
  });

  it('keeps to the last complete sync where a later one failed or the service is away', () => {
    const status = { ...never, lastReceipt: failed, lastComplete: complete };
    expect(words(status, { isOffline: true }).title).toBe('No claims');
  });

  it('says why itself where the list has a reason of its own', () => {
    const status = { ...never, lastReceipt: complete, lastComplete: complete };
    expect(words(status, { ownText: 'No claim names this member.' }).text).toBe(
      'No claim names this member.',
    );
  });

  it('says what the list leaves out, where a complete sync brought nothing else', () => {
    const leftOut = describeLeftOut('members', { includesArchived: false, includesMissing: false });
    const status = { ...never, lastReceipt: complete, lastComplete: complete };
    expect(words(status, { ownText: 'None.', leftOut }).text).toBe(`None. ${leftOut}`);
    expect(words(never, { leftOut }).text).not.toContain('hidden');
  });

  it('offers the first sync, unless the service is away', () => {
    expect(words(never)).toMatchObject({ title: 'No claims on this computer yet', next: 'sync' });
    expect(words(never, { isOffline: true })).toMatchObject({ next: 'seeSync' });
    expect(words(never, { isOffline: true }).text).toMatch(/^Can’t reach the claims service/);
  });

  it('says of a sync that was not complete that it was not', () => {
    for (const status of [
      { ...never, lastReceipt: failed },
      { ...never, lastReceipt: { ...failed, outcome: 'canceled' as const, errorCode: 'sync.canceled' } },
      { ...never, isResumable: true },
    ]) {
      expect(words(status)).toMatchObject({ next: 'seeSync' });
      expect(words(status).text).toMatch(/^The last sync did not finish/);
    }
  });

  it('says of a sync that came to its end unverified that it did, not that it stopped', () => {
    const status = { ...never, lastReceipt: { ...failed, outcome: 'notProven' as const, errorCode: null } };
    expect(words(status).text).toBe('The last sync could not be verified, and no claims were received.');
    expect(words(status, { ownText: 'No claims in this worklist.' }).text).toBe(
      'No claims in this worklist.',
    );
  });

  it('does not say that nothing was received where only this list is empty', () => {
    const ownText = 'No claims in this worklist.';
    for (const status of [
      { ...never, lastReceipt: failed },
      { ...never, isResumable: true },
    ])
      expect(words(status, { ownText })).toMatchObject({
        title: 'No claims',
        text: `${ownText} The last sync did not finish.`,
      });
  });

  it('waits while a sync runs: for rows as they arrive, or for its end', () => {
    const running = { workspaceId: 'w', runId: 'r', phase: 'claims', pass: 1, read: 0, total: null } as const;
    const status = { ...never, running: { ...running, recordsPerSecond: 0, secondsLeft: null } };
    expect(words(status)).toMatchObject({ title: 'No claims yet', next: null });
    expect(words(status).text).toBe('Sync in progress. Rows appear as they arrive.');
    const texts = {
      ownText: 'No claims in this worklist.',
      waitText: 'Worklists follow when the sync is done.',
    };
    expect(words(status, texts).text).toBe(texts.waitText);
    const later = { ...status, lastReceipt: complete, lastComplete: complete };
    expect(words(later, texts)).toMatchObject({
      title: 'No claims',
      text: `${texts.ownText} Sync in progress.`,
    });
  });
});

describe('what a list leaves out', () => {
  const of = (entity: 'members' | 'claims', includesArchived: boolean, includesMissing: boolean) =>
    describeLeftOut(entity, { includesArchived, includesMissing });

  it('is said until all is asked for', () => {
    expect(of('members', false, false)).toMatch(/^Archived members, and those no longer in the service/);
    expect(of('members', false, true)).toBe('Archived members are hidden.');
    expect(of('members', true, false)).toBe('Records no longer in the service are hidden.');
    expect(of('claims', false, false)).toBe('Records no longer in the service are hidden.');
    expect(of('members', true, true)).toBeNull();
    expect(of('claims', false, true)).toBeNull();
  });
});

const filter: Condition = { field: 'status', operator: 'is', values: ['Processed'] };
it.each([
  ['ada', [], 'No matches for this search.'],
  ['', [filter], 'No matches for this filter.'],
  ['', [filter, filter], 'No matches for these filters.'],
  ['ada', [filter, filter], 'No matches for this search and these filters.'],
])('says what nothing was found for', (search, conditions, said) => {
  expect(describeNoMatch({ search, conditions })).toBe(said);
});
