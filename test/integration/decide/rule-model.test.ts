import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../src/contract/settings.ts';
import { digestAmountRules } from '../../../src/main/engine/review/digest-amount-rules.ts';
import { createReviews } from '../../../src/main/engine/review/reviews.ts';
import { factRulesOf } from '../../../src/main/engine/store/worklists/claim-facts.ts';
import type { DecisionRule } from '../../../src/rules/decide/decision-rule.ts';
import type { ReviewedValues } from '../../../src/rules/review/reviewed-values.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { fuzzRuns, seedFrom } from '../../support/seeds.ts';
import { updateStore } from '../../support/update-store.ts';

/**
 * Rules against a plain model: random rules, claims, decisions, syncs, undos, and restarts. No claim is decided that its rule's
 * conditions do not meet, none twice, none that a person works on; a replay of what rules did is what they did; one undo is as before.
 */
const today = '2026-11-20';
const claimCount = 5;
const settings = {
  ...defaultSettings,
  service: 'https://claims.example.com',
  team: null,
  reviewsFrom: { [workspaceId]: '2000-01-01' },
};
const amountRules = digestAmountRules(settings);

/** A claim of the service: what the rules of this test depend on. */
interface Claim {
  readonly copay: number;
  readonly network: string | null;
  readonly isRejected: boolean;
  readonly version: number;
}
const toRecord = (id: number, { copay, network, isRejected, version }: Claim) => ({
  ...{ id, status: isRejected ? 'Rejected' : 'Processed', is_incomplete: false, network },
  ...{ vendor_system_id: `N${id}000000`, type: { name: 'medical', type_id: 1 } },
  ...{ patient_name: `Pat${String.fromCharCode(65 + id)} Edwards`, service_provider: `Clinic ${id}` },
  members: [{ id, employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[)', start: `2026-03-0${id}`, end: `2026-03-0${id + 1}` },
  ...{
    createddate: '2026-03-05T10:00:00Z',
    processed_on: '2026-04-01',
    modifieddate: `2026-05-01T10:00:00.${String(version).padStart(6, '0')}Z`,
  },
  ...{
    amount_billed: 100 + id,
    amount_allowed: 100 + id,
    amount_paid: 100 + id - copay,
    amount_not_covered: 0,
  },
  ...{ reduction: 0, copayment: copay, coinsurance_patient: 0, patient_responsibility: copay },
  claim_medical_lines: [{ id: id * 10, procedure_code: `G04${id}9`, amount_billed: 100 + id }],
});

/** How many claims were decided, taken and undone in all runs, so that the runs are known to have any. */
const made = { done: 0, taken: 0, undone: 0 };

type Step =
  | {
      kind: 'rule';
      at: number;
      most: number;
      network: string;
      act: number;
      state: DecisionRule['state'];
      perDay: number;
    }
  | { kind: 'change'; claim: number; copay: number; network: string | null; isRejected: boolean }
  | { kind: 'decide' | 'own' | 'inReview' | 'take' | 'undoOne'; claim: number }
  | { kind: 'undoRule'; at: number }
  | { kind: 'sync' | 'restart' };
const claim = fc.integer({ min: 1, max: claimCount });
const copay = fc.constantFrom(0, 10, 20, 40);
const network = fc.constantFrom('IN', 'OUT');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rule' as const),
      at: fc.nat(1),
      most: fc.constantFrom(10, 20, 100),
      network,
      act: fc.nat(3),
      state: fc.constantFrom<DecisionRule['state']>('off', 'watch', 'propose', 'do', 'do'),
      perDay: fc.constantFrom(1, 2, 100),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      claim,
      copay,
      network: fc.option(network),
      isRejected: fc.boolean(),
    }),
  },
  fc.record({
    kind: fc.constantFrom(
      'decide' as const,
      'own' as const,
      'inReview' as const,
      'take' as const,
      'undoOne' as const,
    ),
    claim,
  }),
  fc.record({ kind: fc.constant('undoRule' as const), at: fc.nat(1) }),
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('sync' as const, 'sync' as const, 'restart' as const) }),
  },
);

const acts: readonly DecisionRule['act'][] = [
  { kind: 'eligible' },
  { kind: 'notEligible', cause: 'Not covered' },
  { kind: 'partly', partly: { by: 'share', percent: 50 } },
  { kind: 'tag', tag: 'routine' },
];
const idOf = (at: number): string => `00000000-0000-4000-8000-00000000000${at}`;

function toRule(of: Extract<Step, { kind: 'rule' }>, version: number): DecisionRule {
  const { at, most, state, perDay } = of;
  return {
    ...{ id: idOf(at), version, name: `Rule ${at}`, state, employers: [], most: most * 10_000 },
    conditions: [{ field: 'network', operator: 'is', values: [of.network] }],
    act: acts[of.act] as DecisionRule['act'],
    perDay: { claims: perDay, amount: 1_000_000_000 },
    ...{
      secondLook: 5,
      since: '2026-11-01T00:00:00.000Z',
      by: 'lead@example.com',
      confirmedBy: null,
      amountRules,
    },
  };
}

async function run(steps: readonly Step[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-rules-'));
  const ends: (() => void)[] = [];
  let nowMs = Date.parse(`${today}T12:00:00Z`);
  const clock = { now: () => nowMs };
  const { opened, operations, store, userData, start } = openComputer(
    folder,
    'one',
    clock,
    clock.now,
    undefined,
    (end) => ends.push(end),
    () => settings,
  );
  const rules = new Map<number, DecisionRule>();
  const inOrder = () => [...rules].sort(([a], [b]) => a - b).map(([, rule]) => rule);
  const proposing = () => inOrder().filter(({ state }) => state === 'propose' || state === 'do');
  const open = () => {
    const from = start();
    void from;
    return createReviews({
      ...{ clock, now: clock.now, isReadOnly: false, emit: () => undefined },
      getStore: async () => ({ ...store }),
      getUserData: async () => userData,
      findAuthor: async () => 'one@example.com',
      getSettings: async () => settings,
      readRules: async () => inOrder(),
      updateFacts: async () =>
        updateStore(opened, today, { ...factRulesOf(settings), proposing: proposing() }),
      readSnapshot: () => Promise.reject(new Error('no list')),
      signer: {} as never,
    });
  };
  let reviews = open();
  const claims = new Map<number, Claim>();
  const unread = new Set<number>();
  for (let id = 1; id <= claimCount; id += 1) {
    claims.set(id, { copay: 20, network: id % 2 === 0 ? 'IN' : 'OUT', isRejected: false, version: id });
    unread.add(id);
  }
  let versions = 100;
  const updateAll = async (): Promise<void> => {
    await reviews.updateAfterSync(workspaceId);
    updateStore(opened, today, { ...factRulesOf(settings), proposing: proposing() });
  };
  const sync = async (): Promise<void> => {
    opened.ingest(
      'claims',
      [...unread].map((id) => toRecord(id, claims.get(id) as Claim)),
    );
    unread.clear();
    await updateAll();
  };
  const foldOf = (id: number) => operations.foldReviews({ workspaceId, claimIds: [id] })[0];
  const act = (id: number, given: Parameters<typeof reviews.act>[2]) =>
    reviews.act(workspaceId, { claimIds: [id] }, given);
  /** What a rule may do with a claim, by hand. */
  const isFree = (id: number): boolean => {
    const review = foldOf(id);
    return (
      review === undefined ||
      (review.decisions.length === 0 && review.owner === null && review.state === null)
    );
  };
  const meets = (
    { conditions: [condition], most }: DecisionRule,
    { copay: owed, network: own, isRejected }: Claim,
  ): boolean => own === condition?.values[0] && owed > 0 && owed * 10_000 <= (most ?? 0) && !isRejected;
  try {
    await sync();
    for (const one of steps) {
      nowMs += 1_000;
      if (one.kind === 'rule') {
        rules.set(one.at, toRule(one, (rules.get(one.at)?.version ?? 0) + 1));
        await updateAll();
      } else if (one.kind === 'change') {
        const { kind: _kind, claim: id, ...values } = one;
        claims.set(id, { ...values, version: versions++ });
        unread.add(id);
      } else if (one.kind === 'decide')
        await act(one.claim, {
          kind: 'decision',
          state: 'done',
          outcome: 'notEligible',
          onWhom: null,
          reason: null,
          reminder: null,
        });
      else if (one.kind === 'own') await act(one.claim, { kind: 'owner', owner: 'Ada' });
      else if (one.kind === 'inReview')
        await act(one.claim, {
          kind: 'decision',
          state: 'inReview',
          outcome: null,
          onWhom: null,
          reason: null,
          reminder: null,
        });
      else if (one.kind === 'take') {
        const [before] = operations.foldReviews({ workspaceId, claimIds: [one.claim] });
        const done = await act(one.claim, { kind: 'byRule', how: 'taken' });
        if (done.claims > 0) {
          made.taken += 1;
          expect(before?.decisions ?? []).toEqual([]);
          expect(foldOf(one.claim)?.lastEventAt).not.toBeNull();
        }
      } else if (one.kind === 'undoOne') {
        const undoable = await reviews.findUndoable(workspaceId, one.claim);
        if (undoable !== null) await reviews.undo(workspaceId, undoable.id);
      } else if (one.kind === 'restart') reviews = open();
      else if (one.kind === 'undoRule') {
        const rule = rules.get(one.at);
        if (rule === undefined) continue;
        const own = operations.listUndoableByRule({ workspaceId, ruleId: rule.id });
        const undone = await reviews.undoRule(workspaceId, rule.id, null);
        made.undone += undone;
        expect(undone).toBe(new Set(own.map(({ claimId }) => claimId)).size);
        for (const { claimId } of own) expect(foldOf(claimId)?.rule ?? null).toBeNull();
      } else if (one.kind === 'sync') {
        await sync();
        const before = new Map(
          [...claims.keys()].map((id) => [
            id,
            { isFree: isFree(id), rule: foldOf(id)?.rule ?? null, tags: foldOf(id)?.tags ?? [] },
          ]),
        );
        const counts = operations.countRuleDecisions({
          workspaceId,
          from: '2026-01-01T00:00:00.000Z',
          day: today,
        });
        await reviews.decideByRules(workspaceId);
        const decided = new Map<string, number>();
        for (const [id, value] of claims) {
          const review = foldOf(id);
          const was = before.get(id);
          const events = operations
            .readClaimEvents({ workspaceId, claimId: id })
            .filter(({ fact }) => fact.kind === 'byRule');
          // Once: a rule's version decides a record once.
          const marks = events.flatMap(({ fact, detail, digest }) =>
            fact.kind === 'byRule' && fact.how === 'done'
              ? [`${detail?.rule?.id} ${detail?.rule?.version} ${digest}`]
              : [],
          );
          expect(new Set(marks).size).toBe(marks.length);
          const rule = review?.rule ?? null;
          if (rule === null || rule.how !== 'done' || was?.rule !== null) continue;
          // Decided now: by the first rule that proposes and meets it, which decides; of a claim that no one works on.
          expect(was.isFree).toBe(true);
          const first = proposing().find(
            (other) => meets(other, value) && !(other.act.kind === 'tag' && was.tags.includes('routine')),
          );
          expect([rule.id, rule.version]).toEqual([first?.id, first?.version]);
          expect(first?.state).toBe('do');
          decided.set(rule.id, (decided.get(rule.id) ?? 0) + 1);
          made.done += 1;
        }
        for (const [ruleId, count] of decided) {
          const rule = inOrder().find(({ id }) => id === ruleId);
          expect((counts[ruleId]?.today.claims ?? 0) + count).toBeLessThanOrEqual(rule?.perDay.claims ?? 0);
        }
        // A replay of what rules did, on what is stored, is what they did.
        for (const [id] of claims) {
          const review = foldOf(id);
          if (review?.rule == null || review.reviewedIn === null) continue;
          const kept = operations.readReviewed({ workspaceId, claimId: id, eventId: review.reviewedIn });
          const { fields } = JSON.parse(kept?.reviewed ?? '{}') as ReviewedValues;
          expect(fields.network).toBe(review.rule.conditions[0]?.values[0]);
          if (review.partly !== null)
            expect(review.amounts?.eligible).toBe(Math.floor((Number(fields.copayment) * 100) / 2) * 100);
        }
      }
    }
  } finally {
    for (const end of ends) end();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('rules decide exactly what a plain model decides', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), run), {
    numRuns: fuzzRuns(40),
    seed: seedFrom(48),
  });
  for (const count of Object.values(made)) expect(count).toBeGreaterThan(0);
});
