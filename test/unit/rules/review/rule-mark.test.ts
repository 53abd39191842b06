import { expect, it } from 'vitest';
import type { Condition } from '../../../../src/rules/query.ts';
import { toMarkedConditions } from '../../../../src/rules/review/rule-mark.ts';

it('conditions are stored with a claim up to a length', () => {
  const network: Condition = { field: 'network', operator: 'isOneOf', values: ['IN'] };
  expect(toMarkedConditions([network])).toEqual([network]);
  const values = Array.from({ length: 200 }, (_none, at) => `Network ${at}`);
  expect(toMarkedConditions([network, { ...network, values }])).toEqual([]);
});
