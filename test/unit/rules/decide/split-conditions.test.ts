import { expect, test } from 'vitest';
import { splitConditions } from '../../../../src/rules/decide/split-conditions.ts';
import type { Condition } from '../../../../src/rules/query.ts';

const is = (field: string, ...values: string[]): Condition => ({
  field,
  operator: values.length === 1 ? 'is' : 'isOneOf',
  values,
});

test('employers of a filter become those of the rule; what a decision or a payment changes is left out', () => {
  const network = is('network', 'IN');
  const leftOut = [
    is('review.state', 'todo'),
    is('facts.open', '12'),
    is('worklist', 'toDecide'),
    { field: 'members.employer.id', operator: 'isEmpty', values: [] } as Condition,
  ];
  expect(splitConditions([network, is('members.employer.id', '3', '4'), ...leftOut])).toEqual({
    ...{ conditions: [network], employers: [3, 4], leftOut },
  });
});

test('two filters by employer leave the employers of both; if there are none, the second is left out', () => {
  const [either, both, other] = [['3', '4'], ['4', '5'], ['6']].map((ids) =>
    is('members.employer.id', ...ids),
  );
  expect(splitConditions([either, both] as Condition[]).employers).toEqual([4]);
  expect(splitConditions([either, other] as Condition[])).toEqual({
    ...{ conditions: [], employers: [3, 4], leftOut: [other] },
  });
});
