import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  countDecided,
  decidedConditions,
  type Period,
  type PersonReport,
} from '../../../contract/people-report.ts';
import { formatDay } from '../../../rules/days.ts';
import { type DecidedKind, decidedByCondition } from '../../../rules/review/decided-by.ts';
import { reviewOutcomes } from '../../../rules/review/decision.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';
import type { TableColumn } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useHasTeam } from '../../domain/team/use-has-team.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { decidedColumns, ExportReport } from './export-report.tsx';
import { NumberOpener } from './number-opener.tsx';
import {
  decidedDaysTable,
  decidedFigures,
  decidedPeopleTable,
  keyOfPerson,
  listDays,
  type PersonDay,
  sayPerson,
} from './people-rows.ts';
import { PeopleTable } from './people-table.tsx';
import { formatShare } from './report-rows.ts';
import styles from './reports-page.module.css';

const { decidedByPerson, decidedByDay, reopenedOfPerson, qualityChecks } = figures;

/** Renders a number of an author's decisions in a period, with its share of `outOf`, unless that is null. */
type OpenerOf = (
  person: PersonReport,
  kind: DecidedKind,
  label: string,
  claims: number,
  period?: Period,
  outOf?: number | null,
) => ReactNode;

/** Shows what each author decided in a period, by outcome, and the same by day. */
export function DecidedPeople(props: {
  people: readonly PersonReport[];
  period: Period;
  chooser: ReactNode;
}) {
  const { id: workspaceId } = useWorkspace();
  const { people, period } = props;
  const open = useOpenList();
  const all = [decidedByCondition({ kind: 'decided', ...period, author: null })];
  const total = useTotals('decided', [all], { includesMissing: true }).data?.[0]?.count ?? 0;
  const days = listDays(people);
  // A single user has no one to check.
  const isChecked = useHasTeam() || people.some(({ checked }) => checked > 0);
  const isShown = ({ kind }: { kind: DecidedKind }) =>
    isChecked || (kind !== 'checked' && kind !== 'disagreed');
  const opener: OpenerOf = (person, kind, label, claims, countedPeriod = period, outOf = null) => (
    <NumberOpener
      claims={claims}
      name={`${sayPerson(person)}, ${label}`}
      {...(outOf !== null && { share: formatShare(claims, outOf) })}
      onOpen={() =>
        open('claims', decidedConditions(person, kind, countedPeriod), [], { includesMissing: true })
      }
    />
  );
  const exported = { workspaceId, conditions: all, columns: decidedColumns, total, includesMissing: true };
  return (
    <>
      <Section
        title={decidedByPerson.name}
        beside={<FigureNote of={[decidedByPerson]} />}
        actions={<ExportReport {...exported} table={decidedPeopleTable(people)} />}
      >
        <Stack gap="xs">
          {props.chooser}
          {people.length === 0 ? (
            <Hint>No claims were decided in this period.</Hint>
          ) : (
            <PeopleTable
              label="Decided by person and outcome"
              rows={people}
              keyOf={keyOfPerson}
              columns={[
                ['Person', sayPerson],
                ...decidedFigures.filter(isShown).map(
                  ({ kind, label }): TableColumn<PersonReport> => [
                    label,
                    (person) => {
                      const outOf = kind === 'reopened' ? countDecided(person, 'decided') : null;
                      return opener(person, kind, label, countDecided(person, kind), period, outOf);
                    },
                  ],
                ),
              ]}
            />
          )}
        </Stack>
        <dl className={styles.definitions}>
          {[reopenedOfPerson, ...(isChecked ? [qualityChecks] : [])].map(({ name, holds }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{holds}</dd>
            </div>
          ))}
        </dl>
      </Section>
      {days.length > 0 && (
        <Section
          title={decidedByDay.name}
          beside={<FigureNote of={[decidedByDay]} />}
          actions={<ExportReport {...exported} table={decidedDaysTable(days)} />}
        >
          <PeopleTable
            label="Decided by day, person, and outcome"
            rows={days}
            keyOf={({ person, counts }) => `${counts.day} ${keyOfPerson(person)}`}
            columns={dayColumns(opener)}
          />
        </Section>
      )}
    </>
  );
}

function dayColumns(opener: OpenerOf): TableColumn<PersonDay>[] {
  const number = (
    kind: DecidedKind,
    label: string,
    count: (row: PersonDay) => number,
  ): TableColumn<PersonDay> => [
    label,
    (row) => {
      const { day } = row.counts;
      return opener(row.person, kind, `${label}, ${formatDay(day)}`, count(row), { first: day, last: day });
    },
  ];
  return [
    ['Day', ({ counts }) => formatDay(counts.day)],
    ['Person', ({ person }) => sayPerson(person), styles.text],
    ...reviewOutcomes.map((outcome) =>
      number(outcome, outcomeLabels[outcome], ({ counts }) => counts.byOutcome[outcome]),
    ),
    number('decided', 'All', ({ counts }) => counts.claims),
    number('reopened', reopenedOfPerson.name, ({ counts }) => counts.reopened),
  ];
}
