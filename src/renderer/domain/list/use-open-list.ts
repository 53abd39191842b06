import { useNavigate } from '@tanstack/react-router';
import type { Condition } from '../../../rules/query.ts';
import { useOpenWorkspace } from '../../lib/workspace-context.tsx';
import { useListMemory } from './list-memory.tsx';

/** Names for the IDs in conditions: `members.id 7` → the member's name. */
export type ConditionLabels = readonly (readonly [field: string, value: string | number, name: string])[];

const screens = { claims: '/claims', members: '/members', dependents: '/dependents' } as const;

/** Opens a list's screen with exactly the rows behind a figure. The filters are not in the address. */
export function useOpenList() {
  const workspaceId = useOpenWorkspace()?.id ?? '';
  const navigate = useNavigate();
  const memory = useListMemory();
  return (
    entity: keyof typeof screens,
    conditions: readonly Condition[],
    labels: ConditionLabels = [],
    more: { search?: string; includesArchived?: boolean; includesMissing?: boolean } = {},
  ): void => {
    memory.narrow(
      workspaceId,
      entity,
      {
        search: more.search ?? '',
        conditions: [...conditions],
        includesArchived: more.includesArchived ?? false,
        includesMissing: more.includesMissing ?? false,
      },
      new Map(labels.map(([field, value, name]) => [`${field} ${value}`, name])),
    );
    void navigate({ to: screens[entity] });
  };
}
