import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ChainMember, shareChain } from '../../../../src/rules/money/chain-balance.ts';
import { chainRoles, doesCount, isStanding } from '../../../../src/rules/money/chains.ts';
import { decideAmounts } from '../../../../src/rules/money/decided-amounts.ts';
import { reviewOutcomes } from '../../../../src/rules/review/decision.ts';

const cents = fc.integer({ min: 0, max: 900 }).map((amount) => amount * 100);
const claim = fc.record({
  role: fc.constantFrom(...chainRoles),
  byRules: fc.option(fc.oneof(cents, fc.integer({ min: -900, max: 90_000 })), { freq: 8 }),
  outcome: fc.option(fc.constantFrom(...reviewOutcomes)),
  reimbursed: cents,
  paidOn: fc.constantFrom('2026-05-01', '2026-06-01'),
});

it('open minus owed back over all claims of a chain is its one balance, whatever happens', () => {
  fc.assert(
    fc.property(fc.array(claim, { minLength: 1, maxLength: 6 }), cents, (drawn, writtenOff) => {
      // A chain has at most one claim that stands.
      const first = drawn.findIndex(({ role }) => isStanding(role));
      const claims = drawn.map((one, at) =>
        isStanding(one.role) && at !== first ? { ...one, role: 'replaced' as const } : one,
      );
      const reviews = claims.map(({ outcome, reimbursed }, at) => ({
        ...{ outcome, kept: null, reimbursed },
        writtenOff: at === 0 ? writtenOff : 0,
      }));
      const own = claims.map(({ byRules }, at) =>
        decideAmounts(byRules, reviews[at] as (typeof reviews)[number]),
      );
      const members = claims.map(({ role, paidOn }, at): ChainMember => {
        const { reimbursed, writtenOff: off } = reviews[at] as (typeof reviews)[number];
        const { eligible, disputed } = own[at] as (typeof own)[number];
        return {
          id: at,
          role,
          by: null,
          eligible,
          disputed,
          reimbursed,
          writtenOff: off,
          paidOn: reimbursed > 0 ? paidOn : null,
        };
      });
      const rests = shareChain(members);
      const amounts = claims.map(({ byRules }, at) =>
        decideAmounts(byRules, reviews[at] as (typeof reviews)[number], rests.get(at) ?? null),
      );
      const paid = members.reduce((sum, { reimbursed }) => sum + reimbursed, 0);
      for (const { open, owed } of amounts)
        for (const one of [open, owed]) expect(one ?? 0).toBeGreaterThanOrEqual(0);
      if (claims.some(({ role }) => role === 'unclear')) return;
      if (first >= 0 && claims[first]?.role === 'missing') {
        expect(amounts.every(({ open, owed }) => open === 0 && owed === 0)).toBe(true);
        return;
      }
      const counted = members.filter(({ role }) => doesCount(role));
      if (counted.some(({ eligible, disputed }) => eligible === null || disputed === null)) return;
      const eligible = Math.max(
        0,
        counted.reduce((sum, one) => sum + (one.eligible ?? 0), 0),
      );
      const whole = counted.reduce((sum, one) => sum + (one.eligible ?? 0) + (one.disputed ?? 0), 0);
      const open = amounts.reduce((sum, one) => sum + (one.open ?? 0), 0);
      const owed = amounts.reduce((sum, one) => sum + (one.owed ?? 0), 0);
      expect(open).toBe(Math.max(0, eligible - paid));
      expect(owed).toBe(
        Math.max(0, paid - writtenOff) === 0 ? 0 : Math.max(0, paid - writtenOff - Math.max(0, whole)),
      );
      expect(amounts.filter((one) => one.open !== 0 || one.owed !== 0).length).toBeLessThanOrEqual(1);
    }),
    { seed: 43, numRuns: 2_000 },
  );
});
