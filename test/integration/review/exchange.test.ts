import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/main/engine/store/file/database.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import type { ReviewEntry } from '../../../src/main/engine/store/user-data/write-event.ts';
import { openComputer, sharedFoldsOf, workspaceId } from '../../support/review-computer.ts';
import { decisionOf, entryOf, filePassphrase, sealEntries } from '../../support/review-files.ts';
import { testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const dayMs = 86_400_000;
const stamp = (ms: number): string => new Date(ms).toISOString();

/** A computer whose clock a test moves, with two claims. */
function openWithClaims(folder: string, name: string, clock = { ms: nowMs }) {
  const computer = openComputer(folder, name, { now: () => clock.ms });
  onTestFinished(() => computer.file.close());
  computer.opened.ingest(
    'claims',
    [1, 2].map((id) => ({ id, status: 'Processed', amount_paid: 10 })),
  );
  return { ...computer, name, clock };
}
type Computer = ReturnType<typeof openWithClaims>;

const entriesOf = ({ operations }: Computer): ReviewEntry[] =>
  operations.readReviewEntries({ workspaceId, after: null, limit: 10_000 }).entries;

async function giveFile(from: Computer, to: Computer) {
  return to.reviews.readFile(workspaceId, await sealEntries(entriesOf(from)), filePassphrase);
}
const decide = (computer: Computer, outcome: Parameters<typeof decisionOf>[0], claimId = 1) =>
  computer.reviews.act(workspaceId, { claimIds: [claimId] }, decisionOf(outcome));
const outcomeOf = async ({ reviews }: Computer, claimId = 1) =>
  (await reviews.get(workspaceId, claimId)).outcome;

test('what a newer version wrote is passed between computers, shown as such, and has no effect', async () => {
  const folder = makeTempFolder();
  const [second, third] = ['b', 'c'].map((name) => openWithClaims(folder, name)) as [Computer, Computer];
  await decide(second, 'eligible');
  const detail = JSON.stringify({ weight: 3 });
  const newer = [
    entryOf('vote', { kind: 'vote' }, { more: '{"seen":17}', claims: [[1, null, 'a mark', detail]] }),
    entryOf('undoing', { kind: 'takeBack' }, { undoes: entriesOf(second)[0]?.id ?? '' }),
    entryOf('parked', { ...decisionOf('eligible'), state: 'parked' }),
    entryOf('tagged', { kind: 'tag', add: ['appeal'], remove: [], color: 'red' }),
  ];
  const before = sharedFoldsOf(second);
  const report = await second.reviews.readFile(workspaceId, await sealEntries(newer), filePassphrase);
  expect(report).toMatchObject({ events: 4, known: 0, claims: 1, byKind: { newer: 3, tag: 1 } });
  const { tags, lastEventAt, ...rest } = sharedFoldsOf(second)[0] ?? ({} as never);
  expect({ ...rest, tags: [], lastEventAt: before[0]?.lastEventAt }).toEqual(before[0]);
  expect(tags).toEqual(['appeal']);
  const { events } = await second.reviews.listEvents({ workspaceId, claimId: 1, offset: 0, limit: 9 });
  expect(events.map(({ fact }) => fact.kind)).toEqual(
    ['decision', 'undoing', 'vote', 'tagged', 'parked'].map(
      (id) => ({ decision: 'decision', tagged: 'tag' })[id] ?? 'newer',
    ),
  );
  expect(events.find(({ fact }) => fact.kind === 'decision')?.isUndone).toBe(false);

  const parts: Buffer[] = [];
  await second.reviews.writeFile(workspaceId, filePassphrase, async (part) => void parts.push(part));
  await third.reviews.readFile(workspaceId, Buffer.concat(parts), filePassphrase);
  const arrived = entriesOf(third).filter(({ id }) => newer.some((one) => one.id === id));
  const asSent = newer.map((one) => ({ ...one, workspace_id: workspaceId, is_imported: 1, seen: null }));
  expect(arrived.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
    asSent.toSorted((a, b) => a.id.localeCompare(b.id)),
  );
  // A fact that was not understood can be a decision: this version makes none, and skips such claims in bulk.
  await expect(decide(second, 'disputed')).rejects.toMatchObject({ code: 'review.newer' });
  const done = await second.reviews.act(workspaceId, { claimIds: [1, 2] }, decisionOf('disputed'));
  expect(done).toMatchObject({ claims: 1, leftOut: [1] });
  await second.reviews.act(workspaceId, { claimIds: [1] }, { kind: 'note', text: 'Later.' });
});

test('an event whose kind does not match its fact invalidates the file', async () => {
  const computer = openWithClaims(makeTempFolder(), 'a');
  const file = await sealEntries([entryOf('x', { kind: 'tag' }, { kind: 'note' })]);
  await expect(computer.reviews.readFile(workspaceId, file, filePassphrase)).rejects.toMatchObject({
    code: 'review.notAFile',
  });
});

test('a file in a later format is distinguished from one that is not a reviews file', async () => {
  const computer = openWithClaims(makeTempFolder(), 'a');
  const later = Buffer.from('claimdesk reviews\n{"version":3,"cipher":"another"}\nwhat is in it');
  await expect(computer.reviews.readFile(workspaceId, later, filePassphrase)).rejects.toMatchObject({
    code: 'review.newerFile',
  });
});

test('if the app is killed between an import and its updates, claims of known events are updated at the next start', async () => {
  const computer = openWithClaims(makeTempFolder(), 'a');
  const tagged = (...ids: number[]) =>
    entryOf(
      'tagged',
      { kind: 'tag', add: ['appeal'], remove: [] },
      {
        claims: ids.map((id) => [id, null, null, null] as const),
      },
    );
  const rows = () =>
    computer.opened.database.prepare('SELECT claim_id, tags FROM claim_reviews ORDER BY 1').raw().all();
  const take = (...ids: number[]) =>
    computer.operations.importReviews({ workspaceId, entries: [tagged(...ids)], nowMs });
  take(1);
  await computer.reviews.updateOnce(workspaceId);
  take(1, 2);
  expect(rows()).toEqual([[1, 'appeal']]);
  await computer.start().updateOnce(workspaceId);
  expect(rows()).toEqual([
    [1, 'appeal'],
    [2, 'appeal'],
  ]);
  expect(computer.file.database.prepare('SELECT count(*) FROM claims_to_settle').pluck().get()).toBe(0);
});

test('a clock that is days ahead gives no precedence: its file is refused until the clock is right', async () => {
  const folder = makeTempFolder();
  const ahead = openWithClaims(folder, 'ahead', { ms: nowMs + 3 * dayMs });
  const [near, far] = ['near', 'far'].map((name) => openWithClaims(folder, name)) as [Computer, Computer];
  await decide(ahead, 'eligible');
  await expect(giveFile(ahead, near)).rejects.toMatchObject({ code: 'review.badDate' });
  expect(entriesOf(near)).toEqual([]);
  // A decision is made a day later, and the clock is corrected after that.
  for (const { clock } of [near, far]) clock.ms += dayMs;
  await decide(far, 'disputed');
  ahead.clock.ms = nowMs + dayMs - 60_000;
  await ahead.reviews.updateAfterSync(workspaceId);
  await giveFile(ahead, near);
  await giveFile(near, far);
  await giveFile(far, ahead);
  await giveFile(far, near);
  for (const computer of [near, far, ahead]) expect(await outcomeOf(computer)).toBe('disputed');
  expect(sharedFoldsOf(far)).toEqual(sharedFoldsOf(near));
  expect(sharedFoldsOf(ahead)).toEqual(sharedFoldsOf(near));
  // The time that its computer stamped goes on to others.
  const [decision] = entriesOf(far).filter(({ author }) => author === 'ahead@example.com');
  const at = stamp(nowMs + 3 * dayMs);
  expect(decision).toMatchObject({ at, folds_at: `${stamp(nowMs + dayMs - 60_000)} ${at}` });
});

test('once a clock is corrected, what it stamped before counts as made before', async () => {
  const computer = openWithClaims(makeTempFolder(), 'a', { ms: nowMs + 3 * dayMs });
  await decide(computer, 'eligible');
  computer.clock.ms = nowMs;
  await decide(computer, 'notEligible');
  expect(await outcomeOf(computer)).toBe('notEligible');
  expect(entriesOf(computer).map(({ at, folds_at }) => [at, folds_at])).toEqual([
    [stamp(nowMs + 3 * dayMs), `${stamp(nowMs)} ${stamp(nowMs + 3 * dayMs)}`],
    [stamp(nowMs + 1), null],
  ]);
  // Up to a day is no reason to doubt a clock.
  computer.clock.ms = nowMs - 100_000;
  await decide(computer, 'disputed');
  expect(entriesOf(computer).at(-1)).toMatchObject({ at: stamp(nowMs + 2), folds_at: null });
});

test('times are compared as times, whatever their text', async () => {
  const computer = openWithClaims(makeTempFolder(), 'a');
  const at = (id: string, text: string) => entryOf(id, { kind: 'tag', add: [id], remove: [] }, { at: text });
  const entries = [at('late', '2026-03-01T10:00:00.500Z'), at('early', '2026-03-01T10:00:00Z')];
  await computer.reviews.readFile(workspaceId, await sealEntries(entries), filePassphrase);
  await decide(computer, 'eligible');
  const { events } = await computer.reviews.listEvents({ workspaceId, offset: 0, limit: 9 });
  expect(
    events.map(({ fact, at: counts }) => [fact.kind === 'tag' ? fact.add[0] : fact.kind, counts]),
  ).toEqual([
    ['decision', stamp(nowMs)],
    ['late', '2026-03-01T10:00:00.500Z'],
    ['early', '2026-03-01T10:00:00.000Z'],
  ]);
});

test('times ahead in a file of an older version count as of when it is opened', async () => {
  const folder = makeTempFolder();
  const old = openDatabase(join(folder, 'a-ours.db'), testBytes(32));
  migrate(old, 'userData', { target: 5 });
  const put = old.prepare(
    `INSERT INTO review_events (seq, id, workspace_id, at, author, kind, fact, is_imported)
     VALUES (?, ?, ?, ?, 'dana@example.com', 'decision', ?, 1)`,
  );
  for (const [index, at] of [
    '2026-02-01T10:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '+010000-01-01T00:00:00.000Z',
  ].entries()) {
    put.run(index + 1, `old-${index}`, workspaceId, at, JSON.stringify(decisionOf('eligible')));
    old.prepare('INSERT INTO review_event_claims (claim_id, event_seq) VALUES (1, ?)').run(index + 1);
  }
  old.close();
  const computer = openWithClaims(folder, 'a');
  await computer.reviews.updateOnce(workspaceId);
  expect((await computer.reviews.get(workspaceId, 1)).reviewedAt).toBe(stamp(nowMs));
  await decide(computer, 'disputed');
  expect(await outcomeOf(computer)).toBe('disputed');
  expect(entriesOf(computer).map(({ folds_at }) => folds_at)).toEqual([
    '2026-02-01T10:00:00.000Z',
    `${stamp(nowMs)} 2999-12-31T23:59:59.999Z`,
    `${stamp(nowMs)} 2999-12-31T23:59:59.999Z`,
    null,
  ]);
});
