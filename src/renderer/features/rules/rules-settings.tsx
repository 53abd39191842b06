import { Group, Stack } from '@mantine/core';
import type { RuleStanding } from '../../../contract/decision-rule-procedures.ts';
import { formatCount } from '../../../rules/count.ts';
import { ruleStateLabels, sayRuleAct } from '../../../rules/decide/say-act.ts';
import { Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/error-notice.tsx';
import { linkRule, SmallButtonLink } from '../../components/links.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { OfActiveWorkspace } from '../../domain/workspace/of-active-workspace.tsx';
import type { StatusTone } from '../../lib/claim-status.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';

const tones = { off: 'todo', watch: 'open', propose: 'caution', do: 'good' } as const satisfies Readonly<
  Record<RuleStanding['acts'], StatusTone>
>;

/** The rules that propose and decide claims, in the order in which they are tried. */
export const RulesSettings = () => (
  <OfActiveWorkspace none="No workspaces yet, so there are no rules.">
    {({ id }) => <RulesOf key={id} workspaceId={id} />}
  </OfActiveWorkspace>
);

function RulesOf({ workspaceId }: { workspaceId: string }) {
  const list = useDeskQuery('rules:list', { workspaceId });
  return (
    <Stack gap="sm">
      <Hint>
        A rule proposes the same decision for all claims that meet its conditions, or makes it. Rules are
        tried in this order; the first that matches a claim is used. To make one of a filter, choose Make
        rule… above a list of claims.
      </Hint>
      <Loaded query={list} what="the rules">
        {({ rules }) => (rules.length === 0 ? <Hint>No rules yet.</Hint> : <RuleTable rules={rules} />)}
      </Loaded>
      <WriterOnly workspaceId={workspaceId}>
        <Group>
          <SmallButtonLink to="/settings/rules/$ruleId" params={{ ruleId: 'new' }}>
            Add rule
          </SmallButtonLink>
        </Group>
      </WriterOnly>
    </Stack>
  );
}

const RuleTable = ({ rules }: { rules: readonly RuleStanding[] }) => (
  <Scrollable label="Rules, scrollable">
    <DataTable
      label="Rules"
      rows={rules}
      keyOf={({ rule }) => rule.id}
      columns={[
        [
          'Rule',
          ({ rule }) => (
            <>
              {linkRule(rule)}
              <SmallPrint>{sayRuleAct(rule.act)}</SmallPrint>
            </>
          ),
        ],
        [
          'State',
          ({ rule, acts, why }) => (
            <>
              <StatusChip label={ruleStateLabels[acts]} tone={tones[acts]} />
              {acts !== rule.state && why !== null && <SmallPrint>{why}</SmallPrint>}
            </>
          ),
        ],
        [
          'Proposed',
          ({ proposed }) => (
            <>
              {formatCount(proposed.claims)} · <Total amount={proposed.amount} />
            </>
          ),
        ],
        ['Decided in 30 days', ({ decided }) => formatCount(decided)],
        ['Overturned', ({ overturned }) => formatCount(overturned)],
      ]}
    />
  </Scrollable>
);
