import type { Settings } from '../../contract/settings.ts';
import { localDayOf } from '../../rules/days.ts';
import { defaultReimbursementRules, employerKeyOf, serviceOf } from '../../rules/money/reimbursement.ts';
import {
  type Layers,
  noLimit,
  type PlanRules,
  type PlanYearRules,
  startOf,
  startPlanYear,
} from '../../rules/plans/plan-rules.ts';
import { firstDayOfPlanYear } from '../../rules/plans/plan-year.ts';

const dollars = (amount: number): number => amount * 10_000;
const service = serviceOf({ baseUrl: '', isSample: true });
/** The amount of one person, alone or within a family, and of the family. */
const limitOf = (person: number, family: number) => ({
  alone: dollars(person),
  person: dollars(person),
  family: dollars(family),
});

/** Before every plan year of the sample, so that the rules hold in all of them. */
const from = '2015-01-01';

const sampleLayers: Layers = [
  { payer: 'account', amount: dollars(500) },
  { payer: 'member', amount: dollars(200) },
  { payer: 'account', amount: null },
];

/**
 * By employer ID of the sample service: a plan with a deductible for facilities and an out-of-pocket maximum, of each person
 * and of the family, and an account in layers. The limits are such that some families meet them, and that the carrier
 * disagrees on few claims.
 */
const planYears: Readonly<Record<number, Partial<PlanYearRules>>> = {
  200: {
    deductible: { ...startOf.deductible, inNetwork: limitOf(200, 400), types: ['facility'] },
    outOfPocket: { ...startOf.outOfPocket, inNetwork: limitOf(2_000, 4_000) },
  },
  202: {
    account: {
      per: 'family',
      layers: { alone: sampleLayers, family: sampleLayers },
      limit: noLimit,
      carryOver: null,
    },
  },
};

/**
 * Settings with the rules of the sample instead of those that an earlier sample left: claims in their last days to reimburse
 * and to decide, people of high cost, and two employers with plan rules.
 */
export function withSampleRules(
  settings: Settings,
  nowMs: number,
): Pick<Settings, 'planRules' | 'reimbursementRules'> {
  const today = localDayOf(new Date(nowMs));
  const begins = Date.parse(firstDayOfPlanYear(today, settings.planYearStart));
  const daysOfYear = Math.round((Date.parse(today) - begins) / 86_400_000);
  const rules = {
    ...defaultReimbursementRules,
    runOutDays: daysOfYear + 21,
    highCostFrom: dollars(5_000),
    decideDays: Math.max(1, daysOfYear - 20),
  };
  const plans = Object.entries(planYears).map(([employerId, year]): [string, PlanRules] => [
    employerKeyOf(service, Number(employerId)),
    { years: [{ ...startPlanYear(from), ...year }] },
  ]);
  return {
    planRules: { ...withoutSample(settings.planRules), ...Object.fromEntries(plans) },
    reimbursementRules: { ...withoutSample(settings.reimbursementRules), [service]: rules },
  };
}

const withoutSample = <T>(byKey: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(byKey).filter(([key]) => key !== service && !key.startsWith(`${service}#`)),
  );
