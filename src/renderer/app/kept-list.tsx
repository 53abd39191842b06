import { useMatches } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { MemberRecord } from '../../contract/records.ts';
import { LoadingState } from '../components/states.tsx';
import { MemberLogins } from '../features/connect/member-logins.tsx';
import { ShownContext } from '../lib/shown.ts';
import styles from './kept-list.module.css';
import { ClaimsPage, DependentsPage, LinesPage, MembersPage } from './pages.tsx';
import { WithWorkspace } from './with-workspace.tsx';

/** The member's carrier logins, which the page is given, since features do not import each other. */
export const renderLogins = ({ id, email }: MemberRecord) => (
  <MemberLogins memberId={id} email={email || null} />
);

const lists = {
  '/claims': ClaimsPage,
  '/lines': LinesPage,
  '/members': () => <MembersPage logins={renderLogins} />,
  '/dependents': DependentsPage,
};
type ListPath = keyof typeof lists;

const isList = (pathname: string): pathname is ListPath => Object.hasOwn(lists, pathname);
const isRecord = (pathname: string): boolean => /^\/(claims|members|dependents)\/\d+$/.test(pathname);

/**
 * The large list that is on screen, or was before the open record. It stays mounted while its records are read:
 * making a table takes longer than showing it, and its scroll position is kept.
 */
export function KeptList() {
  // The match changes together with the page below; the address changes a moment earlier, and both would be visible.
  const matched = useMatches({
    select: (matches) => {
      const last = matches.at(-1);
      return last?.status === 'success' ? last.pathname : null;
    },
  });
  const [settled, setSettled] = useState('');
  if (matched !== null && matched !== settled) setSettled(matched);
  const pathname = matched ?? settled;
  const [kept, setKept] = useState<ListPath | null>(null);
  const path = isList(pathname) ? pathname : isRecord(pathname) ? kept : null;
  if (path !== kept) setKept(path);
  if (path === null) return null;
  const List = lists[path];
  const isShown = path === pathname;
  return (
    <div className={isShown ? styles.shown : styles.kept}>
      <Suspense fallback={<LoadingState what="the page" />}>
        <ShownContext value={isShown}>
          <WithWorkspace>
            <List key={path} />
          </WithWorkspace>
        </ShownContext>
      </Suspense>
    </div>
  );
}
