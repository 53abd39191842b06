import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { worklistTable } from '../../../contract/worklist-table.ts';
import { parseListRef, worklistClaimsList } from '../../domain/list/list-ref.ts';
import { claimsIn, useWorklistCounts } from '../../domain/worklist/use-worklist-counts.ts';
import { formatCount } from '../../lib/format-value.ts';
import styles from './sidebar-worklists.module.css';

const storageKey = 'claimdesk-worklists';

/** Whether the worklists in the sidebar are open, and whether empty ones are shown; it names no record. */
function useFolded(part: 'list' | 'empty', initial: boolean): [boolean, () => void] {
  const key = `${storageKey}-${part}`;
  const [isOpen, setIsOpen] = useState(
    () => (window.localStorage.getItem(key) ?? String(initial)) === 'true',
  );
  const toggle = () => {
    window.localStorage.setItem(key, String(!isOpen));
    setIsOpen(!isOpen);
  };
  return [isOpen, toggle];
}

/** The worklists with their counts. Empty ones are folded away, but for the one that is shown. */
export function SidebarWorklists(props: { workspaceId: string; onGo?: (() => void) | undefined }) {
  const counts = useWorklistCounts(props.workspaceId);
  const [isOpen, toggle] = useFolded('list', true);
  const [isEmptyShown, toggleEmpty] = useFolded('empty', false);
  const { pathname, search } = useLocation();
  const openedFrom = parseListRef({ ...search }).list;
  if (counts === undefined) return null;
  const rows = worklistTable.map(({ id, name, sentence }) => ({
    id,
    name,
    sentence,
    claims: claimsIn(counts, id),
    isActive: pathname === `/worklists/${id}` || openedFrom === worklistClaimsList(id),
  }));
  const shown = rows.filter(({ claims, isActive }) => isEmptyShown || claims > 0 || isActive);
  const emptyCount = rows.filter(({ claims }) => claims === 0).length + (counts.connections === 0 ? 1 : 0);
  return (
    <nav aria-label="Worklists" className={styles.worklists}>
      <button type="button" className={styles.title} aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? <IconChevronDown size={13} aria-hidden /> : <IconChevronRight size={13} aria-hidden />}
        Worklists
      </button>
      {isOpen && (
        <>
          {shown.map(({ id, name, sentence, claims, isActive }) => (
            <Link
              key={id}
              to="/worklists/$worklistId"
              params={{ worklistId: id }}
              className={styles.link}
              data-empty={claims === 0 || undefined}
              data-open={isActive || undefined}
              title={sentence}
              onClick={() => props.onGo?.()}
            >
              <span className={styles.name}>{name}</span>
              <span className={styles.count}>{formatCount(claims)}</span>
            </Link>
          ))}
          {(isEmptyShown || counts.connections > 0) && (
            <Link
              to="/connections"
              className={styles.link}
              data-empty={counts.connections === 0 || undefined}
              title="Carrier connections with a login problem, or without new claims for 60 days."
              onClick={() => props.onGo?.()}
            >
              <span className={styles.name}>Connections</span>
              <span className={styles.count}>{formatCount(counts.connections)}</span>
            </Link>
          )}
          {emptyCount > 0 && (
            <button type="button" className={styles.more} aria-expanded={isEmptyShown} onClick={toggleEmpty}>
              {isEmptyShown ? 'Hide empty' : `Show ${emptyCount} empty`}
            </button>
          )}
        </>
      )}
    </nav>
  );
}
