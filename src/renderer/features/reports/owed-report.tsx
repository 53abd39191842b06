import type { ReportSource } from '../../../contract/export.ts';
import type { OwedMember } from '../../../contract/worklist-counts.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { LoadingState } from '../../components/states.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { ExportReport } from './export-report.tsx';
import { NumberOpener } from './number-opener.tsx';
import { column } from './report-rows.ts';
import styles from './reports-page.module.css';

const { owedBack } = figures;
const limit = 200;
const columns = [
  'id',
  'date_of_service.first_day',
  'patient_name',
  'members.employer.name',
  'facts.eligible',
  'review.reimbursed',
  'review.written_off',
  'facts.owed',
];

const toTable = (members: readonly OwedMember[]): ReportSource => ({
  kind: 'report',
  title: owedBack.name,
  columns: [
    { ...column('Member', 'text'), identifies: true },
    column('Employer', 'text'),
    column('Claims', 'integer'),
    column('Owed back', 'money'),
  ],
  rows: members.map(({ name, employer, claims, owed }) => [name, employer, claims, owed]),
});

/** Shows what members owe back, by member. The member's page has the ledger; a number opens its claims. */
export function OwedReport() {
  const answer = useWorkspaceQuery('worklists:owed', { limit }, { keepsPrevious: true });
  const open = useOpenList();
  const { members = [], all } = answer.data ?? {};
  return (
    <Section
      title={owedBack.name}
      beside={<FigureNote of={[owedBack]} />}
      actions={
        <ExportReport
          table={toTable(members)}
          conditions={owedBack.counts}
          columns={columns}
          total={all?.claims ?? 0}
          includesMissing
        />
      }
    >
      <ErrorNotice error={answer.error} title="Couldn’t load what is owed back" onRetry={answer.refetch} />
      {answer.isPending && <LoadingState what="what is owed back" />}
      {all?.members === 0 && <Hint>No members owe anything back.</Hint>}
      {all !== undefined && all.members > 0 && (
        <Scrollable label="Owed back by member, scrollable">
          <DataTable
            label="Owed back by member"
            verticalSpacing={2}
            className={styles.figures ?? ''}
            rows={members}
            keyOf={({ memberId }) => memberId ?? 'none'}
            columns={[
              ['Member', (row) => <OwedMemberName member={row} />],
              ['Employer', ({ employer }) => employer ?? '–', styles.text],
              [
                'Claims',
                ({ memberId, name, claims }) => (
                  <NumberOpener
                    claims={claims}
                    name={name ?? 'no member'}
                    onOpen={() =>
                      open(
                        'claims',
                        memberId === null
                          ? owedBack.counts
                          : [...owedBack.counts, { field: 'members.id', operator: 'is', values: [memberId] }],
                        memberId === null ? [] : [['members.id', memberId, name ?? `Member ${memberId}`]],
                        { includesMissing: true },
                      )
                    }
                  />
                ),
              ],
              ['Owed back', ({ owed }) => <Total amount={owed} />],
            ]}
          />
          <SmallPrint>
            {formatCountOf(all.members, 'member')} with {formatCountOf(all.claims, 'claim')}, in all{' '}
            <Total amount={all.owed} />
            {all.members > members.length && `; the ${formatCount(members.length)} largest are shown`}.
          </SmallPrint>
        </Scrollable>
      )}
    </Section>
  );
}

function OwedMemberName({ member: { memberId, name } }: { member: OwedMember }) {
  if (memberId === null) return 'No member';
  return (
    <AnchorLink to="/members/$memberId" params={{ memberId }}>
      {name ?? `Member ${memberId}`}
    </AnchorLink>
  );
}
