import { expect, test } from 'vitest';
import {
  chooseGroup,
  findChosenGroup,
  stepGroup,
} from '../../../../../src/renderer/domain/list/grid/group-panel.tsx';
import type { Condition, Group } from '../../../../../src/rules/query.ts';

const totals = { count: 1, billed: null, allowed: null, paid: null, patientResponsibility: null };
const group = (condition: Condition): Group => ({
  value: condition.values[0] ?? null,
  label: null,
  totals,
  conditions: [condition],
});
const rejected = group({ field: 'status', operator: 'is', values: ['Rejected'] });
const blank = group({ field: 'status', operator: 'isEmpty', values: [] });
const groups = [rejected, blank];
const out: Condition = { field: 'network', operator: 'is', values: ['OUT'] };

test('another group replaces the previous one, and other filters stay', () => {
  const first = chooseGroup([out], 'status', rejected);
  expect(first).toEqual([out, ...rejected.conditions]);
  expect(findChosenGroup(groups, first, 'status')).toBe(0);
  const second = chooseGroup(first, 'status', blank);
  expect(second).toEqual([out, ...blank.conditions]);
  expect(findChosenGroup(groups, second, 'status')).toBe(1);
  expect(chooseGroup(second, 'status', null)).toEqual([out]);
});

test('no group is chosen if the list shows several of them, or all', () => {
  const several: Condition = { field: 'status', operator: 'isOneOf', values: ['Rejected', 'Adjusted'] };
  expect(findChosenGroup(groups, [several], 'status')).toBe(-1);
  expect(findChosenGroup(groups, [out], 'status')).toBe(-1);
});

test('stepping goes from all to the first, and stays at both ends', () => {
  expect(stepGroup(-1, 1, 2)).toBe(0);
  expect(stepGroup(1, 1, 2)).toBe(1);
  expect(stepGroup(0, -1, 2)).toBe(-1);
  expect(stepGroup(-1, -1, 2)).toBe(-1);
});
