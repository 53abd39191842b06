import { openClaims, openConditions, type PersonReport } from '../../../contract/people-report.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ageRanges } from '../../../rules/age-ranges.ts';
import type { Condition } from '../../../rules/query.ts';
import type { TableColumn } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { CountsDiffer } from '../../domain/team/counts-differ.tsx';
import { ExportReport, openColumns } from './export-report.tsx';
import { NumberOpener } from './number-opener.tsx';
import { countOpen, keyOfPerson, openPeopleTable, sayPerson } from './people-rows.ts';
import { PeopleTable } from './people-table.tsx';

/** Open claims of each person by age. */
export function OpenPeople(props: { workspace: Workspace; people: readonly PersonReport[]; day: string }) {
  const { workspace, people, day } = props;
  const open = useOpenList(workspace.id);
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
          workspaceId={workspace.id}
          table={openPeopleTable(people, day)}
          conditions={openClaims}
          columns={openColumns}
          total={people.reduce((sum, person) => sum + countOpen(person), 0)}
        />
      }
    >
      <CountsDiffer workspace={workspace} />
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
