import { expect, test } from 'vitest';
import type { RunLayout } from '../../../src/rules/review/run-layout.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { claimOf, linesOf, openRuns } from '../../support/run-computer.ts';

const nothing = { code: 'run.empty' };
const layoutOf = (
  rows: RunLayout['rows'],
  ...fields: RunLayout['columns'][number]['field'][]
): RunLayout => ({
  ...{ rows, format: 'csv', delimiter: ',', dates: 'YYYY-MM-DD', amounts: '1234.50' },
  columns: fields.map((field) => ({ field, header: field })),
});

test('a correction of a claim that was sent and paid sends the difference, once', async () => {
  const at = openRuns();
  await at.arrive(claimOf(1, 'C10000', 1000));
  await at.decide(1, 'eligible');
  expect(await at.sendAll()).toEqual([[1, 1000]]);
  await at.arrive(claimOf(2, 'C10000-1', 800));
  // Nothing is sent until the correction is decided.
  await expect(at.make()).rejects.toMatchObject(nothing);
  await at.decide(2, 'eligible');
  const runId = await at.make();
  const { first } = await at.reviews.previewRun({
    workspaceId,
    ...{ runId, layout: layoutOf('claim', 'claim', 'amount', 'disposition', 'original') },
  });
  expect(first).toEqual([['2', '-200.00', 'Changed', expect.stringMatching(/^[0-9A-F]{8}-1$/)]]);
  await at.send(runId);
  await at.record(runId);
  await at.update();
  expect(await at.reviews.get(workspaceId, 2)).toMatchObject({ open: 0, owed: 0 });
  await expect(at.make()).rejects.toMatchObject(nothing);
  // A second correction, which is higher, and then a reversal of everything.
  await at.arrive(claimOf(3, 'C10000-2', 900));
  await at.decide(3, 'eligible');
  expect(await at.sendAll()).toEqual([[3, 100]]);
  await expect(at.make()).rejects.toMatchObject(nothing);
  at.close();
});

test('a reversal deducts what was sent, and a correction next to it sends its own amount', async () => {
  const at = openRuns();
  const negative = { amount_billed: -900, reduction: -900, patient_responsibility: -900 };
  const lines = claimOf(4, 'C10000', 900).claim_medical_lines.map((line) => ({ ...line, ...negative }));
  await at.arrive(claimOf(3, 'C10000', 900));
  await at.decide(3, 'eligible');
  expect(await at.sendAll()).toEqual([[3, 900]]);
  await at.arrive(claimOf(4, 'C10000', 900, { ...negative, claim_medical_lines: lines }));
  // It needs no decision: no claim of the chain counts.
  expect(await at.sendAll()).toEqual([[3, -900]]);
  await expect(at.make()).rejects.toMatchObject(nothing);
  await at.arrive(claimOf(5, 'C10000-1', 650));
  await at.decide(5, 'eligible');
  expect(await at.sendAll()).toEqual([[5, 650]]);
  await expect(at.make()).rejects.toMatchObject(nothing);
  at.close();
});

test('a correction waits while its original is in a sent run, and neither a disputed nor a written-off amount is reclaimed', async () => {
  const at = openRuns();
  await at.arrive(claimOf(1, 'C10000', 1000));
  await at.decide(1, 'eligible');
  const sent = await at.make();
  await at.send(sent);
  await at.arrive(claimOf(2, 'C10000-1', 700));
  await at.decide(2, 'eligible');
  await expect(at.make()).rejects.toMatchObject(nothing);
  const { selectionId } = await at.reviews.freezeList(workspaceId, 'all', null);
  expect((await at.reviews.estimateRun({ workspaceId, selectionId })).listed).toContainEqual({
    ...{ claimId: 2, reason: 'inRun', run: 'Corrections' },
  });
  await at.reviews.stepRun(workspaceId, sent, { kind: 'record', day: '2026-03-02' }, 1);
  await at.update();
  await at.decide(2, 'disputed');
  await at.update();
  expect(await at.sendAll()).toEqual([[2, -300]]);
  await at.decide(2, 'notEligible');
  const off = { kind: 'payment', payment: 'writtenOff', day: '2026-03-03', account: 'Small' } as const;
  await at.reviews.act(workspaceId, { claimIds: [2] }, { ...off, amount: 1_000_000 });
  await at.update();
  expect(await at.sendAll()).toEqual([[2, -600]]);
  await expect(at.make()).rejects.toMatchObject(nothing);
  at.close();
});

test('a file by claim line has the eligible amount of each line, and a row for what belongs to no line', async () => {
  const at = openRuns();
  const lines = linesOf([
    ['99213', 20],
    ['36415', 40],
  ]);
  await at.arrive(
    claimOf(1, 'C1', 60, { claim_medical_lines: lines }),
    claimOf(2, 'C2', 60, { claim_medical_lines: lines }),
    claimOf(3, 'C3', 60, { claim_medical_lines: lines }),
  );
  await at.decide(1, 'eligible');
  const partly = { ...decisionOf('eligible'), outcome: 'partlyEligible' } as const;
  const byLine = { by: 'lines', lines: [{ line: 1, amount: 150_000 }] } as const;
  await at.reviews.act(workspaceId, { claimIds: [2] }, { ...partly, partly: byLine } as never);
  const byAmount = { by: 'amount', amount: 100_000 } as const;
  await at.reviews.act(workspaceId, { claimIds: [3] }, { ...partly, partly: byAmount } as never);
  await at.update();
  const runId = await at.make();
  const layout = layoutOf('line', 'claim', 'line', 'procedure', 'amount');
  expect((await at.reviews.previewRun({ workspaceId, runId, layout })).first).toEqual([
    ['1', '1', '99213', '20.00'],
    ['1', '2', '36415', '40.00'],
    ['2', '1', '99213', '0.00'],
    ['2', '2', '36415', '15.00'],
    ['3', 'Not by line', '99213, 36415', '10.00'],
  ]);
  at.close();
});
