import { Alert, List } from '@mantine/core';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { describePolicy } from './describe-policy.ts';

/** What an administrator prescribes on this computer; nothing where nothing is. */
export function PolicySettings() {
  const { data } = useDeskQuery('app:getInfo', {});
  const rules = describePolicy(data?.policy ?? {});
  if (rules.length === 0) return null;
  return (
    <Alert variant="light" color="gray" title="Set by your organization">
      <List size="sm">
        {rules.map((rule) => (
          <List.Item key={rule}>{rule}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
