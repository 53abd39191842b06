import { expect, it } from 'vitest';
import { defaultSettings } from '../../../../src/contract/settings.ts';
import { changesOfOwn, toOwn } from '../../../../src/contract/workspace-settings.ts';
import {
  inPlanDollars,
  noLimit,
  type PlanRules,
  periodOf,
  planRulesOf,
  readPlanDollars,
  startOf,
  startPlanYear,
} from '../../../../src/rules/plans/plan-rules.ts';
import { foldTeamSettings } from '../../../../src/rules/review/team-settings.ts';

const rulesFrom = (...days: string[]): PlanRules => ({ years: days.map(startPlanYear) });
const workspace = { id: 'a', baseUrl: 'https://claims.example.com', isSample: false };
const service = workspace.baseUrl;

it('uses the newest rules that began on the day, from where they begin in its plan year', () => {
  const rules = rulesFrom('2026-01-01', '2024-01-01', '2025-03-01');
  const found = ['2023-12-31', '2024-05-01', '2025-02-28', '2025-03-01', '2025-12-31', '2027-07-01'].map(
    (day) => {
      const period = periodOf(rules, day, { begins: `${day.slice(0, 4)}-01-01` });
      return period && [period.rules.from, period.begins, period.isMidYear];
    },
  );
  expect(found).toEqual([
    null,
    ['2024-01-01', '2024-01-01', false],
    ['2024-01-01', '2025-01-01', false],
    ['2025-03-01', '2025-03-01', true],
    ['2025-03-01', '2025-03-01', true],
    ['2026-01-01', '2027-01-01', false],
  ]);
});

it('uses the rules of an employer, otherwise those of all others of its service', () => {
  const all = { [service]: rulesFrom('2024-01-01'), [`${service}#3`]: rulesFrom('2026-01-01') };
  expect(planRulesOf(all, service, 3)).toBe(all[`${service}#3`]);
  expect(planRulesOf(all, service, 4)).toBe(all[service]);
  expect(planRulesOf(all, 'https://other.example', 3)).toBe(null);
});

it('keeps them through a team: the newest of each employer counts, and a reviewer changes none', () => {
  const planRules = { [service]: rulesFrom('2024-01-01'), [`${service}#3`]: rulesFrom('2026-01-01') };
  const made = { at: '2026-11-01T10:00:00Z', id: '1', author: 'ana', role: 'admin' as const };
  const changes = changesOfOwn({ ...defaultSettings, planRules }, workspace);
  const newer = { setting: 'planRules', employerId: 3, value: rulesFrom('2027-01-01') };
  const { settings } = foldTeamSettings([
    { ...made, changes },
    { ...made, at: '2026-11-02T10:00:00Z', id: '2', role: 'reviewer', changes: [newer] },
  ]);
  expect(toOwn(defaultSettings, workspace, settings).planRules).toEqual(planRules);
  const { settings: after } = foldTeamSettings([
    { ...made, changes },
    { ...made, at: '2026-11-03T10:00:00Z', id: '3', changes: [newer] },
  ]);
  expect(toOwn(defaultSettings, workspace, after).planRules).toEqual({
    ...planRules,
    [`${service}#3`]: newer.value,
  });
});

it('reads and writes amounts in dollars', () => {
  const rules: PlanRules = {
    years: [
      {
        ...startPlanYear('2026-01-01'),
        deductible: {
          ...startOf.deductible,
          ...{ types: ['medical'], inNetwork: { ...noLimit, person: 15_000_050 } },
        },
      },
    ],
  };
  expect(inPlanDollars(rules)).toMatchObject({
    years: [{ deductible: { inNetwork: { person: 1500.005, family: null } } }],
  });
  expect(readPlanDollars(inPlanDollars(rules))).toEqual(rules);
  expect(() => readPlanDollars({ years: [{ from: '2026-01-01' }] })).toThrow();
});
