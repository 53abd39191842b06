import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { deskQuery } from '../../lib/desk-query.ts';
import { formatCount } from '../../lib/format-value.ts';
import { usePane } from '../../lib/pane.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { useListMemory } from './list-memory.tsx';

/** What a page has the walk do. */
export interface Walk {
  /** Shows the next record; false: there is none, or no list. */
  readonly next: () => boolean;
}

type RecordProcedure = 'records:getClaim' | 'records:getMember' | 'records:getDependent';

/**
 * Previous and next in the list that a record was opened from, by button, `j` and `k`. Neighbors are fetched ahead,
 * so that the next record is there when its key is pressed.
 */
export function ListWalk(props: {
  workspaceId: string;
  listId: string | undefined;
  at: number | undefined;
  procedure: RecordProcedure;
  onGo: (id: number, at: number) => void;
  /** Fetches more of a neighbor ahead. */
  onNeighbor?: (id: number) => void;
  walk?: RefObject<Walk | null>;
}) {
  const { workspaceId, listId, at, procedure, onGo, onNeighbor } = props;
  const pane = usePane();
  const bridge = useBridge();
  const cache = useQueryClient();
  const memory = useListMemory();
  const list = listId === undefined ? null : memory.find(workspaceId, listId);
  const source = list?.source ?? null;
  const isPossible = source !== null && at !== undefined;

  const around = useQuery({
    queryKey: ['walk', workspaceId, listId, source?.getState().snapshot?.snapshotId, at],
    enabled: isPossible,
    gcTime: 10_000,
    queryFn: async () => {
      if (source === null || at === undefined) return null;
      const first = Math.max(0, at - 1);
      // A line opens its claim, so a list of lines is walked claim by claim.
      const path = source.query?.entity === 'lines' ? '$claim_id' : 'id';
      const { rows, total } = await source.getWindow(first, at === 0 ? 2 : 3, [path]);
      const idAt = (position: number) => {
        const id = rows[position - first]?.[path];
        return typeof id === 'number' ? id : null;
      };
      return { total, previous: at === 0 ? null : idAt(at - 1), next: idAt(at + 1) };
    },
  });
  const found = around.data ?? null;

  // Back in the list, the focus is on the record that was read last.
  useEffect(() => {
    // Beside the list, the record follows the focus.
    if (pane !== null || list === null || at === undefined) return;
    list.focus = { row: at, column: list.focus?.column ?? 'id' };
  }, [list, at, pane]);

  useEffect(() => {
    for (const id of [found?.next, found?.previous]) {
      if (typeof id !== 'number') continue;
      const wanted = { workspaceId, id };
      void cache.prefetchQuery({
        ...deskQuery(bridge, procedure, wanted),
        // Nobody has opened it yet: its page says so when it is shown.
        queryFn: () => ask(bridge, procedure, { ...wanted, isAside: true }),
      });
      onNeighbor?.(id);
    }
  }, [found, bridge, cache, procedure, workspaceId, onNeighbor]);

  /** A key pressed before the neighbors are known takes effect when they are. */
  const pressed = useRef<1 | -1 | null>(null);
  const go = (step: 1 | -1) => {
    pressed.current = found === null ? step : null;
    const id = step === 1 ? found?.next : found?.previous;
    if (typeof id !== 'number' || at === undefined) return;
    if (pane === null) onGo(id, at + step);
    else pane.goTo(at + step);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was found sets it going
  useEffect(() => {
    if (found !== null && pressed.current !== null) go(pressed.current);
  }, [found]);
  useSingleKeys({ j: () => go(1), k: () => go(-1) });
  useImperativeHandle(props.walk, () => ({
    next: () => {
      go(1);
      return isPossible && (found === null || typeof found.next === 'number');
    },
  }));

  if (!isPossible) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        size={28}
        aria-label="Previous in list"
        aria-keyshortcuts="k"
        disabled={typeof found?.previous !== 'number'}
        onClick={() => go(-1)}
      >
        <IconChevronUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={28}
        aria-label="Next in list"
        aria-keyshortcuts="j"
        disabled={typeof found?.next !== 'number'}
        onClick={() => go(1)}
      >
        <IconChevronDown size={16} aria-hidden />
      </ActionIcon>
      <Text size="sm" c="dimmed" role="status" miw={90}>
        {around.error !== null
          ? 'Couldn’t load the list'
          : found !== null && `${formatCount(at + 1)} of ${formatCount(found.total)}`}
      </Text>
    </Group>
  );
}
