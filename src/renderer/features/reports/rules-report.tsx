import { formatCount } from '../../../rules/count.ts';
import { addDays } from '../../../rules/days.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
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
  const from = addDays(today, -29) ?? today;
  const done = days.reduce((sum, { day, claims }) => sum + (day < from ? 0 : claims), 0);
  const byRules = rules.reduce((sum, { decided }) => sum + decided, 0);
  return (
    <Section
      title="Rules"
      beside={
        <SmallPrint>
          In the last 30 days, rules decided {formatCount(byRules)} claims ({formatShare(byRules, done)} of
          what is done).
        </SmallPrint>
      }
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
