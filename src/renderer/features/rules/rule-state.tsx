import { Group, Text } from '@mantine/core';
import type { RuleStanding, RuleTrial } from '../../../contract/decision-rule-procedures.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { type DecisionRule, type RuleState, ruleStates } from '../../../rules/decide/decision-rule.ts';
import { ruleStateLabels } from '../../../rules/decide/say-act.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { mayChange } from '../../../rules/review/team-settings.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useHasTeam } from '../../domain/team/use-has-team.ts';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** The effect of a rule in a state. */
const sentences: Readonly<Record<RuleState, (rule: DecisionRule) => string>> = {
  off: () => 'The rule does nothing.',
  watch: () => 'The rule writes and proposes nothing. Its trial shows what it would have done.',
  propose: () => 'Its claims show a proposal in To decide, which you accept with the . key.',
  do: ({ perDay }) =>
    `The rule decides new claims after each complete sync, up to ${formatCountOf(perDay.claims, 'claim')} and ${formatTenThousandths(perDay.amount)} a day. It proposes the rest.`,
};

/** Whether the user's role in the team allows letting a rule decide. `isConfirming`: someone else asked for it. */
function useMayDecide(rule: DecisionRule, isConfirming: boolean): boolean {
  const hasTeam = useHasTeam();
  const { data } = useWorkspaceQuery('team:listMembers', {}, { enabled: hasTeam });
  const members = data?.members ?? [];
  const role = members.find(({ isYou }) => isYou)?.role;
  if (!hasTeam || role === undefined) return true;
  const value = { ...rule, state: 'do', confirmedBy: isConfirming ? '' : null };
  const admins = members.filter((member) => member.role === 'admin').length;
  return mayChange(role, { setting: 'decisionRule', value }, admins);
}

/** The states of a rule as buttons, and why one of them is off. `trial`: of the rule as it is saved; null: not yet there. */
export function RuleStateButtons(props: {
  standing: RuleStanding;
  trial: RuleTrial | null;
  /** The form has changes that are not saved. */
  isChanged: boolean;
}) {
  const { standing, trial, isChanged } = props;
  const { rule, acts, why } = standing;
  const { email } = useWorkspace();
  const now = useNow();
  const set = useWorkspaceMutation('rules:setState');
  const awaits = rule.state === 'do' && acts !== 'do' && rule.confirmedBy === null && rule.by !== email;
  const choose = (state: RuleState) => set.mutate({ id: rule.id, version: rule.version, state });
  const mayDecide = useMayDecide(rule, awaits);
  const missing = [
    ...(mayDecide ? [] : ['An admin of the team lets a rule decide.']),
    ...(trial?.missing ?? ['The trial is not done yet.']),
  ];
  return (
    <>
      <Group gap={6} role="group" aria-label="State">
        {ruleStates.map((state) => (
          <SmallButton
            key={state}
            variant={rule.state === state ? 'light' : 'default'}
            aria-pressed={rule.state === state}
            disabled={
              isChanged || set.isPending || (state === 'do' && rule.state !== 'do' && missing.length > 0)
            }
            onClick={() => rule.state !== state && choose(state)}
          >
            {ruleStateLabels[state]}
          </SmallButton>
        ))}
        {awaits && (
          <SmallButton disabled={!mayDecide || set.isPending} onClick={() => choose('do')}>
            Confirm Decide
          </SmallButton>
        )}
      </Group>
      <Text size="sm">{sentences[acts](rule)}</Text>
      {why !== null && (
        <Notice tone="caution" title={`${ruleStateLabels[acts]} only`}>
          {why}
        </Notice>
      )}
      {isChanged && <Hint>Save the rule before you change its state.</Hint>}
      {rule.state !== 'do' && missing.length > 0 && (
        <SmallPrint role="status">Decide is off: {missing.join(' ')}</SmallPrint>
      )}
      {awaits && !mayDecide && (
        <SmallPrint role="status">Confirm Decide is off: another admin of the team confirms it.</SmallPrint>
      )}
      <SmallPrint>
        Version {rule.version}, {ruleStateLabels[rule.state]} since {formatWhen(rule.since, now)} by {rule.by}
        {rule.confirmedBy !== null && `, confirmed by ${rule.confirmedBy}`}
      </SmallPrint>
      <ErrorNotice error={set.error} title="Couldn’t change the state" />
    </>
  );
}
