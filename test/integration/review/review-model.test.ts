import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReviewAct } from '../../../src/rules/review/event-kinds.ts';
import { madeLetter } from '../../support/made-letter.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { fuzzRuns } from '../../support/seeds.ts';

const claimCount = 4;
const outcomes = ['eligible', 'notEligible', 'disputed'] as const;

type Step =
  | { kind: 'decide'; on: number; claims: number[]; outcome: number }
  | { kind: 'wait'; on: number; claims: number[] }
  | { kind: 'accept'; on: number; claims: number[] }
  | { kind: 'pay'; on: number; claims: number[]; amount: number }
  | { kind: 'note'; on: number; claims: number[]; text: string }
  | { kind: 'deleteNote'; on: number; claims: number[] }
  | { kind: 'tag'; on: number; claims: number[]; tag: string; isAdded: boolean }
  | { kind: 'reminder'; on: number; claims: number[]; day: string | null }
  | { kind: 'judge'; on: number; claims: number[]; isDuplicate: boolean }
  | { kind: 'letter'; on: number; claims: number[]; digit: number }
  | { kind: 'undo'; on: number; claim: number | null }
  | { kind: 'change'; claim: number; isMaterial: boolean }
  | { kind: 'sync' | 'restart' | 'crash'; on: number }
  | { kind: 'remove'; on: number; claim: number }
  | { kind: 'import'; on: number; isFile: boolean };

const on = fc.integer({ min: 0, max: 1 });
const claim = fc.integer({ min: 1, max: claimCount });
const someClaims = fc.uniqueArray(claim, { minLength: 1, maxLength: claimCount });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('decide' as const), on, claims: someClaims, outcome: fc.nat(2) }),
  fc.record({ kind: fc.constant('wait' as const), on, claims: someClaims }),
  fc.record({ kind: fc.constant('accept' as const), on, claims: someClaims }),
  fc.record({
    kind: fc.constant('pay' as const),
    on,
    claims: someClaims,
    amount: fc.integer({ min: 1, max: 9 }).map((cents) => cents * 100),
  }),
  fc.record({
    kind: fc.constant('note' as const),
    on,
    claims: someClaims,
    text: fc.constantFrom('one', 'two', 'three'),
  }),
  fc.record({ kind: fc.constant('deleteNote' as const), on, claims: fc.tuple(claim) }),
  fc.record({
    kind: fc.constant('tag' as const),
    on,
    claims: someClaims,
    tag: fc.constantFrom('a', 'b'),
    isAdded: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('reminder' as const),
    on,
    claims: someClaims,
    day: fc.constantFrom('2026-02-01', '2026-12-01', null),
  }),
  fc.record({
    kind: fc.constant('judge' as const),
    on,
    claims: fc.uniqueArray(claim, { minLength: 2, maxLength: 2 }),
    isDuplicate: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('letter' as const), on, claims: fc.tuple(claim), digit: fc.nat(9) }),
  fc.record({ kind: fc.constant('undo' as const), on, claim: fc.option(claim) }),
  fc.record({ kind: fc.constant('change' as const), claim, isMaterial: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('sync' as const, 'restart' as const, 'crash' as const), on }),
  fc.record({ kind: fc.constant('remove' as const), on, claim }),
  fc.record({ kind: fc.constant('import' as const), on, isFile: fc.boolean() }),
);

/** A claim as the service has it now; `version` goes up with every change. */
interface ServiceClaim {
  paid: number;
  remarks: number;
  version: number;
}
/** The same as a computer read it, and when. */
interface ReadClaim extends Readonly<ServiceClaim> {
  readonly readAt: number;
}
/** Returns whether the service sends a date of a claim's last change; for half of them it does not. */
const hasModified = (claimId: number): boolean => claimId % 2 === 1;
const markOf = (claimId: number, { paid, remarks, version }: ReadClaim): string =>
  `${paid} ${remarks} ${hasModified(claimId) ? version : ''}`;
const isOlder = (claimId: number, here: ReadClaim, kept: ReadClaim): boolean =>
  hasModified(claimId) && here.version !== kept.version
    ? here.version < kept.version
    : here.readAt < kept.readAt;

/** An act in the model. `values` is what each claim was when it was done. */
interface ModelAct {
  readonly id: string;
  readonly order: number;
  readonly step: Step;
  readonly undoes: string | null;
  /** The act that wrote the note, for the deletion of one. */
  readonly note: string | null;
  readonly values: ReadonlyMap<number, ReadClaim>;
}
/** A computer's state: acts with the claims that they are still about there, and decisions found changed. */
interface ModelComputer {
  readonly acts: Map<string, { act: ModelAct; isMadeHere: boolean; claims: Set<number> }>;
  /** The reopenings by `decision/claim` and by the mark of the new record: that record, and their order. */
  readonly reopened: Map<string, Map<string, { readonly order: number; readonly found: ReadClaim }>>;
  readonly synced: Map<number, ReadClaim>;
}

const isUndone = ({ acts }: ModelComputer, id: string): boolean =>
  [...acts.values()].some(({ act }) => act.undoes === id && !isUndone({ acts } as ModelComputer, act.id));

function expectedOf(computer: ModelComputer, claimId: number) {
  const acts = [...computer.acts.values()]
    .filter(({ act, claims }) => claims.has(claimId) && act.undoes === null && !isUndone(computer, act.id))
    .map(({ act }) => act)
    .sort((a, b) => a.order - b.order);
  let state: string | null = null;
  let outcome: string | null = null;
  let current: string | null = null;
  let reimbursed = 0;
  let reminder: string | null = null;
  let notes: { id: string; text: string }[] = [];
  const letters: string[] = [];
  const tags = new Set<string>();
  const duplicates = new Map<number, boolean>();
  for (const { id, step: one, note } of acts) {
    if (one.kind === 'pay') reimbursed += one.amount;
    if (one.kind === 'decide')
      [state, outcome, current, reminder] = ['done', outcomes[one.outcome] ?? null, id, null];
    if (one.kind === 'wait') [state, outcome, current, reminder] = ['waiting', null, id, null];
    if (one.kind === 'accept' && current !== null) current = id;
    if (one.kind === 'note') notes.push({ id, text: one.text });
    if (one.kind === 'deleteNote') notes = notes.filter((known) => known.id !== note);
    if (one.kind === 'letter') letters.push(madeLetter(one.digit).digest);
    if (one.kind === 'tag') one.isAdded ? tags.add(one.tag) : tags.delete(one.tag);
    if (one.kind === 'reminder') reminder = one.day;
    if (one.kind === 'judge')
      duplicates.set(one.claims.find((other) => other !== claimId) ?? 0, one.isDuplicate);
  }
  if (current !== null && computer.reopened.has(`${current}/${claimId}`))
    [state, outcome] = [state === 'waiting' ? 'back' : 'todo', null];
  if (state === 'waiting' && reminder !== null && reminder < '2026-03-01') state = 'back';
  const written = {
    notes: notes.map(({ text }) => text),
    tags: [...tags].sort(),
    letters,
    reminder,
    duplicates: [...duplicates].sort(([a], [b]) => a - b),
  };
  return { state, outcome, reimbursed, current, written };
}

/**
 * After a sync, an undoing or an import: what counts, or what reopened it last, is compared with what the computer has,
 * which reopens it where it is the newer record.
 */
function compareModel(computer: ModelComputer, nextOrder: () => number): void {
  for (const [claimId, here] of computer.synced) {
    const { current } = expectedOf(computer, claimId);
    if (current === null) continue;
    const name = `${current}/${claimId}`;
    const reopenings = computer.reopened.get(name) ?? new Map();
    const [last] = [...reopenings.values()].sort((a, b) => b.order - a.order);
    const kept = last?.found ?? computer.acts.get(current)?.act.values.get(claimId);
    if (kept === undefined || kept.paid === here.paid || isOlder(claimId, here, kept)) continue;
    const mark = markOf(claimId, here);
    if (!reopenings.has(mark)) reopenings.set(mark, { order: nextOrder(), found: here });
    computer.reopened.set(name, reopenings);
  }
}

/** Imports a file of reviews. An act of this computer that is still here gets no claims back. */
function importModel(to: ModelComputer, from: ModelComputer): void {
  for (const [id, { act, claims }] of from.acts) {
    const here = to.acts.get(id);
    if (here?.isMadeHere === true) continue;
    to.acts.set(id, { act, isMadeHere: false, claims: new Set([...claims, ...(here?.claims ?? [])]) });
  }
  for (const [name, reopenings] of from.reopened) {
    const known = to.reopened.get(name) ?? new Map();
    for (const [mark, one] of reopenings)
      if ((known.get(mark)?.order ?? Number.POSITIVE_INFINITY) > one.order) known.set(mark, one);
    to.reopened.set(name, known);
  }
}

const claimAt = (id: number, { paid, remarks, version }: ServiceClaim) => ({
  id,
  status: 'Processed',
  date_of_service: { start: '2026-01-05', end: '2026-01-05', bounds: '[]' },
  patient_name: 'Dana Cole',
  amount_paid: paid,
  remarks: `remark ${remarks}`,
  ...(hasModified(id) ? { modifieddate: `2026-01-06T10:00:${String(version).padStart(2, '0')}.000Z` } : {}),
});

const decision = { kind: 'decision', onWhom: null, reason: null, reminder: null } as const;
function actOf(one: Step, [, other = 0]: readonly number[], noteId: string | null): ReviewAct {
  switch (one.kind) {
    case 'decide':
      return { ...decision, state: 'done', outcome: outcomes[one.outcome] ?? 'eligible' };
    case 'wait':
      return { ...decision, state: 'waiting', outcome: null, onWhom: 'Lee', reason: 'EOB' };
    case 'pay': {
      const { amount } = one;
      return { kind: 'payment', payment: 'reimbursed', amount, day: '2026-03-01', account: '' };
    }
    case 'note':
      return { kind: 'note', text: one.text };
    case 'deleteNote':
      return { kind: 'deleteNote', noteId: noteId ?? '' };
    case 'tag':
      return { kind: 'tag', add: one.isAdded ? [one.tag] : [], remove: one.isAdded ? [] : [one.tag] };
    case 'letter':
      return madeLetter(one.digit);
    case 'reminder':
      return { kind: 'reminder', day: one.day };
    case 'judge':
      return { kind: 'judgeDuplicate', otherClaimId: other, isDuplicate: one.isDuplicate };
    default:
      return { kind: 'accept' };
  }
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-review-model-'));
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => nowMs };
  const computers = ['a', 'b'].map((name) => openComputer(folder, name, clock));
  const models: ModelComputer[] = computers.map(() => ({
    acts: new Map(),
    reopened: new Map(),
    synced: new Map(),
  }));
  const service = new Map<number, ServiceClaim>();
  for (let id = 1; id <= claimCount; id += 1) service.set(id, { paid: 10, remarks: 0, version: 0 });
  let order = 0;
  const nextOrder = (): number => {
    order += 1;
    return order;
  };
  let isFileTried = false;

  const sync = async (index: number): Promise<void> => {
    const [computer, model] = [computers[index], models[index]] as const;
    if (computer === undefined || model === undefined) return;
    computer.opened.ingest(
      'claims',
      [...service].map(([id, one]) => claimAt(id, one)),
    );
    computer.opened.write.markClaimsRead(new Date(nowMs).toISOString());
    for (const [id, one] of service) model.synced.set(id, { ...one, readAt: nowMs });
    await computer.reviews.updateAfterSync(workspaceId);
    compareModel(model, nextOrder);
  };
  const know = (
    index: number,
    id: string,
    one: Step,
    claims: number[],
    undoes: string | null,
    note: string | null = null,
  ): void => {
    const model = models[index] as ModelComputer;
    const values = new Map(
      claims.flatMap((claimId) => {
        const here = model.synced.get(claimId);
        return here === undefined ? [] : [[claimId, here] as const];
      }),
    );
    const act = { id, order: nextOrder(), step: one, undoes, note, values };
    model.acts.set(id, { act, isMadeHere: true, claims: new Set(claims) });
  };

  try {
    await sync(0);
    await sync(1);
    for (const one of steps) {
      nowMs += 60_000;
      if (one.kind === 'change') {
        const changed = service.get(one.claim) as ServiceClaim;
        // The values are few, so that a claim is sometimes as it was when it was reviewed.
        if (one.isMaterial) changed.paid = 10 + ((changed.paid - 9) % 2);
        else changed.remarks += 1;
        changed.version += 1;
        continue;
      }
      const computer = computers[one.on] as (typeof computers)[number];
      const model = models[one.on] as ModelComputer;
      const { reviews } = computer;
      const here = 'claims' in one ? one.claims.filter((id) => model.synced.has(id)) : [];
      if ('claims' in one && here.length === 0) continue;
      switch (one.kind) {
        case 'decide':
        case 'wait':
        case 'accept':
        case 'pay':
        case 'note':
        case 'tag':
        case 'reminder':
        case 'judge':
        case 'letter':
        case 'deleteNote': {
          // A pair is judged where both are; a note is deleted where there is one.
          if (one.kind === 'judge' && here.length < 2) break;
          const shown = await reviews.get(workspaceId, here[0] ?? 0);
          const note = one.kind === 'deleteNote' ? shown.notes.at(-1) : undefined;
          if (one.kind === 'deleteNote' && note === undefined) break;
          const noteId = note?.id ?? null;
          if (note !== undefined && !note.author.startsWith(one.on === 0 ? 'a@' : 'b@')) {
            const deleting = reviews.act(workspaceId, { claimIds: here }, actOf(one, here, noteId));
            await expect(deleting).rejects.toMatchObject({ code: 'review.notYours' });
            break;
          }
          const claimIds = one.kind === 'judge' ? here.slice(0, 1) : here;
          const { eventId } = await reviews.act(workspaceId, { claimIds }, actOf(one, here, noteId));
          know(one.on, eventId as string, one, here, null, noteId);
          break;
        }
        case 'undo': {
          const found = await reviews.findUndoable(workspaceId, one.claim);
          if (found === null) break;
          // Its file stays, so that a letter is undone on its claim alone.
          if (one.claim === null) expect(found.fact.kind).not.toBe('letter');
          const known = model.acts.get(found.id);
          expect(known, 'what is offered to be undone').toBeDefined();
          const { eventId } = await reviews.undo(workspaceId, found.id);
          know(one.on, eventId as string, one, [...(known?.claims ?? [])], found.id);
          compareModel(model, nextOrder);
          break;
        }
        case 'sync':
          await sync(one.on);
          break;
        case 'crash':
          // The records file is behind the events: rows and mark of the reviews are lost.
          computer.opened.database.exec(
            "DELETE FROM claim_reviews WHERE claim_id%2=0; DELETE FROM sync_state WHERE name='reviews'",
          );
          computer.reviews = computer.start();
          break;
        case 'restart':
          computer.reviews = computer.start();
          break;
        case 'remove':
          computer.operations.forgetWritten({ workspaceId, claimIds: [one.claim] });
          computer.operations.appendAudit({
            record: { action: 'records.removed', workspaceId, details: {} },
            at: new Date(nowMs).toISOString(),
            actor: null,
            key: computer.key,
          });
          computer.opened.database.exec(
            `DELETE FROM claims WHERE id=${one.claim}; DELETE FROM claim_lines WHERE parent=${one.claim};
             DELETE FROM claim_members WHERE parent=${one.claim}; DELETE FROM claim_reviews;
             DELETE FROM sync_state WHERE name='reviews'`,
          );
          computer.reviews = computer.start();
          model.synced.delete(one.claim);
          for (const [id, { claims }] of model.acts) {
            claims.delete(one.claim);
            if (claims.size === 0) model.acts.delete(id);
          }
          for (const name of model.reopened.keys())
            if (name.endsWith(`/${one.claim}`)) model.reopened.delete(name);
          break;
        case 'import': {
          const from = 1 - one.on;
          const sender = models[from] as ModelComputer;
          const sending = computers[from] as (typeof computers)[number];
          // The real file is handed over once: making its key takes long on purpose.
          if (one.isFile && !isFileTried) {
            isFileTried = true;
            const parts: Buffer[] = [];
            const passphrase = 'a long passphrase';
            await sending.reviews.writeFile(workspaceId, passphrase, async (part) => void parts.push(part));
            await reviews.readFile(workspaceId, Buffer.concat(parts), passphrase);
          } else {
            const wanted = { workspaceId, after: null, limit: 10_000 };
            const { entries } = sending.operations.readReviewEntries(wanted);
            computer.operations.importReviews({ workspaceId, entries, nowMs });
          }
          importModel(model, sender);
          await reviews.updateAfterSync(workspaceId);
          compareModel(model, nextOrder);
          break;
        }
      }
      await computer.reviews.updateOnce(workspaceId);
      const rows = computer.opened.database
        .prepare('SELECT claim_id, state, outcome, reimbursed FROM claim_reviews')
        .all() as {
        claim_id: number;
        state: string | null;
        outcome: string | null;
        reimbursed: number | null;
      }[];
      for (const claimId of model.synced.keys()) {
        const { state, outcome, reimbursed, written } = expectedOf(model, claimId);
        const listed = rows.find((row) => row.claim_id === claimId);
        expect(
          {
            state: listed?.state ?? null,
            outcome: listed?.outcome ?? null,
            reimbursed: listed?.reimbursed ?? 0,
          },
          `claim ${claimId} on ${one.on} after ${JSON.stringify(one)}`,
        ).toEqual({ state, outcome, reimbursed });
        const shown = await computer.reviews.get(workspaceId, claimId);
        expect([shown.state, shown.outcome, shown.reimbursed]).toEqual([
          state ?? 'todo',
          outcome,
          reimbursed,
        ]);
        expect(
          {
            notes: shown.notes.map(({ text }) => text),
            tags: shown.tags,
            letters: shown.letters.map(({ digest }) => digest),
            reminder: shown.reminder,
            duplicates: shown.duplicates
              .map(({ otherClaimId, isDuplicate }) => [otherClaimId, isDuplicate] as const)
              .sort(([a], [b]) => a - b),
          },
          `claim ${claimId} on ${one.on} after ${JSON.stringify(one)}`,
        ).toEqual(written);
      }
    }
  } finally {
    for (const { file } of computers) file.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('any sequence of acts, undos, payments, syncs, removals, restarts and imports gives what a simple model gives', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), runSteps), {
    numRuns: fuzzRuns(8),
  });
});
