import { Text } from '@mantine/core';
import { ruleStateLabels } from '../../../rules/decide/say-act.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';

/** The rules that do less than they were set to, each with the reason. */
export function RulesNotice() {
  const { data } = useWorkspaceQuery('rules:list');
  return (data?.rules ?? []).flatMap(({ rule, acts, why }) =>
    acts === rule.state || why === null ? (
      []
    ) : (
      <Notice key={rule.id} tone="caution" title={`Rule ${rule.name}: ${ruleStateLabels[acts]} only`}>
        <Text size="sm">
          {why}{' '}
          <AnchorLink to="/settings/rules/$ruleId" params={{ ruleId: rule.id }}>
            Open rule
          </AnchorLink>
        </Text>
      </Notice>
    ),
  );
}
