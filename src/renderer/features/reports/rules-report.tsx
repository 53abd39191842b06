import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { decidedByRules, firstOf30Days } from '../../domain/figure/own-work.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { PeopleTable } from './people-table.tsx';
import { formatShare, type sumByDay } from './report-rows.ts';

/** What each rule decided in the last 30 days, and how often it was confirmed; nothing where there are no rules. */
export function RulesReport(props: {
  workspaceId: string;
  days: ReturnType<typeof sumByDay>;
  today: string;
}) {
  const { workspaceId, days, today } = props;
  const rules = useDeskQuery('rules:list', { workspaceId }).data?.rules ?? [];
  if (rules.length === 0) return null;
  const from = firstOf30Days(today);
  const byPeople = days.reduce((sum, { day, claims }) => sum + (day < from ? 0 : claims), 0);
  return (
    <Section
      title="Rules"
      beside={<ShareOfRules workspaceId={workspaceId} today={today} byPeople={byPeople} />}
    >
      <PeopleTable
        label="Decided by rules"
        rows={rules}
        keyOf={({ rule }) => rule.id}
        columns={[
          [
            'Rule',
            ({ rule }) => (
              <AnchorLink to="/settings/rules/$ruleId" params={{ ruleId: rule.id }}>
                {rule.name}
              </AnchorLink>
            ),
          ],
          ['Decided', ({ decided }) => formatCount(decided)],
          [
            'Overturned',
            ({ overturned, decided }) => `${formatCount(overturned)} (${formatShare(overturned, decided)})`,
          ],
          ['Second look', ({ checked }) => formatCount(checked)],
          ['Agreed', ({ checkAgreed, checked }) => formatShare(checkAgreed, checked)],
        ]}
      />
    </Section>
  );
}

/** How much of what people and rules did in 30 days rules did. `byPeople`: claims. */
function ShareOfRules(props: { workspaceId: string; today: string; byPeople: number }) {
  const { workspaceId, today, byPeople } = props;
  const [total] = useTotals(workspaceId, 'decided by rules', [decidedByRules(today)]).data ?? [];
  if (total === undefined) return null;
  return (
    <SmallPrint>
      In the last 30 days, rules decided {formatCountOf(total.count, 'claim')} (
      {formatShare(total.count, total.count + byPeople)} of what is done).
    </SmallPrint>
  );
}
