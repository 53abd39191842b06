import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../../../../src/main/engine/store/file/connection.ts';
import { openRecords } from '../../../../../src/main/engine/store/record/open-records.ts';
import { writeRetentionRules } from '../../../../../src/main/engine/store/sync/retention.ts';
import { packEntries } from '../../../../../src/main/engine/store/sync/seen-entries.ts';
import {
  type FinishedPass,
  type RunState,
  writeRun,
} from '../../../../../src/main/engine/store/sync/sync-state.ts';
import { answerLoss } from '../../../../../src/main/engine/sync/run-sync.ts';
import { createFakeClock } from '../../../../support/engine-service.ts';
import { openStoreAt } from '../../../../support/engine-store.ts';
import { createListService, givenStore, records, syncOnce } from '../../../../support/engine-sync.ts';
import { copyOldRecords } from '../../../../support/old-records.ts';

const perPage = 50;
const clock = createFakeClock();
const at = new Date(clock.now()).toISOString();

const passOf = (kind: 'members' | 'claims', pass: number, count: number): FinishedPass => ({
  ...{ kind, pass, count, total: count, pages: Math.ceil(count / perPage), isSteady: true },
  ...{ digest: `${kind} by their rows`, startedAt: at, finishedAt: at },
});

/** Writes what a pass of version 0.1 kept of its pages: keys and digests of rows. */
function keepPages(file: Connection, kind: 'members' | 'claims', keys: readonly number[]): void {
  const keep = file.prepare(
    'INSERT INTO sync_pages (kind, pass, page, hash, facts, entries) VALUES (?,?,?,?,?,?)',
  );
  const digestOf = file.prepare(`SELECT digest FROM ${kind} WHERE id=?`).pluck();
  for (let page = 1; (page - 1) * perPage < keys.length; page += 1) {
    const entries = keys
      .slice((page - 1) * perPage, page * perPage)
      .map((key) => ({ isRecord: true, key, digest: digestOf.get(key) as Buffer }));
    const hash = createHash('sha256').update(`${page}`).digest();
    for (const pass of [1, 2]) keep.run(kind, pass, page, hash, '{}', packEntries(entries));
  }
}

/** Records of version 0.1 in which a run stands where it was interrupted, updated. `seen` claims have been read. */
function givenInterrupted(
  run: (counts: { members: number; claims: number }) => Partial<RunState>,
  seen: number,
) {
  const { filePath, key, sent, remove } = copyOldRecords('lakeside');
  onTestFinished(remove);
  const old = openRecords(filePath, key);
  // Nothing is missing and nothing left out: what the service sends is what is here.
  old.exec('UPDATE members SET gone_since=NULL; UPDATE claims SET gone_since=NULL; DELETE FROM set_aside');
  writeRetentionRules(old, { claimsBefore: null, memberIds: [] });
  writeRun(old, null);
  writeRun(old, {
    ...{ runId: 'old', startedAt: at, kind: 'claims', pass: 2, nextPage: 3, perPage },
    ...{
      passes: [],
      passStartedAt: at,
      total: sent.claims.length,
      isSteady: true,
      pages: 9,
      failedRequests: 0,
    },
    ...{ failures: [], isFirst: false, isPaused: true, lossQuestion: null },
    ...run({ members: sent.members.length, claims: sent.claims.length }),
  });
  keepPages(
    old,
    'members',
    sent.members.map(({ id }) => id),
  );
  keepPages(
    old,
    'claims',
    sent.claims.slice(0, seen).map(({ id }) => id),
  );
  old.close();
  const members = [...sent.members];
  const claims = [...sent.claims];
  const store = givenStore(openStoreAt(filePath, key));
  return { store, service: createListService({ members, claims, maxPerPage: perPage }) };
}

const noChanges = { new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 };

test('a proof that was interrupted by the update begins with the first page again, and nothing is changed', async () => {
  const { store, service } = givenInterrupted(
    ({ members, claims }) => ({
      passes: [passOf('members', 1, members), passOf('claims', 1, claims), passOf('members', 2, members)],
    }),
    100,
  );
  const { receipt } = await syncOnce(store, service, { clock, runId: 'new' });
  expect(service.requests[0]).toMatchObject({ kind: 'members', page: 1 });
  expect(receipt).toMatchObject({ outcome: 'complete', proof: 'complete', passes: 4, changes: noChanges });
});

test('a first read that was interrupted by the update stays a first read: what is new is only counted', async () => {
  const { store, service } = givenInterrupted(
    ({ members }) => ({ pass: 1, isFirst: true, passes: [passOf('members', 1, members)] }),
    100,
  );
  service.claims.push(...records(1, 30));
  const { receipt } = await syncOnce(store, service, { clock, runId: 'new' });
  expect(receipt).toMatchObject({ outcome: 'complete', changes: { ...noChanges, new: 30 } });
  expect((await store.read('listChanges', { runId: 'new', offset: 0, limit: 9 })).total).toBe(0);
});

test('a loss that waits for an answer can be accepted after the update, and nothing else is changed', async () => {
  const seen = 10;
  let missing = 0;
  const { store, service } = givenInterrupted(({ members, claims }) => {
    missing = claims - seen;
    return {
      nextPage: 1,
      passes: [1, 2].flatMap((pass) => [passOf('members', pass, members), passOf('claims', pass, seen)]),
      lossQuestion: { askedAt: at, losses: [{ list: 'claims', here: claims, missing }] },
    };
  }, seen);
  await store.write('renewDigests', null);
  const receipt = await answerLoss({ store, clock }, 'accept');
  expect(receipt).toMatchObject({ outcome: 'complete', claims: seen, changes: { ...noChanges, missing } });
  service.claims.splice(seen);
  const next = await syncOnce(store, service, { clock, runId: 'new' });
  expect(next.receipt).toMatchObject({ outcome: 'complete', changes: { ...noChanges, confirmed: missing } });
});
