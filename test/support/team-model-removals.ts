import fc from 'fast-check';
import { expect } from 'vitest';
import { hasRules } from '../../src/main/engine/store/sync/retention.ts';
import type { RemovalRule } from '../../src/team-protocol/removal.ts';
import { workspaceId } from './review-computer.ts';
import type { Member } from './team-member.ts';
import { removeAs } from './team-removal.ts';

/** The service's data of the three claims of the model: one member each, two of one employer, one old. */
const facts = new Map([
  [1, { member: 7, employer: 70, day: '2024-01-10' }],
  [2, { member: 8, employer: 70, day: '2026-01-10' }],
  [3, { member: 9, employer: 80, day: '2026-02-10' }],
]);

export function describeClaim(id: number) {
  const { member, employer, day } = facts.get(id) ?? { member: 0, employer: 0, day: '2026-01-01' };
  return {
    date_of_service: { start: day, end: day, bounds: '[]' },
    members: [{ id: member, first_name: 'Ada', last_name: `Of ${id}`, employer: { id: employer } }],
  };
}

const rule: fc.Arbitrary<RemovalRule> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('member'), memberId: fc.constantFrom(7, 8, 9) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'claimsBefore', date: '2025-01-01' } as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('employer'), employerId: fc.constantFrom(70, 80) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'everything' } as const) },
);

/** The admin removes something for the team. */
export const removalStep = fc.record({ kind: fc.constant('remove' as const), rule });

const isOfRule = (id: number, one: RemovalRule): boolean => {
  const { member = 0, employer = 0, day = '' } = facts.get(id) ?? {};
  if (one.kind === 'member') return one.memberId === member;
  if (one.kind === 'employer') return one.employerId === employer;
  return one.kind === 'everything' || day < one.date;
};

const knownBy = async (member: Member) => (await member.sessionOf()).log.state.removals;

/** The removals of a schedule, each by the entries that say it. */
export type Removals = Map<string, { readonly rule: RemovalRule; readonly entries: readonly string[] }>;

/** @throws DeskError where the server does not answer */
export async function removeAsAdmin(removals: Removals, admin: Member, rule: RemovalRule): Promise<void> {
  const removal = await removeAs(admin, rule);
  const entries = (await knownBy(admin)).all.flatMap(({ id, says }) =>
    says?.removal === removal ? [id] : [],
  );
  expect(entries).not.toEqual([]);
  removals.set(removal, { rule, entries });
}

/** Forgets the removals that were lost everywhere: on the server, and on each of these computers. */
export async function forgetLostRemovals(
  removals: Removals,
  there: ReadonlySet<string>,
  members: readonly Member[],
): Promise<void> {
  const kept = new Set(there);
  for (const member of members) for (const { id } of (await knownBy(member)).all) kept.add(id);
  for (const [removal, { entries }] of removals)
    if (!entries.some((id) => kept.has(id))) removals.delete(removal);
}

/**
 * Checks after a full exchange that every computer knows each removal and has all but what was removed.
 * `acts`: the claims of each act that was still kept. Returns whether anything was removed.
 */
export async function expectRemoved(
  removals: Removals,
  members: readonly Member[],
  acts: ReadonlyMap<string, readonly number[]>,
): Promise<boolean> {
  const [first] = members;
  const rules = first === undefined ? [] : (await knownBy(first)).all.flatMap(({ says }) => says?.rule ?? []);
  for (const { rule: wanted } of removals.values()) expect(rules).toContainEqual(wanted);
  const isRemoved = (id: number): boolean => rules.some((one) => isOfRule(id, one));
  const idsOf = async (member: Member) => new Set((await member.history()).map(({ id }) => id));
  for (const member of members) {
    const known = await knownBy(member);
    expect(hasRules(known.rules), member.name).toBe(rules.length > 0);
    expect(known.rules, member.name).toEqual((await knownBy(first as Member)).rules);
    expect(
      known.all.every(({ isApplied, says }) => isApplied || says === null),
      member.name,
    ).toBe(true);
    for (const claimId of [...facts.keys()].filter(isRemoved)) {
      const { total } = member.operations.listReviewEvents({ workspaceId, claimId, offset: 0, limit: 1 });
      expect(total, `${member.name}, claim ${claimId}`).toBe(0);
    }
    expect(member.folds().filter(({ claimId }) => isRemoved(claimId))).toEqual([]);
    const ids = await idsOf(member);
    for (const [id, claims] of acts)
      expect(ids.has(id), `${member.name} ${id}`).toBe(!claims.every(isRemoved));
    if (rules.length > 0) expect(ids, member.name).toEqual(await idsOf(first as Member));
  }
  return rules.length > 0;
}
