import { expect, onTestFinished, test } from 'vitest';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

/** A computer on which claims 1 and 2 were each decided by an act of its own. */
async function openDecided() {
  let nowMs = Date.parse('2026-11-16T09:00:00Z');
  const clock = { now: () => nowMs };
  const computer = openComputer(makeTempFolder(), 'a', clock);
  onTestFinished(() => computer.file.close());
  computer.opened.ingest('claims', [
    { id: 1, status: 'Processed' },
    { id: 2, status: 'Processed' },
  ]);
  const ids: string[] = [];
  for (const claimId of [1, 2]) {
    nowMs += 60_000;
    const acted = await computer.reviews.act(workspaceId, { claimIds: [claimId] }, decisionOf('eligible'));
    ids.push(acted.eventId as string);
  }
  const [odd, good] = ids as [string, string];
  return { ...computer, odd, good };
}

/** The parts of claim 1's event that can be damaged. */
const damages = [
  ['fact', "UPDATE stored_events SET fact='{odd' WHERE seq=(SELECT seq FROM review_events WHERE id=?)"],
  ['receipt', "UPDATE stored_events SET receipt='{odd' WHERE seq=(SELECT seq FROM review_events WHERE id=?)"],
  [
    'detail',
    "UPDATE stored_claims SET detail='{odd' WHERE event_seq=(SELECT seq FROM review_events WHERE id=?)",
  ],
] as const;

test.each(damages)(
  'an event whose %s can’t be read does not stop the history of others',
  async (what, sql) => {
    const { file, operations, odd, good } = await openDecided();
    file.database.prepare(sql).run(odd);
    const { events, total } = operations.listReviewEvents({
      workspaceId,
      claimId: null,
      offset: 0,
      limit: 10,
    });
    expect([total, events.map(({ event }) => event.id)]).toEqual([2, [good, odd]]);
    expect(events.map(({ event }) => event.fact.kind)).toEqual([
      'decision',
      what === 'fact' ? 'unreadable' : 'decision',
    ]);
    const own = operations.listReviewEvents({ workspaceId, claimId: 1, offset: 0, limit: 10 });
    expect(own.events).toMatchObject([{ event: { id: odd } }]);
    expect(operations.listUnsentActs({ workspaceId })).toEqual([good, odd]);
    // The claim of a damaged fact or detail is in Exceptions, by what its review says.
    if (what === 'receipt') return;
    const [one, other] = operations.foldReviews({ workspaceId, claimIds: [1, 2] });
    expect(one).toMatchObject({ state: null, failure: expect.stringMatching(/^Review: unexpected error/) });
    expect(other).toMatchObject({ state: 'done', failure: null });
  },
);

test('an undo that can’t be read undoes nothing, and does not stop the list of what can be undone', async () => {
  const { file, operations, reviews, odd, good } = await openDecided();
  await reviews.undo(workspaceId, odd);
  file.database.exec("UPDATE stored_events SET fact='{odd' WHERE undoes IS NOT NULL");
  expect(operations.findUndoable({ workspaceId, claimId: null })?.id).toBe(good);
  expect(operations.findUndoable({ workspaceId, claimId: 1 })?.id).toBe(odd);
});

test.each(damages)(
  'an event whose %s can’t be read does not stop a checkpoint of others',
  async (_what, sql) => {
    const { file, operations, odd } = await openDecided();
    file.database.exec('UPDATE stored_events SET number=seq');
    file.database.prepare(sql).run(odd);
    const seqs = file.database.prepare('SELECT seq FROM review_events ORDER BY seq').pluck().all();
    const counting = operations.readCounting({ workspaceId, upTo: 100, computer: 'a', after: null });
    expect(counting.seqs.toSorted()).toEqual(seqs);
  },
);

test.each(damages.slice(1))(
  'a reopening whose %s can not be read does not stop the comparison of others',
  async (_what, sql) => {
    const { file, operations, odd, good } = await openDecided();
    const doubt = file.database.prepare(
      'INSERT INTO team_doubts (workspace_id, id, is_denied) VALUES (?, ?, 0)',
    );
    for (const id of [odd, good]) doubt.run(workspaceId, id);
    file.database.prepare(sql).run(odd);
    expect(operations.listDoubts({ workspaceId, after: '', limit: 10 })).toMatchObject([{ id: good }]);
  },
);
