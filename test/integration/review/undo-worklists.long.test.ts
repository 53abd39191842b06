import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReviewAct } from '../../../src/rules/review/event-kinds.ts';
import { worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { fuzzRuns } from '../../support/seeds.ts';
import { updateStore } from '../../support/update-store.ts';

const claimIds = [1, 2, 3, 4];
const today = '2026-03-01';
const decision = { kind: 'decision', outcome: null, onWhom: null, reason: null, reminder: null } as const;
const acts = {
  eligible: { ...decision, state: 'done', outcome: 'eligible' },
  disputed: { ...decision, state: 'done', outcome: 'disputed' },
  todo: { ...decision, state: 'todo' },
  waiting: { ...decision, state: 'waiting', onWhom: 'Carrier', reason: 'EOB' },
  due: { ...decision, state: 'waiting', onWhom: 'Carrier', reason: 'EOB', reminder: '2026-02-01' },
  escalated: { ...decision, state: 'escalated', onWhom: 'Lee', reason: 'High cost' },
  accept: { kind: 'accept' },
  note: { kind: 'note', text: 'Asked for the EOB' },
  flag: { kind: 'flag', isFlagged: true },
} as const satisfies Record<string, ReviewAct>;
type ActName = keyof typeof acts;

type Step =
  | { kind: 'act'; act: ActName; claims: number[] }
  | { kind: 'sync'; changed: number[] }
  /** The newest act, as by Ctrl+Z, or any event by its place, undoings among them. */
  | { kind: 'undo'; at: number | null };

const someClaims = fc.uniqueArray(fc.constantFrom(...claimIds), { minLength: 1, maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('act' as const),
    act: fc.constantFrom(...(Object.keys(acts) as ActName[])),
    claims: someClaims,
  }),
  fc.record({ kind: fc.constant('sync' as const), changed: someClaims }),
  fc.record({ kind: fc.constant('undo' as const), at: fc.option(fc.nat(9)) }),
);

/** An event of the model; `statuses` is what each claim was when it was done. */
interface ModelEvent {
  readonly id: string;
  readonly act: ActName | null;
  readonly undoes: string | null;
  readonly claims: readonly number[];
  readonly statuses: ReadonlyMap<number, string>;
}
interface Model {
  readonly events: ModelEvent[];
  readonly statuses: Map<number, string>;
  /** `event/claim`: the claim was found to be another one than when this event decided or accepted it. */
  readonly reopened: Set<string>;
}

const isUndone = ({ events }: Model, id: string): boolean =>
  events.some((one) => one.undoes === id && !isUndone({ events } as Model, one.id));

/** Returns a claim's decision, the event whose values it is compared with, and whether anything counts. */
function countingOf(model: Model, claimId: number) {
  let decided: ActName | null = null;
  let since: string | null = null;
  let isTouched = false;
  for (const { id, act, claims } of model.events) {
    if (act === null || !claims.includes(claimId) || isUndone(model, id)) continue;
    if (act === 'accept' && since === null) continue;
    isTouched = true;
    if (acts[act].kind === 'decision') decided = act;
    if (acts[act].kind === 'decision' || act === 'accept') since = id;
  }
  return { decided, since, isTouched };
}

/** Whether a claim has the values of an act already: the act is then not recorded for it. */
function isRepeated(model: Model, claimId: number, act: ActName): boolean {
  const { decided, since } = countingOf(model, claimId);
  if (acts[act].kind === 'decision') return decided === act && !model.reopened.has(`${since}/${claimId}`);
  const flags = model.events.filter((event) => event.act === 'flag' && event.claims.includes(claimId));
  return act === 'flag' && flags.some(({ id }) => !isUndone(model, id));
}

function compareModel(model: Model): void {
  for (const claimId of claimIds) {
    const { since } = countingOf(model, claimId);
    const reviewed = model.events.find(({ id }) => id === since)?.statuses.get(claimId);
    if (reviewed !== undefined && reviewed !== model.statuses.get(claimId))
      model.reopened.add(`${since}/${claimId}`);
  }
}

function worklistsOf(model: Model, claimId: number): string[] {
  const { decided, since, isTouched } = countingOf(model, claimId);
  const isChanged = model.reopened.has(`${since}/${claimId}`);
  const isDone = (decided === 'eligible' || decided === 'disputed') && !isChanged;
  const waits = decided === 'waiting' || decided === 'due';
  const isBack = waits && (isChanged || decided === 'due');
  const isRejected = model.statuses.get(claimId) === 'Rejected';
  if (isChanged) return ['changed'];
  if (decided === 'escalated') return ['waiting', 'escalated'];
  if (waits) return isBack ? ['back', 'waiting'] : ['waiting'];
  if (isDone) return [];
  if (isRejected) return ['denied'];
  return isTouched ? ['toDecide'] : ['new', 'toDecide'];
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-undo-'));
  let nowMs = Date.parse(`${today}T12:00:00Z`);
  const { opened, reviews, file } = openComputer(folder, 'a', { now: () => nowMs });
  const model: Model = {
    events: [],
    statuses: new Map(claimIds.map((id) => [id, 'Processed'])),
    reopened: new Set(),
  };
  const sync = async (): Promise<void> => {
    const claims = claimIds.map((id) => ({
      id,
      status: model.statuses.get(id),
      date_of_service: { start: `2026-01-0${id}`, end: `2026-01-0${id}`, bounds: '[]' },
      patient_name: `Dana Cole ${id}`,
      service_provider: 'Lakeside Clinic',
      claim_medical_lines: [{ id: id * 10, procedure_code: 'G0439' }],
      reduction: 10,
      copayment: 20 + id,
      coinsurance_patient: 0,
      patient_responsibility: 30 + id,
    }));
    opened.ingest('claims', claims);
    await reviews.updateAfterSync(workspaceId);
    compareModel(model);
  };
  try {
    await sync();
    for (const one of steps) {
      nowMs += 60_000;
      if (one.kind === 'act') {
        const act: ReviewAct = acts[one.act];
        const claims = one.claims.filter((claimId) => !isRepeated(model, claimId, one.act));
        const done = await reviews.act(workspaceId, { claimIds: one.claims }, act);
        expect(done.unchanged, JSON.stringify(one)).toBe(one.claims.length - claims.length);
        const { eventId: id } = done;
        if (id !== null)
          model.events.push({ id, act: one.act, undoes: null, claims, statuses: new Map(model.statuses) });
      } else if (one.kind === 'sync') {
        for (const id of one.changed)
          model.statuses.set(id, model.statuses.get(id) === 'Rejected' ? 'Processed' : 'Rejected');
        await sync();
      } else {
        const counting = model.events.filter(({ id }) => !isUndone(model, id));
        const undone =
          one.at === null
            ? counting.findLast(({ act }) => act !== null)
            : counting[one.at % Math.max(1, counting.length)];
        if (one.at === null) expect((await reviews.findUndoable(workspaceId))?.id).toBe(undone?.id);
        if (undone === undefined) continue;
        const { eventId } = await reviews.undo(workspaceId, undone.id);
        const { claims, statuses } = undone;
        model.events.push({ id: eventId as string, act: null, undoes: undone.id, claims, statuses });
        compareModel(model);
      }
      updateStore(opened, today);
      const ids = ['new', 'toDecide', 'changed', 'back', 'waiting', 'escalated', 'denied'] as const;
      const lists = ids.map((id) => [id, opened.list(worklistQuery(id))] as const);
      for (const claimId of claimIds)
        expect(
          lists.filter(([, claims]) => claims.includes(claimId)).map(([id]) => id),
          `claim ${claimId} after ${JSON.stringify(one)}`,
        ).toEqual(worklistsOf(model, claimId));
    }
  } finally {
    file.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('after any acts, syncs and undos, a claim is in the worklists given by its record and the acts that count', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), runSteps), {
    numRuns: fuzzRuns(15),
  });
});
