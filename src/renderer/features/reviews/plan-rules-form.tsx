import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { employerKeyOf, serviceOf } from '../../../rules/money/reimbursement.ts';
import {
  type PlanRules,
  planRulesOf,
  planRulesSchema,
  startPlanYear,
} from '../../../rules/plans/plan-rules.ts';
import { firstDayOfPlanYear } from '../../../rules/plans/plan-year.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { Total } from '../../components/amount.tsx';
import { ScrollableTable } from '../../components/data-table.tsx';
import { Details } from '../../components/details.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink, linkClaim } from '../../components/links.tsx';
import { Hint, SmallPrint, Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { usePlanYearStart } from '../../domain/claim/use-plan-year-start.ts';
import { useWorkspaceSettings } from '../../domain/workspace/use-workspace-settings.ts';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ByEmployer } from './by-employer.tsx';
import { PlanYearForm } from './plan-year-form.tsx';

/** An employer's deductible, out-of-pocket maximum and account by plan year, which are tried before they are saved. */
export const PlanRulesForm = () => (
  <ByEmployer
    title="Plan rules"
    label="Plan rules for"
    about={
      <Hint>
        Deductible, out-of-pocket maximum, and layers of a reimbursement account. A member’s page then shows
        what is used of each limit and who pays next, and the account’s layers and limits decide what is
        eligible. Rules apply to claims with a date of service on their first day or later.
      </Hint>
    }
  >
    {(employerId) => <RulesOf key={employerId} employerId={employerId} />}
  </ByEmployer>
);

const none: PlanRules = { years: [] };

function RulesOf({ employerId }: { employerId: number | null }) {
  const { settings, isSaving, error, save } = useWorkspaceSettings();
  const { start } = usePlanYearStart(employerId);
  const today = localDayOf(useNow());
  const service = serviceOf(useWorkspace());
  const key = employerKeyOf(service, employerId);
  const { [key]: ownRules, ...others } = settings.planRules;
  const saved = planRulesOf(settings.planRules, service, employerId) ?? none;
  const [rules, setRules] = useState(saved);
  const [at, setAt] = useState(0);
  const savedText = JSON.stringify(saved);
  useEffect(() => setRules(JSON.parse(savedText) as PlanRules), [savedText]);
  const attempt = useWorkspaceMutation('accumulators:try');
  const year = rules.years[at];
  const put = (years: PlanRules['years']) => {
    attempt.reset();
    setRules({ years: years.toSorted((a, b) => (a.from < b.from ? -1 : 1)) });
  };
  const isValid =
    planRulesSchema.safeParse(rules).success &&
    new Set(rules.years.map(({ from }) => from)).size === rules.years.length;
  const store = (next: PlanRules | null) =>
    save({ planRules: next === null ? others : { ...others, [key]: next } }, [
      { setting: 'planRules', employerId, ...(next !== null && { value: next }) },
    ]);
  const addYear = () => {
    const from = firstDayOfPlanYear(today, start);
    const copied = rules.years.at(-1);
    const isTaken = rules.years.some((planYear) => planYear.from === from);
    const begins = isTaken ? `${Number(from.slice(0, 4)) + 1}${from.slice(4)}` : from;
    put([...rules.years, copied === undefined ? startPlanYear(begins) : { ...copied, from: begins }]);
    setAt(rules.years.length);
  };
  return (
    <Stack gap="sm">
      {rules.years.length === 0 && <Hint>No plan rules yet.</Hint>}
      <Group align="flex-end" gap="sm">
        {rules.years.length > 0 && (
          <NativeSelect
            label="Rules"
            data={rules.years.map(({ from }, index) => ({
              value: String(index),
              label: `from ${formatDay(from)}`,
            }))}
            value={String(at)}
            onChange={(event) => setAt(Number(event.currentTarget.value))}
          />
        )}
        {year !== undefined && (
          <TextField
            type="date"
            label="First day"
            value={year.from}
            onChange={(from) => put(rules.years.with(at, { ...year, from }))}
          />
        )}
        <Button variant="default" onClick={addYear}>
          Add rules
        </Button>
        {year !== undefined && (
          <Button
            variant="subtle"
            onClick={() => {
              put(rules.years.toSpliced(at, 1));
              setAt(0);
            }}
          >
            Remove these rules
          </Button>
        )}
      </Group>
      {year !== undefined && (
        <PlanYearForm rules={year} onChange={(changed) => put(rules.years.with(at, changed))} />
      )}
      <Group gap="xs">
        <Button
          variant="default"
          disabled={!isValid || isSameJson(rules, saved)}
          loading={attempt.isPending}
          onClick={() => attempt.mutate({ employerId, rules })}
        >
          Try on past claims
        </Button>
        <Button
          variant="default"
          aria-label="Save plan rules"
          disabled={!isValid || isSameJson(rules, saved)}
          loading={isSaving}
          onClick={() => store(rules)}
        >
          Save
        </Button>
        {ownRules !== undefined && (
          <Button variant="subtle" onClick={() => store(null)}>
            {employerId === null ? 'Remove plan rules' : 'Use the plan rules of all employers'}
          </Button>
        )}
      </Group>
      {!isValid && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          Each set of rules needs a different first day.
        </Text>
      )}
      {attempt.data !== undefined && (
        <Status>
          {formatCountOf(attempt.data.claims, 'claim')} of{' '}
          {formatCountOf(attempt.data.families, 'family', 'families')}: eligible by the rules{' '}
          <Total amount={attempt.data.current.eligible} /> now, <Total amount={attempt.data.tried.eligible} />{' '}
          with these rules; {formatCountOf(attempt.data.changedClaims, 'claim')} would change,{' '}
          {formatCountOf(attempt.data.tried.disagreeing, 'claim')} would disagree with the carrier. Nothing is
          saved yet.
        </Status>
      )}
      {attempt.data !== undefined && attempt.data.changedClaims > 0 && <Changed {...attempt.data} />}
      <ErrorNotice error={error ?? attempt.error} />
    </Stack>
  );
}

const orNotKnown = (amount: number | null) => (amount === null ? 'Not known' : <Total amount={amount} />);

/** The claims whose eligible amount would change most. */
const Changed = ({ changed, changedClaims }: Output<'accumulators:try'>) => (
  <Details summary="Claims that would change">
    {changed.length < changedClaims && (
      <SmallPrint>
        The {formatCountOf(changed.length, 'claim')} with the largest change, of {formatCount(changedClaims)}.
      </SmallPrint>
    )}
    <ScrollableTable
      label="Claims that would change"
      rows={changed}
      keyOf={({ claimId }) => claimId}
      columns={[
        ['Claim', linkClaim],
        [
          'Member',
          ({ memberId }) => (
            <AnchorLink to="/members/$memberId" params={{ memberId }}>
              {memberId}
            </AnchorLink>
          ),
        ],
        ['Plan year', ({ planYear }) => planYear],
        ['Eligible now', ({ current }) => orNotKnown(current), 'amount'],
        ['With these rules', ({ tried }) => orNotKnown(tried), 'amount'],
      ]}
    />
  </Details>
);
