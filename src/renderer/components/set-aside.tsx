import { Code, Text } from '@mantine/core';
import type { SetAsideItem } from '../../contract/records.ts';
import { formatCountOf } from '../../rules/count.ts';
import { formatUnknown } from '../lib/format-value.ts';

/** Items of a record's list that could not be read, as they were received. */
export function SetAside(props: { items: readonly SetAsideItem[]; list: string; one: string }) {
  const unreadItems = props.items.filter(({ list }) => list === props.list);
  if (unreadItems.length === 0) return null;
  return (
    <div role="note">
      <Text size="sm" span>
        <span aria-hidden>⚠ </span>
        {formatCountOf(unreadItems.length, props.one)} could not be read. Received:
      </Text>
      {unreadItems.map(({ value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items may be equal
        <Code key={at} ml={6}>
          {formatUnknown(value)}
        </Code>
      ))}
    </div>
  );
}
