import { Text } from '@mantine/core';
import type { Figure } from './figures.ts';

/** What figures hold, in small text beside them. `more`: what else is to be known of them here. */
export function FigureNote(props: { of: readonly Figure[]; more?: string | null }) {
  return (
    <Text size="xs" c="dimmed">
      {[...props.of.map(({ holds }) => holds), props.more].filter(Boolean).join(' ')}
    </Text>
  );
}
