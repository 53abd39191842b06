import type { ReactNode } from 'react';
import type { MemberRecord } from '../../../contract/records.ts';
import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';
import { ScreenList } from '../../domain/list/screen-list.tsx';
import { DependentPage } from './dependent-page.tsx';

const layouts: readonly ColumnLayout[] = [
  { path: 'id', width: 92, isLink: true },
  { path: 'last_name', width: 116, flex: 2 },
  { path: 'first_name', width: 110, flex: 2 },
  { path: 'middle_name', fromPx: 1600, width: 100, flex: 1 },
  { path: 'relationship', width: 122 },
  { path: 'member.name', width: 130, flex: 2 },
  { path: '$member_id', width: 136 },
  { path: 'date_of_birth', width: 104 },
  { path: 'ssn', width: 108 },
  { path: 'email', fromPx: 1600, width: 180, flex: 3 },
  { path: 'partner_key', fromPx: 1800, width: 110 },
];

/** All dependents of all members. */
export const DependentsPage = ({ logins }: { logins: (member: MemberRecord) => ReactNode }) => (
  <ScreenList
    entity="dependents"
    layouts={layouts}
    renderRecord={(id, from) => <DependentPage dependentId={id} from={from} logins={logins} />}
  />
);
