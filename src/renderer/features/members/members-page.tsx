import type { ReactNode } from 'react';
import type { MemberRecord } from '../../../contract/records.ts';
import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';
import { ScreenList } from '../../domain/list/screen-list.tsx';
import { MemberPage } from './member-page.tsx';

const layouts: readonly ColumnLayout[] = [
  { path: 'id', width: 88, isLink: true },
  { path: 'last_name', width: 104, flex: 2 },
  { path: 'first_name', width: 100, flex: 2 },
  { path: 'email', width: 160, flex: 3 },
  { path: 'employer.name', width: 134, flex: 3 },
  { path: 'date_of_birth', width: 104 },
  { path: 'ssn', width: 110 },
  { path: 'partner_key', width: 104 },
];

/** All members of the workspace; archived ones only on request. */
export const MembersPage = ({ logins }: { logins: (member: MemberRecord) => ReactNode }) => (
  <ScreenList
    entity="members"
    layouts={layouts}
    renderRecord={(id, from) => <MemberPage memberId={id} from={from} logins={logins} />}
  />
);
