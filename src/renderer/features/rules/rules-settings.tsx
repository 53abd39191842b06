import { Group, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import type { RuleStanding } from '../../../contract/decision-rule-procedures.ts';
import { formatCount } from '../../../rules/count.ts';
import { ruleStateLabels, sayRuleAct } from '../../../rules/decide/say-act.ts';
import { Total } from '../../components/amount.tsx';
import { ScrollableTable, type TableColumn } from '../../components/data-table.tsx';
import { ErrorNotice, Loaded } from '../../components/error-notice.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { linkRule, SmallButtonLink } from '../../components/links.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { OfActiveWorkspace } from '../../domain/workspace/of-active-workspace.tsx';
import type { StatusTone } from '../../lib/claim-status.ts';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';

const tones = { off: 'todo', watch: 'open', propose: 'caution', do: 'good' } as const satisfies Readonly<
  Record<RuleStanding['acts'], StatusTone>
>;

/** The rules that propose and decide claims, in the order in which they are tried. */
export const RulesSettings = () => (
  <OfActiveWorkspace none="No workspaces yet, so there are no rules.">
    {({ id }) => <RulesOf key={id} />}
  </OfActiveWorkspace>
);

function RulesOf() {
  const list = useWorkspaceQuery('rules:list');
  return (
    <Stack gap="sm">
      <Hint>
        A rule proposes the same decision for all claims that meet its conditions, or makes it. Rules are
        tried in this order; the first that matches a claim is used. To make one from a filter, choose Make
        rule… above a list of claims.
      </Hint>
      <Loaded query={list} what="the rules">
        {({ rules }) => (rules.length === 0 ? <Hint>No rules yet.</Hint> : <RuleTable rules={rules} />)}
      </Loaded>
      <WriterOnly>
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
  <ScrollableTable
    label="Rules"
    verticalSpacing="xs"
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
      ...listOrderColumn(rules),
    ]}
  />
);

/** The column to move rules by; there is none for a single rule. */
const listOrderColumn = ({ length }: readonly RuleStanding[]): TableColumn<RuleStanding>[] =>
  length < 2 ? [] : [['Order', ({ rule }, at) => <MoveRule rule={rule} at={at} last={length - 1} />]];

/** Moves a rule up or down in the order in which rules are tried; the focus stays on its button, where that is still on. */
function MoveRule(props: { rule: RuleStanding['rule']; at: number; last: number }) {
  const { rule, at, last } = props;
  const { mutate, isPending, error } = useWorkspaceMutation('rules:move');
  const pressed = useRef<HTMLButtonElement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: its row was moved, which takes the focus from it
  useLayoutEffect(() => {
    const button = pressed.current;
    pressed.current = null;
    const next = button?.disabled === true ? button.parentElement?.querySelector('button:enabled') : button;
    (next as HTMLButtonElement | null | undefined)?.focus();
  }, [at]);
  return (
    <WriterOnly isSaid={false}>
      <Group gap={2} wrap="nowrap">
        {(['up', 'down'] as const).map((to) => (
          <IconButton
            key={to}
            label={`Move ${rule.name} ${to}`}
            disabled={at === (to === 'up' ? 0 : last)}
            onClick={({ currentTarget }) => {
              if (isPending) return;
              pressed.current = currentTarget;
              mutate({ id: rule.id, to });
            }}
            icon={
              to === 'up' ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />
            }
          />
        ))}
      </Group>
      <ErrorNotice error={error} title="Couldn’t move the rule" />
    </WriterOnly>
  );
}
