import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import { findWorklist, type WorklistId } from '../../../contract/worklist-table.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { Total } from '../../components/amount.tsx';
import { Section } from '../../components/page.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { readFirstRows } from '../../domain/list/read-first-rows.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useHasTeam } from '../../domain/team/use-has-team.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import { lastDayOfWork, reviewedBefore, reviewedOn, waitingOn } from './own-work.ts';
import { Reminders } from './reminders.tsx';
import styles from './start-page.module.css';

/** The numbers of today; each opens its rows. */
export function Today(props: { workspace: Workspace; counts: WorklistCounts; today: string }) {
  const { workspace, counts, today } = props;
  const find = (id: WorklistId) => counts.worklists.find((one) => one.id === id);
  const hasTeam = useHasTeam(workspace.id);
  const changed = find('changed');
  const toPay = find('toPay');
  return (
    <Section title="Today">
      <div className={styles.tiles}>
        <Tile
          opens={{ to: '/worklists/$worklistId', params: { worklistId: 'changed' } }}
          name={findWorklist('changed').name}
          isNone={!changed?.claims}
          value={formatCount(changed?.claims ?? 0)}
        >
          changed since reviewed
        </Tile>
        <Tile
          opens={{ to: '/worklists/$worklistId', params: { worklistId: 'toPay' } }}
          name={findWorklist('toPay').name}
          isNone={!toPay?.claims}
          value={<Total amount={toPay?.amount ?? null} notCounted={toPay?.notCounted} />}
        >
          {formatCountOf(toPay?.claims ?? 0, 'claim')}
        </Tile>
        <Tile
          opens={{ to: '/connections' }}
          name="Sign-ins"
          isNone={counts.connections === 0}
          value={formatCount(counts.connections)}
        >
          {counts.connections === 1 ? 'connection needs attention' : 'connections need attention'}
        </Tile>
        <OwnReviews workspace={workspace} today={today} />
        {hasTeam && <OnYou workspace={workspace} />}
      </div>
      <Reminders workspaceId={workspace.id} today={today} />
    </Section>
  );
}

/** The claims that colleagues wait for, or that they handed to the person of this workspace to decide. */
function OnYou({ workspace: { id: workspaceId, email } }: { workspace: Workspace }) {
  const open = useOpenList(workspaceId);
  const list = waitingOn(email);
  const [total] = useTotals(workspaceId, 'on you', [list], { includesMissing: true }).data ?? [];
  if (total === undefined) return null;
  return (
    <Tile
      opens={() => open('claims', list, [], { includesMissing: true })}
      name="Waiting on you"
      isNone={total.count === 0}
      value={formatCount(total.count)}
    >
      waiting on you or escalated to you
    </Tile>
  );
}

/** How many claims the person of this workspace reviewed on the last day of work, and today. */
function OwnReviews({
  workspace: { id: workspaceId, email },
  today,
}: {
  workspace: Workspace;
  today: string;
}) {
  const bridge = useBridge();
  const open = useOpenList(workspaceId);
  const newest = useQuery({
    queryKey: ['worklists', workspaceId, 'newest own review', email, today],
    queryFn: () =>
      readFirstRows(bridge, {
        workspaceId,
        query: {
          entity: 'claims',
          conditions: reviewedBefore(email, today),
          sort: [{ field: 'review.at', direction: 'desc' }],
        },
        limit: 1,
        fields: ['review.at'],
        isLookup: true,
      }),
  });
  const { day, name } = lastDayOfWork(newest.data?.[0], today);
  const ofDay = reviewedOn(email, day);
  const lists = newest.data === undefined ? [] : [ofDay, reviewedOn(email, today)];
  const [last, now] = useTotals(workspaceId, 'own reviews', lists).data ?? [];
  if (last === undefined || now === undefined) return null;
  return (
    <Tile
      opens={() => open('claims', ofDay)}
      name={figures.reviewedByYou.name}
      isNone={last.count === 0}
      value={formatCount(last.count)}
      title={figures.reviewedByYou.holds}
    >
      {name} · {formatCount(now.count)} today
    </Tile>
  );
}

/** A number of today. `opens`: the page of its rows, or a function that opens their list. */
function Tile(props: {
  opens: LinkProps | (() => void);
  name: string;
  value: ReactNode;
  isNone: boolean;
  title?: string;
  children: ReactNode;
}) {
  const { opens, title, isNone } = props;
  const frame = { className: styles.tile ?? '', title, 'data-none': isNone || undefined };
  const content = (
    <>
      {props.name}
      <b>{props.value}</b>
      <span className={styles.small}>{props.children}</span>
    </>
  );
  return typeof opens === 'function' ? (
    <UnstyledButton {...frame} onClick={opens}>
      {content}
    </UnstyledButton>
  ) : (
    <Link {...opens} {...frame}>
      {content}
    </Link>
  );
}
