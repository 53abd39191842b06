import { List } from '@mantine/core';
import type { RuleTrial } from '../../../contract/decision-rule-procedures.ts';
import { sayTrial } from '../../../contract/say-trial.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { Total } from '../../components/amount.tsx';
import { ScrollableTable } from '../../components/data-table.tsx';
import { linkClaim } from '../../components/links.tsx';
import { SmallPrint } from '../../components/text.tsx';

/** The decisions that a rule would have made, and those of users that differ, each with its claim. */
export function TrialResult({ trial }: { trial: RuleTrial }) {
  return (
    <>
      <div role="status">
        <List size="sm">
          {sayTrial(trial).map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      </div>
      {trial.differing.length > 0 && (
        <ScrollableTable
          label="Decisions that differ"
          rows={trial.differing}
          columns={[
            ['Claim', linkClaim],
            ['Decided', ({ decided }) => decided],
            ['By the rule', ({ byRule }) => byRule],
            ['Amount', ({ amount }) => <Total amount={amount} />, 'amount'],
            ['On', ({ at }) => formatDay(localDayOf(new Date(at)))],
            ['By', ({ author }) => author],
          ]}
        />
      )}
      {trial.decisions > 0 && trial.differing.length > 0 && (
        <SmallPrint>Open a claim to see why. Then change the conditions, or the decision.</SmallPrint>
      )}
    </>
  );
}
