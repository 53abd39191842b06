import { Group } from '@mantine/core';
import { formatCount, formatCountOf } from '../../rules/count.ts';
import { SmallButton } from './small-button.tsx';
import { Hint } from './text.tsx';

/** Steps through the pages of something that is not a list, and shows which part is visible. */
export function Pager(props: {
  /** Index of the first item shown, from 0. */
  offset: number;
  pageSize: number;
  total: number;
  /** The items' name, singular and plural. */
  names: readonly [one: string, many: string];
  /** Labels of the buttons. */
  back: string;
  onward: string;
  onMove: (offset: number) => void;
}) {
  const { offset, pageSize, total, names } = props;
  return (
    <Group gap="xs">
      <SmallButton disabled={offset === 0} onClick={() => props.onMove(Math.max(0, offset - pageSize))}>
        {props.back}
      </SmallButton>
      <SmallButton disabled={offset + pageSize >= total} onClick={() => props.onMove(offset + pageSize)}>
        {props.onward}
      </SmallButton>
      <Hint role="status">
        {formatCount(offset + 1)} to {formatCount(Math.min(total, offset + pageSize))} of{' '}
        {formatCountOf(total, ...names)}
      </Hint>
    </Group>
  );
}
