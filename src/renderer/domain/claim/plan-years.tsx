import { NativeSelect, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { Condition } from '../../../rules/query.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { monthNames } from '../../lib/format-date.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { formatEmployerName } from '../employer/employer-link.tsx';
import { FigureNote } from '../figure/figure-note.tsx';
import { figures, notAnAccumulator } from '../figure/figures.ts';
import { useIncompleteNotice } from '../list/use-incomplete-notice.ts';
import { type ConditionLabels, useOpenList } from '../list/use-open-list.ts';
import { type ClaimSum, ClaimSums } from './claim-sums.tsx';
import { addUp, monthsInput, type PlanYear, sumByPlanYear } from './plan-year-sums.ts';
import { usePlanYearStart } from './use-plan-year-start.ts';

/**
 * Shows claims by plan year, added up from the claims on this computer; each figure opens its claims. The
 * service does not send when a plan year begins, so the user sets it.
 */
export function PlanYears(props: {
  conditions: readonly Condition[];
  labels?: ConditionLabels;
  emptyText: string;
  /** The employer of the plan years; null: none or several, so that there is no start to set. */
  employerId: number | null;
  /** The employer's name, shown beside the start of its plan years. */
  employerName?: unknown;
  /** How the claims were found, where that is not by a link. */
  beside?: ReactNode;
}) {
  const workspace = useWorkspace();
  const { conditions, labels = [] } = props;
  const startId = useId();
  const partial = useIncompleteNotice();
  const open = useOpenList();
  const { start, setStart, error } = usePlanYearStart(props.employerId);
  const rejectedConditions = [...conditions, ...figures.planYearsRejected.counts];
  const answer = useDeskQuery('records:group', monthsInput(workspace.id, conditions));
  const ofRejected = useDeskQuery('records:group', monthsInput(workspace.id, rejectedConditions));
  const failed = answer.error === null ? ofRejected : answer;
  const years = sumByPlanYear(answer.data?.groups ?? [], start);
  const rejectedYears = sumByPlanYear(ofRejected.data?.groups ?? [], start);
  const rowOf = (
    label: string,
    all: readonly PlanYear[],
    yearConditions: readonly Condition[],
  ): ClaimSum => ({
    key: label,
    label,
    totals: addUp(all.map(({ totals }) => totals)),
    rejected: {
      ...addUp(
        rejectedYears
          .filter((year) => all.some((shownYear) => shownYear.label === year.label))
          .map(({ totals }) => totals),
      ),
      onOpen: () => open('claims', [...rejectedConditions, ...yearConditions], labels),
    },
    onOpen: () => open('claims', [...conditions, ...yearConditions], labels),
  });
  const rows = years.map((year) => rowOf(year.label, [year], year.conditions));
  return (
    <Section
      title="Claims by plan year"
      beside={props.beside}
      actions={
        props.employerId === null ? undefined : (
          <>
            <Text size="sm" component="label" htmlFor={startId}>
              Plan year from
            </Text>
            <NativeSelect
              id={startId}
              size="xs"
              title={formatEmployerName(props.employerName, props.employerId)}
              data={monthNames.map((label, index) => ({ value: String(index + 1), label }))}
              value={String(start)}
              onChange={(event) => setStart(Number(event.currentTarget.value))}
            />
          </>
        )
      }
    >
      <ErrorNotice error={failed.error} title="Couldn’t load plan years" onRetry={failed.refetch} />
      <ErrorNotice error={error} />
      {(answer.isPending || ofRejected.isPending) && <Skeleton height={72} />}
      {answer.data !== undefined && rows.length === 0 && <Hint>{props.emptyText}</Hint>}
      {rows.length > 0 && ofRejected.data !== undefined && (
        <>
          <ClaimSums
            label="Claims by plan year"
            head="Plan year"
            rows={rows.length === 1 ? rows : [...rows, rowOf('All years', years, [])]}
          />
          <FigureNote of={[figures.planYears]} more={partial} title={notAnAccumulator} />
        </>
      )}
    </Section>
  );
}
