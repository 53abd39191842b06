import { useMatches } from '@tanstack/react-router';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import type { MemberRecord } from '../../contract/records.ts';
import { worklistIds } from '../../rules/worklists/worklist-table.ts';
import { LoadingState } from '../components/states.tsx';
import { MemberLogins } from '../features/connect/member-logins.tsx';
import { ShownContext } from '../lib/shown.ts';
import { ClaimsPage, DependentsPage, LinesPage, MembersPage, WorklistPage } from './late-pages.tsx';
import styles from './mounted-list.module.css';
import { WithWorkspace } from './with-workspace.tsx';

/** The member's carrier logins, passed to the page as a function, because features do not import each other. */
export const renderLogins = (member: MemberRecord) => <MemberLogins member={member} />;
export const renderLoginsOfSubscriber = (member: MemberRecord) => (
  <MemberLogins member={member} isOnDependentPage />
);

const lists = {
  '/claims': ClaimsPage,
  '/lines': LinesPage,
  '/members': () => <MembersPage logins={renderLogins} />,
  '/dependents': () => <DependentsPage logins={renderLoginsOfSubscriber} />,
};

/** The page of the large list at this address; null: another page. */
function renderList(pathname: string): ReactNode {
  const worklist = worklistIds.find((id) => pathname === `/worklists/${id}`);
  if (worklist !== undefined) return <WorklistPage key={pathname} id={worklist} />;
  if (!Object.hasOwn(lists, pathname)) return null;
  const List = lists[pathname as keyof typeof lists];
  return <List key={pathname} />;
}

const isRecord = (pathname: string): boolean =>
  /^\/(claims|members|dependents)\/\d+(\/(duplicates|file))?$/.test(pathname);

/** The address of the page that is on screen. */
export function usePathOnScreen(): string {
  // The match changes together with the page below; the address changes a moment earlier, and both would be visible.
  const matched = useMatches({
    select: (matches) => {
      const last = matches.at(-1);
      return last?.status === 'success' ? last.pathname : null;
    },
  });
  const [last, setLast] = useState('');
  if (matched !== null && matched !== last) setLast(matched);
  return matched ?? last;
}

/**
 * The large list on screen, or the one behind the open record. It stays mounted while a record is open, because making
 * a table takes longer than showing it, and its scroll position is kept.
 */
export function MountedList() {
  const pathname = usePathOnScreen();
  const [mounted, setMounted] = useState<string | null>(null);
  const path = isRecord(pathname) ? mounted : pathname;
  if (path !== mounted) setMounted(path);
  // The same element each time, so that only components that depend on its visibility are drawn again.
  const list = useMemo(() => {
    const page = path === null ? null : renderList(path);
    return page === null ? null : <WithWorkspace>{page}</WithWorkspace>;
  }, [path]);
  if (list === null) return null;
  const isShown = path === pathname;
  return (
    <div className={isShown ? styles.shown : styles.mounted}>
      <Suspense fallback={<LoadingState what="the page" />}>
        <ShownContext value={isShown}>{list}</ShownContext>
      </Suspense>
    </div>
  );
}
