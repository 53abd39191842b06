import { Alert, List } from '@mantine/core';
import { describePolicy } from '../../../contract/policy.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';

/** Shows what an administrator prescribes on this computer, and where; renders nothing without a policy. */
export function PolicySettings() {
  const { data } = useDeskQuery('app:getInfo', {});
  const rules = describePolicy(data?.policy ?? {}, data?.policySources ?? {});
  if (rules.length === 0) return null;
  return (
    <Alert variant="light" color="gray" title="Set by your IT">
      <List size="sm">
        {rules.map(({ rule, sentence, source }) => (
          <List.Item key={rule}>
            {sentence}
            {source !== null && ` (Set in ${source}.)`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
