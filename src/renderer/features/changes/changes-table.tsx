import type { RecordChange } from '../../../contract/sync.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { formatPersonName } from '../../../rules/person-names.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Details } from '../../components/details.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useRowsById } from '../../domain/list/use-rows-by-id.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './changes-table.module.css';
import { changeLabels, describeFields, type ShownField } from './describe-change.ts';

/** The changed records of one page, with their names and differences. */
export function ChangesTable(props: { changes: readonly RecordChange[] }) {
  const { changes } = props;
  const { email } = useWorkspace();
  const idsOf = (list: RecordChange['list']) =>
    changes.filter((change) => change.list === list).map(({ id }) => id);
  const claims = useRowsById('claims', idsOf('claims'), ['patient_name', 'service_provider']);
  const members = useRowsById('members', idsOf('members'), ['first_name', 'last_name']);
  const nameOf = ({ list, id }: RecordChange): string => {
    const row = (list === 'claims' ? claims : members).get(id);
    if (list === 'members') return fullNameOf(row);
    const patient = typeof row?.patient_name === 'string' ? formatPersonName(row.patient_name) : '';
    return [patient, row?.service_provider].filter(Boolean).join(' · ');
  };
  return (
    <Scrollable label="Changes, scrollable" className={styles.scroll}>
      <DataTable
        label="Changes"
        className={styles.rows ?? ''}
        verticalSpacing={4}
        rows={changes}
        keyOf={({ list, id }) => `${list} ${id}`}
        columns={[
          [
            'Record',
            (change) => (
              <>
                <RecordLink change={change} />
                <SmallPrint>{nameOf(change)}</SmallPrint>
              </>
            ),
            styles.record,
          ],
          [
            'Change',
            ({ change, decidedBy }) => (
              <>
                {changeLabels[change]}
                {decidedBy !== null && (
                  <SmallPrint>Decided by {decidedBy === email ? 'you' : decidedBy}</SmallPrint>
                )}
              </>
            ),
            styles.kind,
          ],
          ['Before → after', (change) => <ChangedFields change={change} />],
        ]}
      />
    </Scrollable>
  );
}

const RecordLink = ({ change: { list, id } }: { change: RecordChange }) =>
  list === 'claims' ? (
    <AnchorLink to="/claims/$claimId" params={{ claimId: id }}>
      Claim {id}
    </AnchorLink>
  ) : (
    <AnchorLink to="/members/$memberId" params={{ memberId: id }}>
      Member {id}
    </AnchorLink>
  );

const usual = 8;

function ChangedFields({ change }: { change: RecordChange }) {
  const { main, others } = describeFields(change);
  const folded = [...main.slice(usual), ...others];
  return (
    <>
      <FieldLines fields={main.slice(0, usual)} />
      {folded.length > 0 && (
        <Details summary={formatCountOf(folded.length, main.length === 0 ? 'field' : 'more field')}>
          <FieldLines fields={folded} />
        </Details>
      )}
      {change.isCut && (
        <SmallPrint>Some long values, or fields beyond the first 80, are not kept.</SmallPrint>
      )}
    </>
  );
}

function FieldLines({ fields }: { fields: readonly ShownField[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className={styles.fields}>
      {fields.map(({ path, label, before, after }) => (
        <div key={path} className={styles.field}>
          <dt>{label}</dt>
          <dd>
            <del>{before}</del> <span aria-hidden>→</span> <ins>{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
