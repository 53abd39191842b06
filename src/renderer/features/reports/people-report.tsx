import { Group } from '@mantine/core';
import { useState } from 'react';
import { type Period, usualPeriod } from '../../../contract/people-report.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { addDays, isDay, localDayOf } from '../../../rules/days.ts';
import { Loaded } from '../../components/error-notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { DecidedPeople } from './decided-people.tsx';
import { OpenPeople } from './open-people.tsx';
import { hasDecided, hasOpen } from './people-rows.ts';

/** What each person of the team has open, and decided in a period. Each number opens its claims. */
export function PeopleReport({ workspace }: { workspace: Workspace }) {
  const { id: workspaceId } = workspace;
  const today = localDayOf(useNow());
  const [typed, setTyped] = useState<Period | null>(null);
  const [period, setPeriod] = useState<Period | null>(null);
  const wanted = period ?? usualPeriod(today);
  const report = useDeskQuery(
    'worklists:reportPeople',
    { workspaceId, period: wanted },
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
          <OpenPeople workspace={workspace} people={people.filter(hasOpen)} day={day} />
          <DecidedPeople
            workspaceId={workspaceId}
            people={people.filter(hasDecided)}
            period={wanted}
            chooser={<PeriodFields typed={typed ?? wanted} problem={problem} onChange={choose} />}
          />
        </>
      )}
    </Loaded>
  );
}

/** What is wrong with a period that a person typed; null: nothing. */
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
