import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkFile } from '../../../src/main/engine/review/check-file.ts';
import { readKnownTime } from '../../../src/main/engine/review/known-time.ts';
import type { ReviewEntry } from '../../../src/main/engine/store/user-data/write-event.ts';
import type { DeskError } from '../../../src/main/lib/errors.ts';
import type { ReviewedValues } from '../../../src/rules/review/reviewed-values.ts';
import { openComputer, sharedFoldsOf, workspaceId } from '../../support/review-computer.ts';
import { fuzzRuns } from '../../support/seeds.ts';

const claimIds = [1, 2, 3];
const names = ['a', 'b', 'c'] as const;
const [minuteMs, dayMs] = [60_000, 86_400_000];
const outcomes = ['eligible', 'notEligible', 'disputed'] as const;

/** How far each clock is off, and whether the service has told its own time. */
const clocks = fc.tuple(
  ...names.map(() =>
    fc.record({
      offMs: fc.constantFrom(0, 90_000, -90_000, 3 * dayMs, -5 * dayMs),
      isKnown: fc.boolean(),
    }),
  ),
);
const on = fc.nat(names.length - 1);
const claim = fc.constantFrom(...claimIds);
const step = fc.oneof(
  fc.record({ kind: fc.constant('decide' as const), on, claim, outcome: fc.nat(2) }),
  fc.record({ kind: fc.constantFrom('wait' as const, 'accept' as const, 'flag' as const), on, claim }),
  fc.record({
    kind: fc.constantFrom('undo' as const, 'sync' as const, 'restart' as const, 'setClock' as const),
    on,
  }),
  fc.record({ kind: fc.constant('change' as const), claim, isMaterial: fc.boolean() }),
  fc.record({ kind: fc.constant('give' as const), on, to: on }),
);

interface ServiceClaim {
  paid: number;
  version: number;
}
/** Returns a claim as the service sends it; claim 3 has no date of its last change. */
const claimAt = (id: number, { paid, version }: ServiceClaim, trueMs: number) => ({
  id,
  status: 'Processed',
  amount_paid: paid,
  // Remarks are kept with a review and never reopen it: they show the test which record it was.
  remarks: `${version}`,
  ...(id === 3 ? {} : { modifieddate: new Date(trueMs).toISOString() }),
});

async function runSteps([offsets, steps]: [
  { offMs: number; isKnown: boolean }[],
  (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-exchange-model-'));
  let trueMs = Date.parse('2026-03-01T12:00:00Z');
  const off = offsets.map(({ offMs }) => offMs);
  const computers = names.map((name, index) =>
    openComputer(
      folder,
      name,
      { now: () => trueMs },
      () => trueMs + (offsets[index]?.isKnown === true ? 0 : (off[index] ?? 0)),
    ),
  );
  const changedAt = new Map<number, number>();
  const service = new Map<number, ServiceClaim>(claimIds.map((id) => [id, { paid: 10, version: 0 }]));
  const entriesOf = (index: number): ReviewEntry[] =>
    computers[index]?.operations.readReviewEntries({ workspaceId, after: null, limit: 10_000 }).entries ?? [];
  const sync = async (index: number): Promise<void> => {
    const computer = computers[index] as (typeof computers)[number];
    computer.opened.ingest(
      'claims',
      [...service].map(([id, one]) => claimAt(id, one, changedAt.get(id) ?? 0)),
    );
    computer.opened.write.markClaimsRead(new Date(trueMs).toISOString());
    await computer.reviews.updateAfterSync(workspaceId);
  };
  const give = async (from: number, to: number): Promise<void> => {
    const receiver = computers[to] as (typeof computers)[number];
    const nowMs = await readKnownTime(
      {
        now: () => trueMs + (offsets[to]?.isKnown === true ? 0 : (off[to] ?? 0)),
        getStore: async () => receiver.store,
      },
      workspaceId,
    );
    const entries = entriesOf(from);
    try {
      const { leftOut, lackingHere } = await checkFile(
        Readable.from(entries.map((entry) => ({ ...entry, signer: null }))),
        nowMs,
        async (some) => receiver.operations.findKnownEntries({ workspaceId, entries: some }),
        () => undefined,
        () => null,
      );
      expect([leftOut.size, lackingHere.size]).toEqual([0, 0]);
    } catch (thrown) {
      // One of the two clocks is off by days.
      expect((thrown as DeskError).code).toBe('review.badDate');
      return;
    }
    receiver.operations.importReviews({ workspaceId, entries, nowMs });
    await receiver.reviews.updateAfterSync(workspaceId);
  };
  /** Exchanges until no computer has anything that another lacks. */
  const exchangeAll = async (): Promise<void> => {
    let before = '';
    for (let round = 0; round < 8; round += 1) {
      for (const from of names.keys()) for (const to of names.keys()) if (from !== to) await give(from, to);
      const after = JSON.stringify(names.map((_name, index) => entriesOf(index)));
      if (after === before) return;
      before = after;
    }
    throw new Error('computers have something new for each other without end');
  };
  const foldsOf = (index: number) => sharedFoldsOf(computers[index] as (typeof computers)[number]);

  try {
    for (const index of names.keys()) await sync(index);
    for (const one of steps) {
      trueMs += minuteMs;
      if (one.kind === 'change') {
        const changed = service.get(one.claim) as ServiceClaim;
        if (one.isMaterial) changed.paid = 10 + ((changed.paid - 9) % 2);
        changed.version += 1;
        changedAt.set(one.claim, trueMs);
        continue;
      }
      const computer = computers[one.on] as (typeof computers)[number];
      const { reviews } = computer;
      const decision = { kind: 'decision', onWhom: null, reason: null, reminder: null } as const;
      const act = (wanted: Parameters<typeof reviews.act>[2]) =>
        reviews.act(workspaceId, { claimIds: 'claim' in one ? [one.claim] : [] }, wanted);
      if (one.kind === 'decide')
        await act({ ...decision, state: 'done', outcome: outcomes[one.outcome] ?? 'eligible' });
      if (one.kind === 'wait')
        await act({ ...decision, state: 'waiting', outcome: null, onWhom: 'Lee', reason: 'EOB' });
      if (one.kind === 'accept') await act({ kind: 'accept' });
      if (one.kind === 'flag') await act({ kind: 'flag', isFlagged: true });
      if (one.kind === 'undo') {
        const found = await reviews.findUndoable(workspaceId);
        if (found !== null) await reviews.undo(workspaceId, found.id);
      }
      if (one.kind === 'sync') await sync(one.on);
      if (one.kind === 'restart') computer.reviews = computer.start();
      // The user corrects the clock.
      if (one.kind === 'setClock') off[one.on] = 0;
      if (one.kind === 'give' && one.to !== one.on) await give(one.on, one.to);
    }

    trueMs += minuteMs;
    off.fill(0);
    for (const { reviews } of computers) await reviews.updateAfterSync(workspaceId);
    await exchangeAll();
    for (const index of names.keys()) expect(foldsOf(index), names[index]).toEqual(foldsOf(0));

    // A review was reopened by records that are newer than its own alone, and each of them once on a computer.
    const entries = entriesOf(0);
    const keptIn = (id: string | undefined, claimId: number): ReviewedValues => {
      const entry = entries.find((known) => known.id === id);
      const row = entry?.claims.find(([known]) => known === claimId);
      return JSON.parse(row?.[1] ?? '') as ReviewedValues;
    };
    const reopened = entries.filter(({ kind }) => kind === 'reopened');
    const found = reopened.map(({ id, author, claims: [row] }) => {
      const [claimId, , digest, detail] = row ?? ([0, null, null, null] as const);
      const { since } = JSON.parse(detail ?? '') as { since: string };
      const [before, after] = [keptIn(since, claimId), keptIn(id, claimId)];
      expect(Number(after.fields.remarks)).toBeGreaterThan(Number(before.fields.remarks));
      return `${author} ${claimId} ${since} ${digest}`;
    });
    expect(new Set(found).size).toBe(found.length);

    // Once all have the newest records, what changed since a review must be reviewed again everywhere.
    for (const index of names.keys()) await sync(index);
    await exchangeAll();
    for (const index of names.keys()) expect(foldsOf(index), names[index]).toEqual(foldsOf(0));
    entries.splice(0, entries.length, ...entriesOf(0));
    for (const review of foldsOf(0)) {
      const { claimId, reviewedIn, changedAt: isReopened } = review;
      if (reviewedIn === null) continue;
      const { fields } = keptIn(reviewedIn, claimId);
      if (fields.amount_paid !== service.get(claimId)?.paid) expect(isReopened).not.toBeNull();
      for (const computer of computers)
        expect((await computer.reviews.get(workspaceId, claimId)).olderRecord).toBeNull();
    }
  } finally {
    for (const { file } of computers) file.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A slow clock that knows of no service time puts what the other two did at one time, in the order of their clocks. */
const slowAndFast: Parameters<typeof runSteps>[0] = [
  [-5 * dayMs, 0, 3 * dayMs].map((offMs) => ({ offMs, isKnown: false })),
  [
    { kind: 'change', claim: 1, isMaterial: true },
    { kind: 'decide', on: 2, claim: 1, outcome: 0 },
    { kind: 'decide', on: 0, claim: 1, outcome: 0 },
    { kind: 'sync', on: 1 },
  ],
];

test('computers with different syncs and clocks, in any order of exchange, agree once the clocks are right, and reopen what the service changed since', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(clocks, fc.array(step, { minLength: 10, maxLength: 30 })), runSteps),
    { numRuns: fuzzRuns(12), examples: [[slowAndFast]] },
  );
});
