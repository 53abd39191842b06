import { describe, expect, it, test } from 'vitest';
import { planOf } from '../../../../../src/renderer/domain/list/list-plan.ts';
import {
  addConditions,
  moveColumn,
  orderColumns,
  startSettings,
  toListQuery,
} from '../../../../../src/renderer/domain/list/list-settings.ts';
import { claimLayouts } from '../../../../../src/renderer/features/claims/claim-columns.ts';
import { listQuerySchema } from '../../../../../src/rules/query.ts';

const plan = planOf('claims', claimLayouts, 1280);

const status = { field: 'status', operator: 'is' as const, values: ['Rejected'] };

describe('toListQuery', () => {
  it('puts what always applies first, and matches the contract', () => {
    const always = [{ field: 'members.id', operator: 'is' as const, values: [7] }];
    const query = toListQuery({ ...plan, always }, { ...plan.initial, search: 'ada', conditions: [status] });
    expect(listQuerySchema.parse(query)).toEqual(query);
    expect(query.conditions).toEqual([...always, status]);
    expect(query.sort).toEqual([{ field: 'date_of_service', direction: 'desc' }]);
  });

  it('requests archived members only if they are wanted', () => {
    const plan = { entity: 'members' as const, initial: startSettings({ columns: ['id'] }) };
    expect(toListQuery(plan, plan.initial)).toEqual({ entity: 'members' });
    expect(toListQuery(plan, { ...plan.initial, includesArchived: true }).includesArchived).toBe(true);
  });
});

test('requests what the service no longer returns only if it is wanted', () => {
  expect(toListQuery(plan, plan.initial)).not.toHaveProperty('includesMissing');
  expect(toListQuery(plan, { ...plan.initial, includesMissing: true }).includesMissing).toBe(true);
});

describe('columns', () => {
  it('keeps the frozen ones first', () => {
    expect(orderColumns(['a', 'b', 'c'], ['c'])).toEqual(['c', 'a', 'b']);
  });

  it('moves by one position, and not past the edge of its part', () => {
    expect(moveColumn(['a', 'b', 'c'], [], 'c', -1)).toEqual(['a', 'c', 'b']);
    expect(moveColumn(['a', 'b', 'c'], [], 'c', 1)).toEqual(['a', 'b', 'c']);
    expect(moveColumn(['a', 'b', 'c'], ['a'], 'b', -1)).toEqual(['a', 'b', 'c']);
    expect(moveColumn(['a', 'b', 'c'], ['a', 'c'], 'c', -1)).toEqual(['c', 'a', 'b']);
  });
});

it('does not add a filter twice', () => {
  const once = addConditions([], [status]);
  expect(addConditions(once, [{ ...status }])).toBe(once);
});
