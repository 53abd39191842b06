import type { Output } from '../../../contract/procedures.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { Details } from '../../components/details.tsx';
import { FieldList } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { findFilterField, formatFilterValue } from '../list/describe-filter.ts';
import { useFilterLabels } from '../list/grid/use-filter-labels.ts';
import { proposalCommand } from './group-commands.ts';
import { KeyCap } from './key-cap.tsx';
import styles from './review-panel.module.css';

type Explained = Output<'rules:explain'>;

/** The proposal of a rule for a claim, and the rule that decided it; undefined while it is not known yet. */
export const useRuleOf = (claimId: number): Explained | undefined =>
  useWorkspaceQuery('rules:explain', { claimId }).data;

/** The proposal of a rule as a button that takes it, and why the rule matches. */
export function Proposal(props: { proposal: Explained['proposal']; onTake: () => void }) {
  const { proposal, onTake } = props;
  if (proposal === null) return null;
  const { key } = proposalCommand;
  return (
    <div className={styles.proposal}>
      <SmallButton
        variant="light"
        justify="space-between"
        aria-keyshortcuts={key}
        rightSection={<KeyCap>{key}</KeyCap>}
        onClick={onTake}
      >
        Proposed: {proposal.words} · {proposal.name}
      </SmallButton>
      <Why of={proposal} />
    </div>
  );
}

/** The rule that decided the claim, or whose proposal was taken; nothing where none did. */
export function DecidedByRule({
  rule,
  explained,
}: {
  rule: ClaimReview['rule'];
  explained: Explained | undefined;
}) {
  if (rule == null) return null;
  const { name, version, since, by, confirmedBy, how } = rule;
  return (
    <div className={styles.by}>
      <SmallPrint>
        {how === 'done' ? 'Decided by rule' : 'As proposed by rule'} {name} (version {version}, switched on{' '}
        {formatDay(localDayOf(new Date(since)))} by {by}
        {confirmedBy !== null && `, confirmed by ${confirmedBy}`})
      </SmallPrint>
      {explained?.decided != null && <Why of={explained.decided} />}
    </div>
  );
}

/** Each condition of a rule, with the value of the claim. */
function Why({ of: { conditions } }: { of: NonNullable<Explained['proposal']> }) {
  const describe = useFilterLabels({ labels: new Map() }, 'claims');
  return (
    <Details summary="Why">
      <FieldList
        fields={conditions.map(({ condition, value }) => {
          const field = findFilterField('claims', condition.field);
          const text =
            value === null ? '(Blank)' : field === undefined ? value : formatFilterValue(field, value);
          return [describe(condition), String(text)] as const;
        })}
      />
    </Details>
  );
}
