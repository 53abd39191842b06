import { expect, test } from 'vitest';
import type { DeskError } from '../../../src/main/lib/errors.ts';
import { ordersOf } from '../../support/chain-claims.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { claimOf, openRuns } from '../../support/run-computer.ts';

const negative = { amount_billed: -1000, reduction: -1000, patient_responsibility: -1000 };
const original = claimOf(1, 'C10000', 1000);
const correction = claimOf(2, 'C10000-1', 800);
const reversal = claimOf(3, 'C10000', 1000, {
  ...negative,
  claim_medical_lines: original.claim_medical_lines.map((line) => ({ ...line, ...negative })),
});

/** Returns an act's result; null where it is refused because there is nothing to do. */
async function orNothing<T>(act: Promise<T>): Promise<T | null> {
  try {
    return await act;
  } catch (thrown) {
    expect(['run.empty', 'run.wrongStep']).toContain((thrown as DeskError).code);
    return null;
  }
}

/** Whether a run is sent before the next claim arrives, after that, or is recorded at once. */
const paces = ['sent later', 'sent', 'recorded'] as const;
const claims = [original, correction, reversal];
const cases = [false, true].flatMap((corrections) => [
  ...paces.map((pace) => ({ pace, corrections, isDecidedLast: false })),
  { pace: 'recorded', corrections, isDecidedLast: true } as const,
]);

test.each(cases)(
  'no run contains two claims of a chain in any order: $pace, corrections $corrections, decided last $isDecidedLast',
  async ({ pace, corrections, isDecidedLast }) => {
    for (const order of ordersOf(claims)) {
      const at = openRuns();
      const name = order.map(({ id }) => id).join();
      const open: string[] = [];
      const received = new Map<number, number>();

      const checkRun = async (runId: string) => {
        const { rows } = await at.reviews.readRun(workspaceId, runId);
        const held = rows.filter(({ state }) => state !== 'left');
        expect(held.length, name).toBeLessThanOrEqual(1);
        return held;
      };
      const sendRun = async (runId: string) => {
        await orNothing(at.send(runId));
        // A run that is sent later pays no claim that no longer counts.
        for (const { claimId, amount, state } of await checkRun(runId))
          if (state === 'sent' && amount > 0)
            expect((await at.reviews.get(workspaceId, claimId)).chain?.role ?? 'standing', name).toBe(
              'standing',
            );
      };
      const recordRun = async (runId: string) => {
        // Changes since the run was sent are accepted.
        await orNothing(at.reviews.stepRun(workspaceId, runId, { kind: 'record', day: '2026-03-02' }, 1));
        for (const { claimId, amount, state } of await checkRun(runId))
          if (state === 'recorded') received.set(claimId, (received.get(claimId) ?? 0) + amount / 10_000);
        await at.update();
      };
      const makeRun = async () => {
        const runId = await orNothing(at.make(corrections));
        if (runId === null) return;
        await checkRun(runId);
        if (pace !== 'sent later') await sendRun(runId);
        if (pace === 'recorded') await recordRun(runId);
        else open.push(runId);
      };
      const decide = async (id: number) => {
        await at.decide(id, 'eligible');
        await at.update();
        await makeRun();
      };

      for (const claim of order) {
        await at.arrive(claim);
        await makeRun();
        if (!isDecidedLast) await decide(claim.id);
      }
      if (isDecidedLast) for (const { id } of order.toReversed()) await decide(id);
      for (const runId of open) {
        if (pace === 'sent later') await sendRun(runId);
        await recordRun(runId);
      }
      // A last run sends what is left, and the next one has nothing.
      const last = await orNothing(at.make(corrections));
      if (last !== null) {
        await sendRun(last);
        await recordRun(last);
      }
      expect(await orNothing(at.make(corrections)), name).toBeNull();
      const sum = [...received.values()].reduce((all, one) => all + one, 0);
      // A run of corrections is needed to collect what was overpaid on the original.
      if (corrections) expect(sum, name).toBe(800);
      else expect([800, 1000], name).toContain(sum);
      at.close();
    }
  },
);
