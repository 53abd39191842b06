import { Checkbox } from '@mantine/core';
import type { Output } from '../../../contract/procedures.ts';
import type { ClaimGroup, ReviewAct } from '../../../contract/review.ts';
import { Total } from '../../components/amount.tsx';
import { Hint } from '../../components/text.tsx';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import styles from './bulk-groups.module.css';

export type FrozenGroups = Output<'reviews:freeze'>['groups'];

/** After a count: "28 rejected by the carrier". */
const groupLabels: Readonly<Record<ClaimGroup, string>> = {
  open: 'to review, processed by the carrier',
  reviewed: 'reviewed already (done, waiting, or escalated)',
  rejected: 'rejected by the carrier',
  rejectedReviewed: 'rejected by the carrier, reviewed already',
  unprocessed: 'not processed by the carrier yet',
  unprocessedReviewed: 'not processed by the carrier yet, reviewed already',
};

export const areAllOpen = (groups: FrozenGroups): boolean => groups.every(({ group }) => group === 'open');

/** What an act takes unless a person chooses otherwise: a decision on a whole list only what is to review and processed. */
export const groupsAtFirst = (
  { act, isPicked }: { readonly act: ReviewAct; readonly isPicked: boolean },
  groups: FrozenGroups,
): ClaimGroup[] =>
  groups.map(({ group }) => group).filter((group) => isPicked || act.kind !== 'decision' || group === 'open');

/** How many claims of a selection are in which group, and whether they are taken. Says nothing where all are to review. */
export function BulkGroups(props: {
  groups: FrozenGroups;
  chosen: readonly ClaimGroup[];
  onChoose: (chosen: ClaimGroup[]) => void;
}) {
  const { groups, chosen, onChoose } = props;
  if (areAllOpen(groups)) return null;
  const all = groups.reduce((sum, { totals }) => sum + totals.count, 0);
  return (
    <fieldset className={styles.groups}>
      <legend className={styles.legend}>Which of the {formatCountOf(all, 'claim')}</legend>
      {groups.map(({ group, totals }, at) => (
        <div key={group} className={styles.group}>
          <Checkbox
            size="sm"
            label={`${formatCount(totals.count)} ${groupLabels[group]}`}
            checked={chosen.includes(group)}
            autoFocus={at === 0}
            onChange={({ currentTarget: { checked } }) =>
              onChoose(checked ? [...chosen, group] : chosen.filter((one) => one !== group))
            }
          />
          <Hint className={styles.amount ?? ''}>
            <Total
              amount={totals.patientResponsibility}
              notCounted={totals.notCounted?.patientResponsibility}
            />
          </Hint>
        </div>
      ))}
    </fieldset>
  );
}
