import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunStep } from '../../../src/contract/run-procedures.ts';
import { isInRun } from '../../../src/main/engine/review/run-totals.ts';
import { DeskError } from '../../../src/main/lib/errors.ts';
import { sumPayments } from '../../../src/rules/money/reimbursement.ts';
import { isOpenIn } from '../../../src/rules/review/run-facts.ts';
import { openComputer, sharedFoldsOf, workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { fuzzRuns } from '../../support/seeds.ts';

const claimIds = [1, 2, 3];
const on = fc.nat(1);
const claim = fc.constantFrom(...claimIds);
const pick = fc.nat(5);
const step = fc.oneof(
  fc.record({ kind: fc.constant('decide' as const), on, claim, isEligible: fc.boolean() }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('make' as const), on, offsets: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('check' as const, 'send' as const, 'record' as const, 'back' as const),
      on,
      pick,
    }),
  },
  fc.record({ kind: fc.constant('leave' as const), on, pick, claim }),
  fc.record({
    kind: fc.constantFrom('undo' as const, 'sync' as const, 'restart' as const, 'crash' as const),
    on,
  }),
  fc.record({ kind: fc.constant('change' as const), claim, dollars: fc.constantFrom(10, 20, 30) }),
  fc.record({ kind: fc.constant('remove' as const), on, claim }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('give' as const), on }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const claimOf = (id: number, dollars: number) => ({
  ...{ id, status: 'Processed', amount_paid: 10, amount_not_covered: 0, amount_paid_other: 0 },
  members: [{ id: id % 2, last_name: 'Cole', employer: { id: 7, name: 'Acme' } }],
  ...{ reduction: dollars, patient_responsibility: dollars, coinsurance_patient: 0, copayment: 0 },
});
/** The codes with which a run refuses a step because of its state. */
const refused = ['run.wrongStep', 'run.laterStep', 'run.empty', 'run.unknown', 'review.notYours'];

type Computer = ReturnType<typeof openComputer>;

/** On a computer each number of a run is the sum of its claims, and no claim is in two open runs or paid more than was ever eligible. */
async function checkRuns(computer: Computer, most: ReadonlyMap<number, number>): Promise<void> {
  const { reviews, operations } = computer;
  const runs = await reviews.listRuns(workspaceId);
  const folds = operations.foldReviews({ workspaceId, claimIds: null });
  for (const { id, claims, amount, state } of runs) {
    const parts = folds.flatMap((review) =>
      review.runs.filter((one) => one.id === id && isInRun(one)).map((one) => ({ ...one, review })),
    );
    const sum = parts.reduce((before, one) => before + one.amount, 0);
    expect([claims, amount]).toEqual([parts.length, sum]);
    const run = await reviews.getRun({ workspaceId, runId: id });
    expect([run.claims, run.amount, run.state]).toEqual([claims, amount, state]);
    for (const of of [run.totals.employers, run.totals.members])
      expect(of.reduce((before, one) => before + one.amount, 0)).toBe(amount);
    const recorded = parts.filter((one) => one.state === 'recorded');
    for (const one of recorded)
      expect(one.review.payments.filter(({ run: of }) => of === id).map((paid) => paid.amount)).toEqual([
        Math.abs(one.amount),
      ]);
  }
  for (const { claimId, runs: ofClaim, payments } of folds) {
    expect(ofClaim.filter(({ state }) => isOpenIn(state)).length).toBeLessThanOrEqual(1);
    const paid = payments.filter(({ run }) => run !== undefined);
    expect(sumPayments(paid.map(({ payment, amount }) => ({ kind: payment, amount })))).toBeLessThanOrEqual(
      most.get(claimId) ?? 0,
    );
  }
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-runs-model-'));
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const computers = ['a', 'b'].map((name) => openComputer(folder, name, { now: () => nowMs }));
  const service = new Map(claimIds.map((id) => [id, 10 * id]));
  /** The most that was ever eligible of each claim. */
  const most = new Map(claimIds.map((id) => [id, 100_000 * id]));
  const sync = async (computer: Computer) => {
    computer.opened.ingest(
      'claims',
      [...service].map(([id, dollars]) => claimOf(id, dollars)),
    );
    computer.opened.write.markClaimsRead(new Date(nowMs).toISOString());
    await computer.reviews.updateAfterSync(workspaceId);
  };
  const give = async (from: Computer, to: Computer) => {
    const { entries } = from.operations.readReviewEntries({ workspaceId, after: null, limit: 10_000 });
    to.operations.importReviews({ workspaceId, entries, nowMs });
    await to.reviews.updateAfterSync(workspaceId);
  };
  const take = async (computer: Computer, at: number, wanted: RunStep) => {
    const runs = await computer.reviews.listRuns(workspaceId);
    const run = runs[at % Math.max(1, runs.length)];
    if (run !== undefined) await computer.reviews.stepRun(workspaceId, run.id, wanted, 1000);
  };
  const act = async (one: Exclude<Step, { kind: 'change' }>, computer: Computer): Promise<void> => {
    const { reviews, operations, opened } = computer;
    switch (one.kind) {
      case 'decide':
        await reviews.act(
          workspaceId,
          { claimIds: [one.claim] },
          decisionOf(one.isEligible ? 'eligible' : 'disputed'),
        );
        return;
      case 'make': {
        const { selectionId } = await reviews.freezeList(workspaceId, 'all', null);
        await reviews.makeRun(workspaceId, { selectionId, name: 'Run', account: '', offsets: one.offsets });
        return;
      }
      case 'check':
        return take(computer, one.pick, { kind: 'check' });
      case 'send':
        return take(computer, one.pick, { kind: 'send', file: null });
      case 'record':
        return take(computer, one.pick, { kind: 'record', day: '2026-03-02' });
      case 'back':
        return take(computer, one.pick, { kind: 'back', reason: 'Again' });
      case 'leave':
        return take(computer, one.pick, { kind: 'leaveOut', claimIds: [one.claim], reason: 'Closed' });
      case 'undo': {
        const found = await reviews.findUndoable(workspaceId);
        if (found !== null) await reviews.undo(workspaceId, found.id);
        return;
      }
      case 'sync':
        return sync(computer);
      case 'restart':
        computer.reviews = computer.start();
        return;
      case 'crash':
        // The records file is behind the events: rows and mark of the reviews are lost.
        opened.database.exec(
          "DELETE FROM claim_reviews WHERE claim_id%2=0; DELETE FROM sync_state WHERE name='reviews'",
        );
        computer.reviews = computer.start();
        return;
      case 'remove':
        operations.forgetWritten({ workspaceId, claimIds: [one.claim] });
        opened.database.exec(
          `DELETE FROM claims WHERE id=${one.claim}; DELETE FROM claim_members WHERE parent=${one.claim};
           DELETE FROM claim_reviews;
           DELETE FROM sync_state WHERE name='reviews'`,
        );
        computer.reviews = computer.start();
        return;
      case 'give':
        return give(computers[1 - one.on] as Computer, computer);
    }
  };
  try {
    for (const computer of computers) {
      await sync(computer);
      await computer.reviews.act(workspaceId, { claimIds }, decisionOf('eligible'));
    }
    for (const one of steps) {
      nowMs += 60_000;
      if (one.kind === 'change') {
        service.set(one.claim, one.dollars);
        most.set(one.claim, Math.max(most.get(one.claim) ?? 0, one.dollars * 10_000));
        continue;
      }
      const computer = computers[one.on] as Computer;
      await act(one, computer).catch((thrown) => {
        const { code } = thrown as DeskError;
        // A removed claim, and a step that the state of the run does not allow.
        if (!(thrown instanceof DeskError) || ![...refused, 'record.unknown'].includes(code)) throw thrown;
      });
      await checkRuns(computer, most);
    }
    const [a, b] = computers as [Computer, Computer];
    for (const [from, to] of [
      [a, b],
      [b, a],
      [a, b],
    ] as const)
      await give(from, to);
    for (const computer of computers) await checkRuns(computer, most);
    // A removal on one computer only leaves the two different.
    if (steps.some(({ kind }) => kind === 'remove')) return;
    expect(sharedFoldsOf(a).map(({ claimId, runs, payments }) => ({ claimId, runs, payments }))).toEqual(
      sharedFoldsOf(b).map(({ claimId, runs, payments }) => ({ claimId, runs, payments })),
    );
  } finally {
    for (const { file } of computers) file.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('whatever happens on two computers, a run is the sum of its claims, and no claim is in two open runs or paid twice by them', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), runSteps), {
    numRuns: fuzzRuns(8),
  });
});
