import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { WorklistId } from '../../../rules/worklists/worklist-table.ts';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { parseListRef, worklistClaimsList } from '../../domain/list/list-ref.ts';
import { areFinal, claimsIn, useWorklistCounts } from '../../domain/worklist/use-worklist-counts.ts';
import { useWorklists } from '../../domain/worklist/use-worklists.ts';
import { formatGrowing } from '../../lib/format-value.ts';
import styles from './sidebar-worklists.module.css';

/** The worklists that are always shown, in this order; the others are under *More*. */
const dailyIds: readonly WorklistId[] = ['toDecide', 'toPay', 'changed', 'back', 'waiting', 'denied', 'due'];

const storageKey = 'claimdesk-worklists-more';

/** The worklists with their counts. */
export function SidebarWorklists(props: { workspaceId: string; onGo?: (() => void) | undefined }) {
  const counts = useWorklistCounts(props.workspaceId);
  const isFinal = areFinal(counts);
  const [isMore, setIsMore] = useState(() => window.localStorage.getItem(storageKey) === 'true');
  const { pathname, search } = useLocation();
  const memory = useListMemory();
  const openedFrom = parseListRef({ ...search }).list;
  const rows = useWorklists(props.workspaceId).map(({ id, name, sentence }) => ({
    id,
    name,
    sentence,
    claims: claimsIn(counts, id),
    isActive: pathname === `/worklists/${id}` || openedFrom === worklistClaimsList(id),
  }));
  const daily = dailyIds.flatMap((id) => rows.filter((row) => row.id === id));
  const others = rows.filter(({ id }) => !dailyIds.includes(id));
  const toggle = () => {
    window.localStorage.setItem(storageKey, String(!isMore));
    setIsMore(!isMore);
  };
  const link = ({ id, name, sentence, claims, isActive }: (typeof rows)[number]) => (
    <Link
      key={id}
      to="/worklists/$worklistId"
      params={{ worklistId: id }}
      className={styles.link}
      data-empty={(isFinal && claims === 0) || undefined}
      data-open={isActive || undefined}
      title={sentence}
      onClick={() => {
        if (pathname === `/worklists/${id}`) memory.comeTo(props.workspaceId, worklistClaimsList(id));
        props.onGo?.();
      }}
    >
      <span className={styles.name}>{name}</span>
      {counts !== undefined && <span className={styles.count}>{formatGrowing(claims, isFinal)}</span>}
    </Link>
  );
  return (
    <nav aria-label="Worklists" className={styles.worklists}>
      <span className={styles.title} aria-hidden>
        Worklists
      </span>
      {daily.map(link)}
      {others.filter(({ isActive }) => isMore || isActive).map(link)}
      <button type="button" className={styles.more} aria-expanded={isMore} onClick={toggle}>
        {isMore ? <IconChevronDown size={13} aria-hidden /> : <IconChevronRight size={13} aria-hidden />}
        {isMore ? 'Less' : 'More'}
      </button>
    </nav>
  );
}
