import { formatCount } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { decidedByRules } from '../../domain/figure/reviewer-filters.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { worklistClaimsList } from '../../domain/list/list-ref.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useIsShown } from '../../lib/shown.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './list-parts.module.css';

/** The rules of a list on screen. Behind a claim, where each press changes the proposals, nothing is requested. */
const useRules = () => useWorkspaceQuery('rules:list', {}, { enabled: useIsShown() }).data?.rules ?? [];

/** Whether a rule proposes something now. */
export const useHasProposals = (): boolean => useRules().some(({ proposed }) => proposed.claims > 0);

/** Beside the parts of To decide: the claims with a proposal, and those that rules decided in 30 days. */
export function RuleChips() {
  const { id: workspaceId } = useWorkspace();
  const memory = useListMemory();
  const isShown = useIsShown();
  const rules = useRules();
  const showProposed = () =>
    memory.narrow(
      workspaceId,
      worklistClaimsList('toDecide'),
      { conditions: [{ field: 'facts.proposal', operator: 'isNotEmpty', values: [] }] },
      new Map(),
    );
  return (
    <>
      <Chip
        name="Proposed"
        claims={rules.reduce((sum, { proposed }) => sum + proposed.claims, 0)}
        onShow={showProposed}
      />
      {isShown && rules.some(({ decided }) => decided > 0) && <Decided />}
    </>
  );
}

/** Counts the claims that it opens. */
function Decided() {
  const openList = useOpenList();
  const conditions = decidedByRules(localDayOf(useNow()));
  const [total] = useTotals('decided by rules', [conditions]).data ?? [];
  return (
    <Chip name="Decided by rules" claims={total?.count ?? 0} onShow={() => openList('claims', conditions)} />
  );
}

const Chip = ({ name, claims, onShow }: { name: string; claims: number; onShow: () => void }) =>
  claims === 0 ? null : (
    <button type="button" className={styles.chip} onClick={onShow}>
      {name}
      <span className={styles.count}>{formatCount(claims)}</span>
    </button>
  );
