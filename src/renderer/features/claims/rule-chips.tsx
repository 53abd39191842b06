import { formatCount } from '../../../rules/count.ts';
import type { Condition } from '../../../rules/query.ts';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { worklistClaimsList } from '../../domain/list/list-ref.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useIsShown } from '../../lib/shown.ts';
import styles from './list-parts.module.css';

const hasValue = (field: string): Condition[] => [{ field, operator: 'isNotEmpty', values: [] }];

/** The rules for a list that is on screen; behind a claim, where each press changes what they propose, it asks for nothing. */
const useRules = (workspaceId: string) =>
  useDeskQuery('rules:list', { workspaceId }, { enabled: useIsShown() }).data?.rules ?? [];

/** Whether a rule proposes something now. */
export const useHasProposals = (workspaceId: string): boolean =>
  useRules(workspaceId).some(({ proposed }) => proposed.claims > 0);

/** Beside the parts of To decide: the claims with a proposal, and those that rules decided in 30 days. */
export function RuleChips({ workspaceId }: { workspaceId: string }) {
  const memory = useListMemory();
  const openList = useOpenList(workspaceId);
  const rules = useRules(workspaceId);
  const showProposed = () =>
    memory.narrow(
      workspaceId,
      worklistClaimsList('toDecide'),
      { conditions: hasValue('facts.proposal') },
      new Map(),
    );
  const chips = [
    {
      name: 'Proposed',
      claims: rules.reduce((sum, { proposed }) => sum + proposed.claims, 0),
      show: showProposed,
    },
    {
      name: 'Decided by rules',
      claims: rules.reduce((sum, { decided }) => sum + decided, 0),
      show: () => openList('claims', hasValue('review.rule')),
    },
  ];
  return chips
    .filter(({ claims }) => claims > 0)
    .map(({ name, claims, show }) => (
      <button key={name} type="button" className={styles.chip} onClick={show}>
        {name}
        <span className={styles.count}>{formatCount(claims)}</span>
      </button>
    ));
}
