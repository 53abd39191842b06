import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  conditionsOfPerson,
  monthsOfPlanYear,
  personYearFields,
  sumByPerson,
  sumFamily,
} from '../../../src/renderer/domain/claim/person-year.ts';
import { addUp, monthsInput, sumByPlanYear } from '../../../src/renderer/domain/claim/plan-year-sums.ts';
import { figures } from '../../../src/renderer/domain/figure/figures.ts';
import { reviewedSince } from '../../../src/renderer/domain/figure/reviewer-filters.ts';
import { worklistPlan } from '../../../src/renderer/features/claims/worklist-plan.ts';
import {
  measureOf,
  measures,
  rankingInput,
  rankingPlans,
} from '../../../src/renderer/features/insights/insight-plan.ts';
import { monthRows, monthsShown } from '../../../src/renderer/features/insights/month-figure.tsx';
import { inPlanYear, planYearSums, sumByDay } from '../../../src/renderer/features/reports/report-rows.ts';
import { ageRanges } from '../../../src/rules/age-ranges.ts';
import { addDays, localDayOf } from '../../../src/rules/days.ts';
import { type Amount, type Condition, sumNames, type Totals } from '../../../src/rules/query.ts';
import type { Decision } from '../../../src/rules/review/decision.ts';
import { findWorklist, worklistQuery, worklistTable } from '../../../src/rules/worklists/worklist-table.ts';
import {
  isInSample,
  openSample,
  type SampleSession,
  summedFields,
  sumOf,
  totalsOf,
} from '../../support/sample-session.ts';

let sample: SampleSession;
/** The claims that were reviewed here; others were by a colleague. */
const ownIds: number[] = [];
const today = localDayOf(new Date());
/** A day of the plan year that has claims of all months, whatever day it is. */
const lastYear = addDays(today, -365) ?? today;

beforeAll(async () => {
  sample = await openSample(60, 500);
  const untouched: Condition[] = [
    { field: 'worklist', operator: 'is', values: ['toDecide'] },
    { field: 'review.last_event_at', operator: 'isEmpty', values: [] },
  ];
  const ids = (await sample.readRows({ conditions: untouched }, ['id'])).map(({ id }) => id as number);
  const decide = (decision: Partial<Decision>) => {
    const claimIds = ids.splice(0, 3);
    ownIds.push(...claimIds);
    return sample.call('reviews:act', {
      target: { claimIds },
      act: { kind: 'decision', state: 'done', outcome: 'eligible', ...decision },
    });
  };
  await decide({ outcome: 'notEligible', cause: 'Missing receipt' });
  await decide({ outcome: 'disputed' });
  await decide({ outcome: 'partlyEligible', partly: { by: 'share', percent: 40 } });
  await sample.call('worklists:update', {});
});
afterAll(() => sample?.close());

const whole = (amount: Amount | null): bigint | null => (amount === null ? null : BigInt(amount));
const exact = (totals: Totals) => ({
  count: totals.count,
  ...Object.fromEntries(sumNames.map((name) => [name, whole(totals[name])])),
});
/** Count and sums of the claims that a figure opens, row by row. */
const openedBy = async (conditions: readonly Condition[]) =>
  totalsOf(await sample.readRows({ conditions: [...conditions] }, summedFields));
const groupsOf = async (conditions: readonly Condition[]) =>
  (await sample.call('records:group', monthsInput(sample.workspaceId, conditions))).groups;

async function readMembers(limit: number) {
  const { rows } = await sample.call('records:begin', {
    query: { entity: 'members' },
    limit,
    fields: ['id'],
  });
  return rows.map(({ id }) => id as number);
}

describe('each figure of a page equals the sum of the rows that it opens', () => {
  test('a plan year of a family, and its rejected claims, together are those of the plan year', async () => {
    let people = 0;
    let rejected = 0;
    for (const id of await readMembers(60)) {
      const { member } = await sample.call('records:getMember', { id });
      const ofYear: Condition[] = [
        { field: 'members.id', operator: 'is', values: [id] },
        { field: 'date_of_service.month', operator: 'isOneOf', values: monthsOfPlanYear(lastYear, 1) },
      ];
      const family = sumByPerson(await sample.readRows({ conditions: ofYear }, personYearFields), member);
      // Who has no claims has no figure to open.
      const withClaims = family.filter(({ sentNames }) => sentNames.length > 0);
      for (const person of [...withClaims, sumFamily(family)]) {
        const rows = await sample.readRows(
          { conditions: [...ofYear, ...conditionsOfPerson(person, false)] },
          personYearFields,
        );
        const { count, deductible } = person;
        expect({ ...exact({ allowed: null, ...person }), deductible: whole(deductible) }).toEqual({
          allowed: null,
          count: rows.length,
          billed: sumOf(rows, 'amount_billed'),
          paid: sumOf(rows, 'amount_paid'),
          patientResponsibility: sumOf(rows, 'patient_responsibility'),
          deductible: sumOf(rows, 'reduction'),
        });
        const apart = await openedBy([...ofYear, ...conditionsOfPerson(person, true)]);
        expect(apart).toMatchObject({
          count: person.rejected.count,
          patientResponsibility: whole(person.rejected.patientResponsibility),
        });
        if (person.key === 'family') continue;
        people += count;
        rejected += person.rejected.count;
      }
      const [year] = sumByPlanYear(await groupsOf(ofYear), 1);
      const [rejectedYear] = sumByPlanYear(
        await groupsOf([...ofYear, ...figures.planYearsRejected.counts]),
        1,
      );
      const sum = (amounts: readonly (Amount | null)[]) =>
        amounts.reduce<bigint>((all, one) => all + (whole(one) ?? 0n), 0n);
      expect(
        sum([
          ...family.map((one) => one.patientResponsibility),
          rejectedYear?.totals.patientResponsibility ?? null,
        ]),
      ).toBe(whole(year?.totals.patientResponsibility ?? 0));
    }
    expect(people).toBeGreaterThan(50);
    expect(rejected).toBeGreaterThan(3);
  });

  test('plan years of members, employers and tenants, including their rejected claims', async () => {
    const { employers } = await sample.call('records:listEmployers', {});
    const { tenants } = await sample.call('records:listTenants', {});
    const whose: [Condition, Totals | null][] = [
      ...(await readMembers(10)).map((id): [Condition, null] => [
        { field: 'members.id', operator: 'is', values: [id] },
        null,
      ]),
      ...employers.map(({ id, claims }): [Condition, Totals] => [
        { field: 'members.employer.id', operator: 'is', values: [id] },
        claims,
      ]),
      ...tenants.map(({ id, claims }): [Condition, Totals] => [
        { field: 'members.tenant.id', operator: 'is', values: [id] },
        claims,
      ]),
    ];
    for (const [of, listed] of whose) {
      for (const { counts } of [figures.planYears, figures.planYearsRejected]) {
        const years = sumByPlanYear(await groupsOf([of, ...counts]), 4);
        for (const { totals, conditions } of years)
          expect(await openedBy([of, ...counts, ...conditions])).toEqual(exact(totals));
        expect(await openedBy([of, ...counts])).toEqual(exact(addUp(years.map(({ totals }) => totals))));
      }
      if (listed !== null)
        expect(await openedBy([of, ...figures.organizations.counts])).toEqual(exact(listed));
    }
  });

  test('insights: months, pending claims by age, remarks, providers, employers', async () => {
    const groups = await groupsOf(figures.byMonth.counts);
    for (const { now, before } of monthRows(groups, monthsShown(null, today)))
      for (const group of [now, before])
        if (group !== null) expect(await openedBy(group.conditions)).toEqual(exact(group.totals));
    for (const { conditions } of ageRanges(today)) {
      const own = [...figures.pendingByAge.counts, ...conditions];
      const { groups: byStatus } = await sample.call('records:group', {
        query: { entity: 'claims', conditions: own },
        by: 'status',
      });
      expect(await openedBy(own)).toEqual(exact(addUp(byStatus.map(({ totals }) => totals))));
    }
    for (const plan of rankingPlans) {
      for (const { value } of measures) {
        const { workspaceId: _id, ...input } = rankingInput(sample.workspaceId, plan, value, []);
        const { groups: ranked } = await sample.call('records:group', input);
        expect(ranked.length).toBeGreaterThan(1);
        for (const { totals, conditions } of ranked.slice(0, 8)) {
          const rows = await openedBy([...plan.figure.counts, ...conditions]);
          expect(value === 'count' ? BigInt(rows.count) : rows[value]).toBe(measureOf(totals, value));
        }
      }
    }
  });
});

test('your own reviews since a day are those made here, without a colleague’s', async () => {
  const { reviewedBy } = await sample.call('reviews:get', { claimId: ownIds[0] as number });
  const readIds = async (conditions: Condition[]) =>
    (await sample.readRows({ conditions }, ['id'])).map(({ id }) => id as number);
  const own = await readIds(reviewedSince(reviewedBy as string, today));
  expect(own.sort()).toEqual([...ownIds].sort());
  expect((await readIds([...figures.reviewedByYou.counts])).length).toBeGreaterThan(own.length);
});

describe('each worklist and report equals the sum of what its rows show', () => {
  test('worklists: count and sum, in the column that the window shows', async () => {
    const { worklists } = await sample.call('worklists:counts', {});
    expect(worklists.map(({ id }) => id)).toEqual(worklistTable.map(({ id }) => id));
    for (const { id, claims, amount, amountLabel } of worklists) {
      const { field, label } = findWorklist(id).amount;
      const { entity: _claims, ...query } = worklistQuery(id);
      const rows = await sample.readRows(query, ['id', field]);
      expect([id, claims, BigInt(amount), amountLabel]).toEqual([
        id,
        rows.length,
        sumOf(rows, field) ?? 0n,
        label,
      ]);
      // The sample has no team: what two of its people did is tested in test/integration/team/twice.test.ts.
      expect(claims > 0, id).toBe(isInSample(id));
      expect(worklistPlan(findWorklist(id), 1280).initial.columns, id).toContain(field);
    }
  });

  test('reports: open by age, owner, state, whom and reason; what was done; reimbursed against eligible', async () => {
    const opened = await openedBy(figures.openReviews.counts);
    let byAge = 0;
    for (const { conditions } of ageRanges(today))
      byAge += (await openedBy([...figures.openReviews.counts, ...conditions])).count;
    expect(byAge).toBe(opened.count);
    for (const [by, { counts }] of [
      ['review.owner', figures.openReviews],
      ['review.state', figures.openReviews],
      ['review.on_whom', figures.waitingReviews],
      ['review.reason', figures.waitingReviews],
    ] as const) {
      const query = { entity: 'claims' as const, conditions: [...counts] };
      const { groups } = await sample.call('records:group', { query, by, limit: 1000 });
      for (const { totals, conditions } of groups)
        expect(await openedBy([...counts, ...conditions])).toEqual(exact(totals));
      expect(exact(addUp(groups.map(({ totals }) => totals)))).toEqual(await openedBy(counts));
    }

    const report = await sample.call('worklists:report', {});
    const days = sumByDay(report.done);
    expect(days.reduce((sum, { claims }) => sum + claims, 0)).toBe(
      (await sample.readRows({ conditions: [...figures.doneReviews.counts], includesMissing: true }, ['id']))
        .length,
    );
    const counted = new Set<string>();
    for (const row of report.reimbursed) {
      const of = inPlanYear(row.employerId, row.planYear);
      expect((await openedBy(of)).count).toBe(row.claims);
      expect((await openedBy([...of, ...figures.notKnown.counts])).count).toBe(row.notKnown);
      for (const { sum, figure, field } of planYearSums) {
        const rows = await sample.readRows(
          { conditions: [...of, ...figure.counts], includesMissing: sum === 'reimbursed' },
          ['id', field],
        );
        const { claims, amount } = row[sum];
        expect([figure.name, claims, BigInt(amount)]).toEqual([
          figure.name,
          rows.length,
          sumOf(rows, field) ?? 0n,
        ]);
        if (claims > 0) counted.add(sum);
      }
    }
    expect([...counted].sort()).toEqual(planYearSums.map(({ sum }) => sum).sort());
  });
});
