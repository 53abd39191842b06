import { Text } from '@mantine/core';
import type { AuditEntry } from '../../../contract/audit.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { DataTable } from '../../components/data-table.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import styles from './audit-page.module.css';
import { describeEntry } from './describe-entry.ts';

/** The entries of one page: when, whose account, what, and about which record. */
export const AuditTable = (props: {
  entries: readonly AuditEntry[];
  workspaces: readonly Workspace[];
  activeId: string | null;
}) => (
  <Scrollable label="Entries" className={styles.entries}>
    <DataTable
      label="Audit entries"
      verticalSpacing={4}
      rows={props.entries}
      keyOf={({ seq }) => seq}
      columns={[
        ['Time', ({ at }) => formatDateTime(at)],
        ['Computer account', ({ actor }) => actor ?? 'not recorded'],
        ['What', describeEntry],
        ['Record', (entry) => <RecordOf entry={entry} isHere={entry.workspaceId === props.activeId} />],
        [
          'Workspace',
          ({ workspaceId }) =>
            props.workspaces.find(({ id }) => id === workspaceId)?.name ?? workspaceId ?? '–',
        ],
        ['Entry', ({ seq }) => seq],
      ]}
    />
  </Scrollable>
);

/** The record that an entry is about: by its name where it is on this computer, else by its ID. */
function RecordOf({ entry, isHere }: { entry: AuditEntry; isHere: boolean }) {
  const { list, recordId } = entry.details;
  const id = typeof recordId === 'number' ? recordId : null;
  if (id === null || entry.workspaceId === null) return '–';
  const workspaceId = entry.workspaceId;
  if (list === 'claims') {
    return isHere ? (
      <AnchorLink to="/claims/$claimId" params={{ claimId: id }}>
        Claim {id}
      </AnchorLink>
    ) : (
      `Claim ${id}`
    );
  }
  const label = list === 'dependents' ? `Dependent ${id}` : `Member ${id}`;
  if (!isHere) return label;
  return list === 'dependents' ? (
    <DependentName workspaceId={workspaceId} id={id} label={label} />
  ) : (
    <MemberName workspaceId={workspaceId} id={id} label={label} />
  );
}

type NameProps = { workspaceId: string; id: number; label: string };

function MemberName({ workspaceId, id, label }: NameProps) {
  const answer = useDeskQuery('records:getMember', { workspaceId, id, isLookup: true });
  if (answer.error !== null) return <NotHere label={label} />;
  return (
    <AnchorLink to="/members/$memberId" params={{ memberId: id }} title={label}>
      {fullNameOf(answer.data?.member, label)}
    </AnchorLink>
  );
}

function DependentName({ workspaceId, id, label }: NameProps) {
  const answer = useDeskQuery('records:getDependent', { workspaceId, id, isLookup: true });
  if (answer.error !== null) return <NotHere label={label} />;
  return (
    <AnchorLink to="/dependents/$dependentId" params={{ dependentId: id }} title={label}>
      {fullNameOf(answer.data?.dependent, label)}
    </AnchorLink>
  );
}

const NotHere = ({ label }: { label: string }) => (
  <Text size="sm" component="span">
    {label} (not on this computer)
  </Text>
);
