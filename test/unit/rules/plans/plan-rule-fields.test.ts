import { expect, it } from 'vitest';
import {
  planYearFields,
  type RuleField,
  sayUnsupported,
} from '../../../../src/rules/plans/plan-rule-fields.ts';
import { planRulesSchema, startOf, startPlanYear } from '../../../../src/rules/plans/plan-rules.ts';
import { limitOf } from '../../../support/plan-rules.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths of all values. */
const pathsOf = (value: unknown, path = ''): string[] =>
  isObject(value) ? Object.entries(value).flatMap(([key, one]) => pathsOf(one, `${path}.${key}`)) : [path];
const fieldsOf = (fields: readonly RuleField[], path = ''): string[] =>
  fields.flatMap((field) =>
    field.kind === 'group' || field.kind === 'part'
      ? fieldsOf(field.fields, `${path}.${field.name}`)
      : [`${path}.${field.name}`],
  );

it('has a field for every rule of the schema except the first day, and no others', () => {
  const meter = { outOfNetwork: limitOf(1, 2) };
  const whole = {
    ...startPlanYear('2026-01-01'),
    deductible: { ...startOf.deductible, ...meter },
    drugDeductible: { ...startOf.drugDeductible, ...meter },
    outOfPocket: { ...startOf.outOfPocket, ...meter },
    account: { ...startOf.account, carryOver: { most: 1 } },
  };
  const { from: _day, ...parsed } = planRulesSchema.parse({ years: [whole] }).years[0] ?? whole;
  expect(fieldsOf(planYearFields).toSorted()).toEqual(pathsOf(parsed).toSorted());
});

it('lists what rules can’t express', () => {
  expect(sayUnsupported()).toMatch(/^Not supported: proration \(.*last-quarter carry-over \(/);
});
