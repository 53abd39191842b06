import { NativeSelect, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Condition, Totals } from '../../../contract/query.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { monthNames } from '../../lib/format-date.ts';
import { formatEmployerName } from '../employer/employer-link.tsx';
import { useIncompleteNotice } from '../list/use-incomplete-notice.ts';
import { type ConditionLabels, useOpenList } from '../list/use-open-list.ts';
import { ClaimSums, DerivedBadge } from './claim-sums.tsx';
import { sumByPlanYear } from './plan-year.ts';
import { usePlanYearStart } from './use-plan-year-start.ts';

/**
 * Claims by plan year, added up from the claims on this computer; each figure opens its claims. The service does not
 * send when a plan year begins, so a person sets it.
 */
export function PlanYears(props: {
  workspace: Workspace;
  conditions: readonly Condition[];
  labels?: ConditionLabels;
  /** Totals of all claims, where they are already known. */
  totals?: Totals | undefined;
  emptyText: string;
  /** The employer of the plan years; null: none or several, so that there is no start to set. */
  employerId: number | null;
  /** Named beside the start of its plan years, which is the employer’s setting on every page. */
  employerName?: unknown;
  /** How the claims were found, where that is not by a link. */
  beside?: ReactNode;
}) {
  const { workspace, conditions, labels = [] } = props;
  const partial = useIncompleteNotice(workspace);
  const open = useOpenList(workspace.id);
  const { start, setStart, error } = usePlanYearStart(workspace.id, props.employerId);
  const answer = useDeskQuery('records:group', {
    workspaceId: workspace.id,
    query: { entity: 'claims', conditions: [...conditions] },
    by: 'date_of_service.month',
    order: 'value',
    direction: 'desc',
    limit: 1000,
  });
  const years = sumByPlanYear(answer.data?.groups ?? [], start);
  const rows = years.map((year) => ({
    key: year.label,
    label: year.label,
    totals: year.totals,
    onOpen: () => open('claims', [...conditions, ...year.conditions], labels),
  }));
  return (
    <Section
      title="Claims by plan year"
      beside={
        <>
          <DerivedBadge />
          {props.beside}
        </>
      }
      actions={
        props.employerId === null ? undefined : (
          <NativeSelect
            size="xs"
            aria-label="Plan year start"
            data={monthNames.map((name, index) => ({
              value: String(index + 1),
              label: `${formatEmployerName(props.employerName, props.employerId)}: plan year starts ${name}`,
            }))}
            value={String(start)}
            onChange={(event) => setStart(Number(event.currentTarget.value))}
          />
        )
      }
    >
      {answer.error !== null && (
        <ErrorNotice
          error={answer.error}
          title="Couldn’t load plan years"
          action={<RetryButton onRetry={() => void answer.refetch()} />}
        />
      )}
      {error !== null && <ErrorNotice error={error} />}
      {answer.isPending && <Skeleton height={72} />}
      {answer.data !== undefined &&
        (rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            {props.emptyText}
          </Text>
        ) : (
          <ClaimSums
            label="Claims by plan year"
            head="Plan year"
            rows={
              props.totals === undefined
                ? rows
                : [...rows, { key: 'all', label: <b>All claims</b>, totals: props.totals }]
            }
          />
        ))}
      {partial !== null && (
        <Text size="xs" c="dimmed">
          {partial}
        </Text>
      )}
    </Section>
  );
}
