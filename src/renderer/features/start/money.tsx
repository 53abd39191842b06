import { Link } from '@tanstack/react-router';
import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { findWorklist, type WorklistId } from '../../../rules/worklists/worklist-table.ts';
import { Total } from '../../components/amount.tsx';
import { Section } from '../../components/page.tsx';
import { formatGrowing } from '../../lib/format-value.ts';
import styles from './start-page.module.css';

const moneyIds: readonly WorklistId[] = ['toPay', 'owedBack', 'denied', 'toDecide'];

/** The sums of the worklists that are about money. Each opens its claims. */
export const Money = ({ counts, isFinal }: { counts: WorklistCounts; isFinal: boolean }) => (
  <Section title="Money">
    <ul className={styles.money}>
      {moneyIds.map((id) => {
        const worklistCount = counts.worklists.find((candidate) => candidate.id === id);
        const { name, sentence } = findWorklist(id);
        const claims = worklistCount?.claims ?? 0;
        return (
          <li key={id}>
            <Link
              to="/worklists/$worklistId"
              params={{ worklistId: id }}
              className={styles.sum}
              title={sentence}
              data-none={claims === 0 || undefined}
            >
              <span>{name}</span>
              {claims === 0 ? (
                <span>{isFinal ? 'None' : '…'}</span>
              ) : (
                <b>
                  <Total amount={worklistCount?.amount ?? null} notCounted={worklistCount?.notCounted} />
                </b>
              )}
              {claims > 0 && (
                <small>
                  {isFinal ? formatCountOf(claims, 'claim') : `${formatGrowing(claims, false)} claims`}
                  {worklistCount?.amountLabel !== name && ` · ${worklistCount?.amountLabel.toLowerCase()}`}
                </small>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  </Section>
);
