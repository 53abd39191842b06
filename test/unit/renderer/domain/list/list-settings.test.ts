import { describe, expect, it, test } from 'vitest';
import { listQuerySchema } from '../../../../../src/contract/query.ts';
import { planOf } from '../../../../../src/renderer/domain/list/list-plan.ts';
import {
  addConditions,
  moveColumn,
  orderColumns,
  startSettings,
  toListQuery,
} from '../../../../../src/renderer/domain/list/list-settings.ts';
import { isSearchOnly, keptOf, ListSteps } from '../../../../../src/renderer/domain/list/list-steps.ts';
import { claimLayouts } from '../../../../../src/renderer/features/claims/claim-columns.ts';

const plan = planOf('claims', claimLayouts, 1280);

const status = { field: 'status', operator: 'is' as const, values: ['Rejected'] };

describe('toListQuery', () => {
  it('puts what always counts first, and is what the contract takes', () => {
    const always = [{ field: 'members.id', operator: 'is' as const, values: [7] }];
    const query = toListQuery({ ...plan, always }, { ...plan.initial, search: 'ada', conditions: [status] });
    expect(listQuerySchema.parse(query)).toEqual(query);
    expect(query.conditions).toEqual([...always, status]);
    expect(query.sort).toEqual([{ field: 'date_of_service', direction: 'desc' }]);
  });

  it('asks for archived members only where they are wanted', () => {
    const plan = { entity: 'members' as const, initial: startSettings({ columns: ['id'] }) };
    expect(toListQuery(plan, plan.initial)).toEqual({ entity: 'members' });
    expect(toListQuery(plan, { ...plan.initial, includesArchived: true }).includesArchived).toBe(true);
  });
});

test('asks for what the service no longer returns only where it is wanted', () => {
  expect(toListQuery(plan, plan.initial)).not.toHaveProperty('includesMissing');
  expect(toListQuery(plan, { ...plan.initial, includesMissing: true }).includesMissing).toBe(true);
});

describe('columns', () => {
  it('keeps the frozen ones first', () => {
    expect(orderColumns(['a', 'b', 'c'], ['c'])).toEqual(['c', 'a', 'b']);
  });

  it('moves one by one place, and not past the edge of its part', () => {
    expect(moveColumn(['a', 'b', 'c'], [], 'c', -1)).toEqual(['a', 'c', 'b']);
    expect(moveColumn(['a', 'b', 'c'], [], 'c', 1)).toEqual(['a', 'b', 'c']);
    expect(moveColumn(['a', 'b', 'c'], ['a'], 'b', -1)).toEqual(['a', 'b', 'c']);
    expect(moveColumn(['a', 'b', 'c'], ['a', 'c'], 'c', -1)).toEqual(['c', 'a', 'b']);
  });
});

it('does not put a filter in twice', () => {
  const once = addConditions([], [status]);
  expect(addConditions(once, [{ ...status }])).toBe(once);
});

describe('ListSteps', () => {
  const kept = keptOf('claims', plan.initial);

  it('finds what a list showed, and nothing of another list or of an older window', () => {
    const steps = new ListSteps();
    const first = steps.add('claims', kept);
    const second = steps.add('claims', { ...kept, conditions: [status] });
    expect(steps.find(first, 'claims')).toEqual(kept);
    expect(steps.find(second, 'claims')?.conditions).toEqual([status]);
    expect(steps.find(first, 'members')).toBeNull();
    expect(steps.find(99, 'claims')).toBeNull();
    expect(steps.find(undefined, 'claims')).toBeNull();
  });

  it('forgets the oldest', () => {
    const steps = new ListSteps();
    const first = steps.add('claims', kept);
    for (let index = 0; index < 250; index += 1) steps.add('claims', kept);
    expect(steps.find(first, 'claims')).toBeNull();
  });

  it('keeps no SSN that was searched for', () => {
    for (const search of ['123-45-6789', '123 45 6789', '123456789']) {
      expect(keptOf('members', { ...plan.initial, search })).toMatchObject({ search: '' });
    }
    expect(keptOf('members', { ...plan.initial, search: 'ada 1985' })).toMatchObject({
      search: 'ada 1985',
    });
  });

  it('takes typing as one step, and a filter as another', () => {
    expect(isSearchOnly({ ...kept, search: 'a' }, { ...kept, search: 'ad' })).toBe(true);
    expect(isSearchOnly(kept, { ...kept, conditions: [status] })).toBe(false);
  });
});
