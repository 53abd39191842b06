import { describe, expect, it } from 'vitest';
import type { SyncReceipt, SyncStatus } from '../../../../../src/contract/sync.ts';
import {
  describeEmptyList,
  describeLeftOut,
  describeNoMatch,
  type EmptyListText,
} from '../../../../../src/renderer/domain/list/describe-empty-list.ts';
import type { Condition } from '../../../../../src/rules/query.ts';
import { answerOf } from '../../../../support/contract-values.ts';

const never = answerOf('sync:getStatus', {});
const complete = answerOf('sync:getStatus', { lastReceipt: { outcome: 'complete' } })
  .lastReceipt as SyncReceipt;
const failed: SyncReceipt = {
  ...complete,
  outcome: 'failed',
  proof: 'not-proven',
  errorCode: 'service.fault',
};
const unverified: SyncReceipt = { ...failed, outcome: 'notProven', errorCode: null };
type Facts = Parameters<typeof describeEmptyList>[0];

const synced = { ...never, lastReceipt: complete, lastComplete: complete };
const running = answerOf('sync:getStatus', { running: { phase: 'claims', pass: 1 } });
const ownText = 'Nothing to do here.';
const waitText = 'Worklists follow when the sync is done.';
const leftOut = describeLeftOut('members', { includesArchived: false, includesMissing: false });
const unfinished = 'The last sync did not finish, and no claims were received.';

describe('why a list is empty', () => {
  it.each<[string, SyncStatus | undefined, Partial<Facts>, Partial<EmptyListText>]>([
    ['after a complete sync', synced, {}, { text: 'The claims service has no claims for this account.' }],
    [
      'which a later one does not undo',
      { ...synced, lastReceipt: failed },
      { isOffline: true },
      { title: 'No claims' },
    ],
    ['for a reason of its own', synced, { ownText }, { text: ownText }],
    ['with what it leaves out', synced, { ownText, leftOut }, { text: `${ownText} ${leftOut}` }],
    ['while nothing is known', undefined, {}, { title: 'No claims on this computer yet' }],
    [
      'after a canceled sync',
      { ...never, lastReceipt: { ...failed, outcome: 'canceled' } },
      {},
      { next: 'seeSync', text: unfinished },
    ],
    ['after an interrupted sync', { ...never, isResumable: true }, {}, { next: 'seeSync', text: unfinished }],
    [
      'for a reason of its own, after a failed sync',
      { ...never, lastReceipt: failed },
      { ownText },
      { title: 'No claims', text: `${ownText} The last sync did not finish.` },
    ],
    [
      'for a reason of its own, after an interrupted sync',
      { ...never, isResumable: true },
      { ownText },
      { title: 'No claims', text: `${ownText} The last sync did not finish.` },
    ],
    [
      'after a sync that ended unverified',
      { ...never, lastReceipt: unverified },
      {},
      { text: 'The last sync could not be verified, and no claims were received.' },
    ],
    [
      'for a reason of its own, after one that ended unverified',
      { ...never, lastReceipt: unverified },
      { ownText },
      { text: ownText },
    ],
    [
      'while the first rows arrive',
      running,
      {},
      { title: 'No claims yet', next: null, text: 'Sync in progress. Rows appear as they arrive.' },
    ],
    ['while a list waits for the end of the sync', running, { ownText, waitText }, { text: waitText }],
    [
      'during a later sync',
      { ...synced, running: running.running },
      { ownText, waitText },
      { title: 'No claims', text: `${ownText} Sync in progress.` },
    ],
  ])('%s', (_when, status, more, said) => {
    expect(describeEmptyList({ many: 'claims', status, isOffline: false, ...more })).toMatchObject(said);
  });
});

describe('what a list leaves out', () => {
  const of = (entity: 'members' | 'claims', includesArchived: boolean, includesMissing: boolean) =>
    describeLeftOut(entity, { includesArchived, includesMissing });

  it('is shown until everything is requested', () => {
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
])('says for what nothing was found', (search, conditions, said) => {
  expect(describeNoMatch({ search, conditions }, synced)).toBe(said);
  expect(describeNoMatch({ search, conditions }, undefined)).toBe(said);
  expect(describeNoMatch({ search, conditions }, running)).toBe(
    `${said} No sync is complete yet, so some records may be missing.`,
  );
});
