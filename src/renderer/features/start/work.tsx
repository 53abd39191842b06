import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import {
  findWorklist,
  type Worklist,
  type WorklistId,
  worklistTable,
} from '../../../contract/worklist-table.ts';
import { Total } from '../../components/amount.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import { doneThisWeek } from './done-this-week.ts';
import styles from './start-page.module.css';

type Counted = WorklistCounts['worklists'][number] & { readonly worklist: Worklist };

/** Worklists that are looked at now and then, not worked through. */
const watchedIds: readonly WorklistId[] = ['qualityCheck', 'highCost', 'due'];
/** They are under *Today*. */
const todayIds: readonly WorklistId[] = ['changed', 'toPay'];
const shownLists = 5;

/** The worklists with most claims, largest first, but for those that are shown elsewhere on the page. */
export function largestWorklists(counts: WorklistCounts, today: string): Counted[] {
  return worklistTable
    .flatMap((worklist) => {
      const of = counts.worklists.find(({ id }) => id === worklist.id);
      const isElsewhere = [...watchedIds, ...todayIds].includes(worklist.id);
      if (of === undefined || of.claims === 0 || isElsewhere) return [];
      return doneThisWeek(worklist, today) === null ? [] : [{ ...of, worklist }];
    })
    .sort((a, b) => b.claims - a.claims)
    .slice(0, shownLists);
}

/** The largest worklists: what remains in each, and what was reviewed of it this week. */
export function Work(props: { workspaceId: string; rows: readonly Counted[]; today: string }) {
  const { workspaceId, rows, today } = props;
  const open = useOpenList(workspaceId);
  const lists = rows.map(({ worklist }) => doneThisWeek(worklist, today) ?? []);
  const done = useTotals(workspaceId, 'done this week', lists).data;
  return (
    <>
      <ul className={styles.work}>
        {rows.map(({ worklist, claims, amount, amountLabel, notCounted }, at) => {
          const doneClaims = done?.[at]?.count ?? 0;
          return (
            <li key={worklist.id}>
              <div className={styles.line}>
                <AnchorLink
                  to="/worklists/$worklistId"
                  params={{ worklistId: worklist.id }}
                  title={worklist.sentence}
                  underline="hover"
                  fw={600}
                >
                  {worklist.name}
                </AnchorLink>
                <span>
                  <Total amount={amount} notCounted={notCounted} />{' '}
                  <span className={styles.small}>{amountLabel.toLowerCase()}</span>
                </span>
              </div>
              <div className={styles.bar} aria-hidden>
                <div style={{ width: `${(100 * doneClaims) / (doneClaims + claims)}%` }} />
              </div>
              <div className={styles.small}>
                {formatCountOf(claims, 'claim')} left
                {doneClaims > 0 && (
                  <>
                    {' · '}
                    <TextButton onClick={() => open('claims', lists[at] ?? [])}>
                      {formatCount(doneClaims)} reviewed this week
                    </TextButton>
                  </>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {rows.length > 0 && (
        <FigureNote
          of={[figures.worklists, ...(done?.some(({ count }) => count > 0) ? [figures.doneThisWeek] : [])]}
        />
      )}
    </>
  );
}

/** The worklists that are looked at from time to time. */
export function Watch({ counts }: { counts: WorklistCounts }) {
  return (
    <Section title="Watch">
      <ul className={styles.watch}>
        {watchedIds.map((id) => {
          const of = counts.worklists.find((one) => one.id === id);
          return (
            <li key={id} className={styles.line}>
              <AnchorLink
                to="/worklists/$worklistId"
                params={{ worklistId: id }}
                title={findWorklist(id).sentence}
                underline="hover"
              >
                {findWorklist(id).name}
              </AnchorLink>
              <span>{formatCount(of?.claims ?? 0)}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
