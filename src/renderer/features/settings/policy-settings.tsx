import { Alert, List, Text } from '@mantine/core';
import { describePolicy } from '../../../contract/policy.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';

/** Shows what an administrator prescribes on this computer, by where it was set; renders nothing without a policy. */
export function PolicySettings() {
  const { data } = useDeskQuery('app:getInfo', {});
  const rules = describePolicy(data?.policy ?? {}, data?.policySources ?? {});
  if (rules.length === 0) return null;
  return (
    <Alert variant="light" color="gray" title="Set by your IT">
      {[...Map.groupBy(rules, ({ source }) => source)].map(([source, ofSource]) => (
        <section key={source}>
          {source !== null && <Text size="sm">In {source}:</Text>}
          <List size="sm">
            {ofSource.map(({ rule, sentence }) => (
              <List.Item key={rule}>{sentence}</List.Item>
            ))}
          </List>
        </section>
      ))}
    </Alert>
  );
}
