import type { Condition, Group } from '../../../contract/query.ts';
import { isSame } from './list-settings.ts';

/** Which group's rows a list shows: its index, or -1 for all of them. */
export function findChosenGroup(
  groups: readonly Group[],
  conditions: readonly Condition[],
  by: string,
): number {
  const narrowing = conditions.filter(({ field }) => field === by);
  return narrowing.length === 0 ? -1 : groups.findIndex((group) => isSame(group.conditions, narrowing));
}

/** The filters of a list that shows this group in place of another of the same column; null: all of them. */
export function chooseGroup(
  conditions: readonly Condition[],
  by: string,
  group: Group | null,
): readonly Condition[] {
  return [...conditions.filter(({ field }) => field !== by), ...(group?.conditions ?? [])];
}

/** The group after or before this one; -1 is "all" before the first, and the ends stay. */
export const stepGroup = (at: number, step: 1 | -1, count: number): number =>
  Math.min(count - 1, Math.max(-1, at + step));
