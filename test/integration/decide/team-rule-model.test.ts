import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestAmountRules } from '../../../src/main/engine/review/digest-amount-rules.ts';
import type { DecisionRule } from '../../../src/rules/decide/decision-rule.ts';
import { exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { fuzzRuns, seedFrom } from '../../support/seeds.ts';
import { claimIds, type MemberWithRules, openRules, toRecord } from '../../support/team-rules.ts';

/**
 * Rules in a team of three computers that are offline for a while, against a plain model: random rules with versions, records, decisions of
 * people, undos, and programs that end between any two steps of deciding. A computer decides only what its rules say, of claims on which
 * nothing was done, and once; what several decided alike counts once; what one undid is undone for all.
 */
const acts: readonly DecisionRule['act'][] = [
  { kind: 'eligible' },
  { kind: 'notEligible', cause: 'Not covered' },
  { kind: 'partly', partly: { by: 'share', percent: 50 } },
];
const idOf = (at: number): string => `00000000-0000-4000-8000-00000000000${at}`;

const on = fc.nat(2);
const network = fc.constantFrom('IN', 'OUT');
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rule' as const),
      at: fc.nat(1),
      network,
      act: fc.nat(acts.length - 1),
      state: fc.constantFrom('propose' as const, 'do' as const, 'do' as const, 'do' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      claim: fc.constantFrom(...claimIds),
      copay: fc.constantFrom(0, 20, 40, 60),
      network,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('sync' as const), on }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), on, at: fc.nat(24) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('exchange' as const), on }) },
  fc.record({
    kind: fc.constantFrom('decide' as const, 'own' as const),
    on,
    claim: fc.constantFrom(...claimIds),
  }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undoRule' as const), on, at: fc.nat(1) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** How often each happened in all runs, so that the runs are known to have any. */
const made = { done: 0, alike: 0, undone: 0, killed: 0, twice: 0 };

/** The events by which rules decided a claim, as a computer has them. */
const decisionsOn = ({ member }: MemberWithRules, claimId: number) =>
  member.operations
    .listReviewEvents({ workspaceId, claimId, offset: 0, limit: 500 })
    .events.flatMap(({ event, detail }) =>
      event.fact.kind === 'byRule' && event.fact.how === 'done' && detail?.rule !== undefined
        ? [{ ...event, rule: detail.rule }]
        : [],
    );
const foldOf = ({ member }: MemberWithRules, claimId: number) =>
  member.operations.foldReviews({ workspaceId, claimIds: [claimId] })[0];

/** A team of an admin and two reviewers, with what a model has of its rules, records and computers. */
async function openModel() {
  const team = await openTeam('ada', 'ben', 'cleo');
  const members = team.members.map(openRules) as [MemberWithRules, MemberWithRules, MemberWithRules];
  const [ada] = members;
  await ada.member.changeSettings({ setting: 'reviewsFrom', value: '2000-01-01' });
  await exchangeAll(team.members);
  const amountRules = digestAmountRules(await ada.member.ports.host.getSettings(workspaceId));
  const records = new Map(
    claimIds.map((id) => [id, { ...toRecord(id, 20, 0), network: id % 2 ? 'IN' : 'OUT' }]),
  );
  /** The records that each computer has. */
  const here = members.map(() => new Map<number, typeof records extends Map<number, infer R> ? R : never>());
  const read = async (at: number): Promise<void> => {
    for (const [id, record] of records) here[at]?.set(id, record);
    await members[at]?.read(0, 0, records.values());
  };
  const rules = new Map<number, number>();
  let changes = 0;

  const setRule = async ({ at, state, act, network: of }: Extract<Step, { kind: 'rule' }>): Promise<void> => {
    const [admin, confirming] = members;
    const version = (rules.get(at) ?? 0) + 1;
    rules.set(at, version);
    const value: DecisionRule = {
      ...{ id: idOf(at), version, order: at, name: `Rule ${at}`, state, employers: [], most: 50_0000 },
      conditions: [{ field: 'network', operator: 'is', values: [of] }],
      act: acts[act] as DecisionRule['act'],
      ...{ perDay: { claims: 100, amount: 1e9 }, secondLook: 5, confirmedBy: null, amountRules },
      ...{ since: new Date(team.clock.nowMs).toISOString(), by: admin.member.email },
    };
    await admin.member.changeSettings({ setting: 'decisionRule', id: value.id, value });
    if (state !== 'do') return;
    await admin.member.exchange();
    await confirming.member.exchange();
    team.clock.nowMs += 1_000;
    const confirmed = { ...value, confirmedBy: confirming.member.email };
    await confirming.member.changeSettings({ setting: 'decisionRule', id: value.id, value: confirmed });
  };

  /** Decides after a sync, which may end in the middle, and checks what this computer decided. */
  const decide = async (at: number, end: number | null): Promise<void> => {
    const one = members[at] as MemberWithRules;
    await one.settleFacts();
    const before = claimIds.map((id) => ({ id, review: foldOf(one, id), made: decisionsOn(one, id) }));
    const proposing = (await one.readRules()).filter(({ state }) => state === 'propose' || state === 'do');
    let left = end ?? -1;
    one.member.network.step = () => {
      if (left === 0) throw new Error('The program ended.');
      left -= 1;
    };
    try {
      await one.decide();
    } catch (thrown) {
      expect(thrown).toMatchObject({ message: 'The program ended.' });
      made.killed += 1;
      members[at] = openRules(one.member.startAgain());
    } finally {
      delete one.member.network.step;
    }
    const after = members[at] as MemberWithRules;
    for (const { id, review, made: earlier } of before) {
      const own = decisionsOn(after, id).filter(({ author }) => author === after.member.email);
      const latest = own.filter((event) => !earlier.some((other) => other.id === event.id));
      // Once: a rule's decision of a claim stands until someone undoes it, and then it is not decided again.
      expect(new Set(own.map(({ rule }) => rule.id)).size, `claim ${id}`).toBe(own.length);
      if (latest.length === 0) continue;
      made.done += 1;
      expect([review?.state ?? null, review?.owner ?? null, review?.decisions ?? []]).toEqual([
        null,
        null,
        [],
      ]);
      const record = here[at]?.get(id);
      const isMet = ({ conditions: [condition] }: DecisionRule): boolean =>
        record?.network === condition?.values[0] &&
        (record?.copayment ?? 0) > 0 &&
        (record?.copayment ?? 0) <= 50;
      const first = proposing.find(isMet);
      expect(latest.map(({ rule }) => [rule.id, rule.version])).toEqual([[first?.id, first?.version]]);
      expect(first).toMatchObject({ state: 'do', confirmedBy: 'ben@example.com' });
      expect(earlier.some(({ isUndone, rule }) => isUndone && rule.id === first?.id)).toBe(false);
    }
  };

  const take = async (one: Step): Promise<void> => {
    team.clock.nowMs += 60_000;
    if (one.kind === 'rule') return setRule(one);
    if (one.kind === 'change') {
      changes += 1;
      // No record is again as an earlier one was.
      const record = { ...toRecord(one.claim, one.copay, changes), amount_paid: 200 + changes };
      records.set(one.claim, { ...record, network: one.network });
      return;
    }
    const of = members[one.on] as MemberWithRules;
    if (one.kind === 'exchange') {
      await of.member.exchange();
      await of.reviews.settleAfterSync(workspaceId);
    } else if (one.kind === 'sync' || one.kind === 'kill') {
      await read(one.on);
      await decide(one.on, one.kind === 'kill' ? one.at : null);
      if (one.kind === 'kill') await decide(one.on, null);
    } else if (one.kind === 'undoRule') {
      const undoable = of.member.operations.listUndoableByRule({ workspaceId, ruleId: idOf(one.at) });
      made.undone += await of.reviews.undoRule(workspaceId, idOf(one.at), null);
      for (const { claimId } of undoable) expect(foldOf(of, claimId)?.rule ?? null).toBeNull();
    } else
      await of.reviews.act(
        workspaceId,
        { claimIds: [one.claim] },
        one.kind === 'own' ? { kind: 'owner', owner: 'Ada' } : decisionOf('notEligible'),
      );
  };

  /** Lets everything be exchanged, and checks what has to hold then on each computer. */
  const expectQuiet = async (): Promise<void> => {
    for (let round = 0; round < 2; round += 1) {
      team.clock.nowMs += 60_000;
      for (const at of members.keys()) await read(at);
      await exchangeAll(members.map(({ member }) => member));
      for (const { reviews } of members) await reviews.settleAfterSync(workspaceId);
    }
    const [first] = members;
    const day = new Date(team.clock.nowMs).toISOString().slice(0, 10);
    const from = '2000-01-01T00:00:00.000Z';
    for (const one of members) {
      expect(one.member.failures).toEqual([]);
      for (const id of claimIds) {
        const review = foldOf(one, id);
        if (review === undefined || review.foundBy !== null) continue;
        expect(review, `${one.member.name}, claim ${id}`).toEqual(foldOf(first, id));
        const events = decisionsOn(one, id);
        for (const { isUndone, rule } of events)
          if (isUndone) expect(review.rule?.id, `undone, claim ${id}`).not.toBe(rule.id);
        const outcomes = review.decisions.map(({ outcome, eligible }) => `${outcome} ${eligible}`);
        if (new Set(outcomes).size < 2) expect(review.decidedTwice).toEqual([]);
        made.twice += Number(review.decidedTwice.length > 0);
        made.alike += Number(
          new Set(events.map(({ rule }) => `${rule.id} ${rule.version}`)).size < events.length,
        );
      }
      const counts = one.member.operations.countRuleDecisions({ workspaceId, from, day });
      for (const [ruleId, { decided }] of Object.entries(counts)) {
        const marks = claimIds.flatMap((id) =>
          decisionsOn(one, id).flatMap(({ rule }) => (rule.id === ruleId ? [`${id} ${rule.version}`] : [])),
        );
        expect(decided).toBeLessThanOrEqual(new Set(marks).size);
      }
    }
  };
  return { take, expectQuiet, close: team.close };
}

test('in a team, rules decide what a plain model says, once for all computers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
      const { take, expectQuiet, close } = await openModel();
      try {
        for (const one of steps) await take(one);
        await expectQuiet();
      } finally {
        await close();
      }
    }),
    { numRuns: fuzzRuns(8), endOnFailure: true, seed: seedFrom(148) },
  );
  for (const [what, count] of Object.entries(made)) expect(count, what).toBeGreaterThan(0);
});
