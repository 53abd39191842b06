import { expect, onTestFinished, test } from 'vitest';
import type { ReviewAct } from '../../../src/rules/review/event-kinds.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

test('a claim stays done on its day, counted as reopened, after it is done again; on one day the last decision counts', async () => {
  const folder = makeTempFolder();
  let nowMs = new Date(2026, 10, 16, 9).getTime();
  const { opened, reviews, file } = openComputer(folder, 'a', { now: () => nowMs });
  onTestFinished(() => file.close());
  const claimOf = (id: number, paid: number) => ({ id, status: 'Processed', amount_paid: paid });
  const done = (outcome: 'eligible' | 'noAction') =>
    ({ kind: 'decision', state: 'done', outcome, onWhom: null, reason: null, reminder: null }) as const;
  const open = { kind: 'decision', state: 'todo', outcome: null, onWhom: null, reason: null, reminder: null };
  const act = (claimIds: number[], what: object) => reviews.act(workspaceId, { claimIds }, what as ReviewAct);
  opened.ingest('claims', [claimOf(1, 10), claimOf(2, 10), claimOf(3, 10), claimOf(4, 10)]);

  await act([1, 2, 3, 4], done('noAction'));
  await act([1, 2], done('eligible'));
  await act([3], open);
  const { eventId } = await act([4], open);
  await reviews.undo(workspaceId, eventId as string);
  const monday = [
    { day: '2026-11-16', outcome: 'eligible', claims: 2, reopened: 0 },
    { day: '2026-11-16', outcome: 'noAction', claims: 1, reopened: 0 },
  ];
  expect(await reviews.sumDone(workspaceId)).toEqual(monday);

  nowMs += 86_400_000;
  opened.ingest('claims', [claimOf(1, 11), claimOf(2, 12), claimOf(3, 13)]);
  await reviews.updateAfterSync(workspaceId);
  const reopened = [{ ...monday[0], reopened: 2 }, monday[1]];
  expect(await reviews.sumDone(workspaceId)).toEqual(reopened);
  await act([1], done('noAction'));
  await act([2], { kind: 'accept' });
  expect(await reviews.sumDone(workspaceId)).toEqual([
    { day: '2026-11-17', outcome: 'eligible', claims: 1, reopened: 0 },
    { day: '2026-11-17', outcome: 'noAction', claims: 1, reopened: 0 },
    ...reopened,
  ]);
});

test('an event that can’t be read stops neither the reviews nor the sums of other claims, and its claim shows that', async () => {
  const clock = { now: () => new Date(2026, 10, 16, 9).getTime() };
  const { opened, reviews, file, operations } = openComputer(makeTempFolder(), 'a', clock);
  onTestFinished(() => file.close());
  opened.ingest('claims', [
    { id: 1, status: 'Processed' },
    { id: 2, status: 'Processed' },
  ]);
  await reviews.act(workspaceId, { claimIds: [1, 2] }, decisionOf('eligible'));
  file.database.exec("UPDATE stored_claims SET detail='{odd' WHERE claim_id=1");
  const [one, other] = operations.foldReviews({ workspaceId, claimIds: [1, 2] });
  expect(one).toMatchObject({ state: null, failure: expect.stringMatching(/^Review: unexpected error/) });
  expect(other).toMatchObject({ state: 'done', failure: null });
  expect(await reviews.sumDone(workspaceId)).toMatchObject([{ outcome: 'eligible', claims: 1 }]);
});
