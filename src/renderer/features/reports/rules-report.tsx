import type { ReviewReport } from '../../../contract/worklist-counts.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { firstOf12Months } from '../../../rules/days.ts';
import { ScrollableTable } from '../../components/data-table.tsx';
import { linkRule } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { monthNames } from '../../lib/format-date.ts';
import { formatShare, type sumByDay } from './report-rows.ts';
import styles from './reports-page.module.css';

const sayMonth = (month: string): string => `${monthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

/** The decisions of each rule by month, and their outcome; nothing where rules decided nothing. `days`: the decisions by users. */
export function RulesReport(props: {
  rows: ReviewReport['byRules'];
  days: ReturnType<typeof sumByDay>;
  today: string;
}) {
  const { rows, days, today } = props;
  if (rows.length === 0) return null;
  const from = firstOf12Months(today);
  const byPeople = days.reduce((sum, { day, claims }) => sum + (day < from ? 0 : claims), 0);
  const byRules = rows.reduce((sum, { decided }) => sum + decided, 0);
  return (
    <Section
      title="Rules"
      beside={
        <SmallPrint>
          In the last 12 months, rules made {formatCountOf(byRules, 'decision')} (
          {formatShare(byRules, byRules + byPeople)} of all decisions).
        </SmallPrint>
      }
    >
      <ScrollableTable
        label="Decided by rules"
        className={styles.figures ?? ''}
        rows={rows}
        keyOf={({ month, ruleId }) => `${month} ${ruleId}`}
        columns={[
          ['Month', ({ month }) => sayMonth(month)],
          ['Rule', ({ ruleId: id, name }) => linkRule({ id, name })],
          ['Decided', ({ decided }) => formatCount(decided)],
          ['Undone', ({ undone }) => formatCount(undone)],
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
