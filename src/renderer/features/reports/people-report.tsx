import { Group } from '@mantine/core';
import { useState } from 'react';
import {
  openClaims,
  openConditions,
  type Period,
  type PersonReport,
  usualPeriod,
} from '../../../contract/people-report.ts';
import { ageRanges } from '../../../rules/age-ranges.ts';
import { addDays, isDay, localDayOf } from '../../../rules/days.ts';
import type { Condition } from '../../../rules/query.ts';
import type { TableColumn } from '../../components/data-table.tsx';
import { Loaded } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { CountsDiffer } from '../../domain/team/counts-differ.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { DecidedPeople } from './decided-people.tsx';
import { ExportReport, openColumns } from './export-report.tsx';
import { NumberOpener } from './number-opener.tsx';
import { countOpen, hasDecided, hasOpen, keyOfPerson, openPeopleTable, sayPerson } from './people-rows.ts';
import { PeopleTable } from './people-table.tsx';

function OpenPeople(props: { people: readonly PersonReport[]; day: string }) {
  const { people, day } = props;
  const open = useOpenList();
  const opener = (person: PersonReport, claims: number, age: string, conditions: readonly Condition[]) => (
    <NumberOpener
      claims={claims}
      name={`${sayPerson(person)}, ${age}`}
      onOpen={() => open('claims', conditions)}
    />
  );
  return (
    <Section
      title={figures.openByPerson.name}
      beside={<FigureNote of={[figures.openByPerson]} />}
      actions={
        <ExportReport
          table={openPeopleTable(people, day)}
          conditions={openClaims}
          columns={openColumns}
          total={people.reduce((sum, person) => sum + countOpen(person), 0)}
        />
      }
    >
      <CountsDiffer />
      <PeopleTable
        label="Open by person and age"
        rows={people}
        keyOf={keyOfPerson}
        columns={[
          ['Person', sayPerson],
          ...ageRanges(day).map(
            ({ label }, age): TableColumn<PersonReport> => [
              label,
              (person) =>
                opener(person, person.open[age] ?? 0, label, openConditions(person.person, day, age)),
            ],
          ),
          ['All', (person) => opener(person, countOpen(person), 'all', openConditions(person.person, day))],
        ]}
      />
    </Section>
  );
}

/** Shows the team's open claims by person, and those decided in a period. Each number opens its claims. */
export function PeopleReport() {
  const today = localDayOf(useNow());
  const [typed, setTyped] = useState<Period | null>(null);
  const [period, setPeriod] = useState<Period | null>(null);
  const shownPeriod = period ?? usualPeriod(today);
  const report = useWorkspaceQuery(
    'worklists:reportPeople',
    { period: shownPeriod },
    { keepsPrevious: true },
  );
  const problem = typed === null ? null : findProblem(typed);
  const choose = (next: Period) => {
    setTyped(next);
    if (findProblem(next) === null) setPeriod(next);
  };
  return (
    <Loaded query={report} what="the reports by person">
      {({ people, day }) => (
        <>
          <OpenPeople people={people.filter(hasOpen)} day={day} />
          <DecidedPeople
            people={people.filter(hasDecided)}
            period={shownPeriod}
            chooser={<PeriodFields typed={typed ?? shownPeriod} problem={problem} onChange={choose} />}
          />
        </>
      )}
    </Loaded>
  );
}

/** Returns what is wrong with a period that the user typed; null: nothing. */
function findProblem({ first, last }: Period): string | null {
  if (!isDay(first) || !isDay(last)) return 'Choose a first and a last day.';
  if (first > last) return 'The first day is after the last one.';
  return last > (addDays(first, 366) ?? last) ? 'Choose at most a year.' : null;
}

function PeriodFields(props: { typed: Period; problem: string | null; onChange: (next: Period) => void }) {
  const { typed, problem, onChange } = props;
  return (
    <Group gap="xs" align="flex-start">
      <TextField
        size="xs"
        type="date"
        label="First day"
        value={typed.first}
        error={problem}
        onChange={(first) => onChange({ ...typed, first })}
      />
      <TextField
        size="xs"
        type="date"
        label="Last day"
        value={typed.last}
        onChange={(last) => onChange({ ...typed, last })}
      />
    </Group>
  );
}
