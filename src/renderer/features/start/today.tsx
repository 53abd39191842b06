import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addDays } from '../../../contract/days.ts';
import type { ReviewReport, WorklistCounts } from '../../../contract/worklist-counts.ts';
import { findWorklist, type WorklistId } from '../../../contract/worklist-table.ts';
import { Total } from '../../components/amount.tsx';
import { Section } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDay } from '../../lib/format-date.ts';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import styles from './start-page.module.css';

/** How many claims were done on a day, as the report says. */
const doneOn = (done: ReviewReport['done'], day: string): number =>
  done.reduce((sum, one) => (one.day === day ? sum + one.claims : sum), 0);

/** What was done yesterday or, after days without any work, on the last day of the week before. */
export function lastDone(done: ReviewReport['done'], today: string): { name: string; claims: number } {
  const yesterday = addDays(today, -1) ?? today;
  const weekAgo = addDays(today, -7) ?? today;
  const last = done
    .map(({ day }) => day)
    .filter((day) => day < today && day >= weekAgo)
    .sort()
    .at(-1);
  const day = last ?? yesterday;
  return { name: day === yesterday ? 'yesterday' : formatDay(day), claims: doneOn(done, day) };
}

/** What the day begins with: each number is a link to its rows. */
export function Today(props: { workspaceId: string; counts: WorklistCounts; today: string }) {
  const { workspaceId, counts, today } = props;
  // Read after the counts, so that these do not wait for it in the engine.
  const report = useDeskQuery('worklists:report', { workspaceId }, { keepsPrevious: true });
  const find = (id: WorklistId) => counts.worklists.find((one) => one.id === id);
  const changed = find('changed');
  const toPay = find('toPay');
  const last = lastDone(report.data?.done ?? [], today);
  return (
    <Section title="Today">
      <div className={styles.tiles}>
        <Tile
          to={{ to: '/worklists/$worklistId', params: { worklistId: 'changed' } }}
          name={findWorklist('changed').name}
          isNone={!changed?.claims}
          value={formatCount(changed?.claims ?? 0)}
        >
          changed since reviewed
        </Tile>
        <Tile
          to={{ to: '/worklists/$worklistId', params: { worklistId: 'toPay' } }}
          name={findWorklist('toPay').name}
          isNone={!toPay?.claims}
          value={<Total amount={toPay?.amount ?? null} notCounted={toPay?.notCounted} />}
        >
          {formatCountOf(toPay?.claims ?? 0, 'claim')}
        </Tile>
        <Tile
          to={{ to: '/connections' }}
          name="Sign-ins"
          isNone={counts.connections === 0}
          value={formatCount(counts.connections)}
        >
          {counts.connections === 1 ? 'connection needs attention' : 'connections need attention'}
        </Tile>
        {report.data !== undefined && (
          <Tile
            to={{ to: '/reports' }}
            name={`Reviewed ${last.name}`}
            isNone={last.claims === 0}
            value={formatCount(last.claims)}
          >
            {formatCount(doneOn(report.data.done, today))} today so far
          </Tile>
        )}
      </div>
    </Section>
  );
}

function Tile(props: {
  to: LinkProps;
  name: string;
  value: ReactNode;
  isNone: boolean;
  children: ReactNode;
}) {
  return (
    <Link {...props.to} className={styles.tile} data-none={props.isNone || undefined}>
      {props.name}
      <b>{props.value}</b>
      <span className={styles.small}>{props.children}</span>
    </Link>
  );
}
