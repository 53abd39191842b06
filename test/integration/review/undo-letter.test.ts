import { expect, onTestFinished, test } from 'vitest';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

test('the newest act overall is never a letter, whose file stays; the newest act on its claim is', async () => {
  const clock = { now: () => Date.parse('2026-11-16T09:00:00Z') };
  const { file, opened, operations, reviews } = openComputer(makeTempFolder(), 'a', clock);
  onTestFinished(() => file.close());
  opened.ingest('claims', [{ id: 1, status: 'Processed' }]);
  const target = { claimIds: [1] };
  const decided = await reviews.act(workspaceId, target, decisionOf('eligible'));
  const said = { outcome: null, cause: null, eligible: 0, declined: 0, reimbursed: 0, owed: 0 };
  const letter = { kind: 'letter', letter: 'disagrees', digest: '0'.repeat(64), said } as const;
  const made = await reviews.act(workspaceId, target, letter);
  expect(operations.findUndoable({ workspaceId, claimId: null })?.id).toBe(decided.eventId);
  expect(operations.findUndoable({ workspaceId, claimId: 1 })?.id).toBe(made.eventId);
});
