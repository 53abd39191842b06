import { defaultSettings } from '../../src/contract/settings.ts';
import type { Decision } from '../../src/rules/review/decision.ts';
import { openComputer, workspaceId } from './review-computer.ts';
import { decisionOf } from './review-files.ts';
import { makeTempFolder } from './temp-profile.ts';
import { updateStore, usualRules } from './update-store.ts';

const service = 'https://claims.example.com';
const ana = { id: 70, first_name: 'Ana', last_name: 'Cole', employer: { id: 7, name: 'Acme' } };

/** A claim of one number, provider and day, in dollars; `lines`: the deductible of each of its lines. */
export const claimOf = (id: number, number: string, dollars: number, more: object = {}) => ({
  ...{ id, status: 'Processed', vendor_system_id: number, members: [ana], patient_name: 'Ana Cole' },
  ...{ service_provider: 'Dr. Ray', service_provider_npi: '1234567893', processed_on: `2026-02-0${id % 10}` },
  ...{ date_of_service: { start: '2026-01-05', end: '2026-01-06', bounds: '[]' } },
  ...{ amount_billed: dollars, amount_not_covered: 0, amount_paid_other: 0, amount_paid: 0 },
  ...{ reduction: dollars, patient_responsibility: dollars, coinsurance_patient: 0, copayment: 0 },
  claim_medical_lines: linesOf([['99213', dollars]]),
  ...more,
});
export const linesOf = (lines: readonly (readonly [string, number])[]) =>
  lines.map(([procedure_code, amount]) => ({
    ...{ procedure_code, amount_billed: amount, reduction: amount, patient_responsibility: amount },
    ...{ coinsurance_patient: 0, copayment: 0 },
    date_of_service: { start: '2026-01-05', end: '2026-01-06', bounds: '[]' },
  }));

/** A computer with reviews and runs of the claims of one member. */
export function openRuns() {
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => (nowMs += 1000) };
  const getSettings = () => ({
    ...{ ...defaultSettings, service, team: null },
    reviewsFrom: { [workspaceId]: '2000-01-01' },
  });
  const one = openComputer(makeTempFolder(), 'ada', clock, clock.now, undefined, undefined, getSettings);
  const { reviews, opened } = one;
  opened.ingest('members', [ana]);
  const update = async () => {
    await reviews.updateAfterSync(workspaceId);
    updateStore(opened, '2026-03-01', { ...usualRules, service });
  };
  const decide = (claimId: number, outcome: Decision['outcome']) =>
    reviews.act(workspaceId, { claimIds: [claimId] }, decisionOf(outcome as never));
  const make = async (corrections = true) => {
    const { selectionId } = await reviews.freezeList(workspaceId, 'all', null);
    const wanted = { name: 'Corrections', account: '', offsets: !corrections, corrections };
    return (await reviews.makeRun(workspaceId, { selectionId, ...wanted })).eventId ?? '';
  };
  const send = (runId: string) => reviews.stepRun(workspaceId, runId, { kind: 'send', file: null });
  const record = (runId: string) =>
    reviews.stepRun(workspaceId, runId, { kind: 'record', day: '2026-03-02' });
  return {
    ...{ one, reviews, update, decide, make, send, record },
    async arrive(...claims: object[]) {
      opened.ingest('claims', claims);
      await update();
    },
    /** Sends what differs and is told that it is paid. The claim and amount of each row of the run. */
    async sendAll() {
      const runId = await make();
      await send(runId);
      const { rows } = await reviews.readRun(workspaceId, runId);
      await record(runId);
      await update();
      return rows.map(({ claimId, amount }) => [claimId, amount / 10_000]);
    },
    close: () => {
      one.file.close();
      opened.readerConnection.close();
      opened.database.close();
    },
  };
}
