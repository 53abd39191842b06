import { Group } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useImperativeHandle, useRef } from 'react';
import { formatCount } from '../../../rules/count.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { Hint } from '../../components/text.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { deskQuery, fetchAhead } from '../../lib/desk-query.ts';
import { usePane } from '../../lib/pane.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useListMemory } from './list-memory.tsx';
import type { ListRef } from './list-ref.ts';
import type { ListSource } from './list-source.ts';
import { useGoToRecord } from './open-record.ts';
import type { RecordGate } from './record-gate.ts';
import { type FindStop, type Stop, stopsFound, stopsOfRows, walkToFree } from './walk-free.ts';

/** Functions of the walk that a page may call. */
export interface Walk {
  /** Shows the next record, or says that there is none. */
  readonly next: () => void;
  /** Shows a record of the list. */
  readonly goTo: (stop: Stop) => void;
}

const procedures = {
  claims: 'records:getClaim',
  members: 'records:getMember',
  dependents: 'records:getDependent',
} as const;

interface Neighbors {
  readonly total: number;
  /** Where the record is in the list. */
  readonly at: number;
  readonly previous: Stop | null;
  readonly next: Stop | null;
}

/** The path of the record that a row opens: a line opens its claim, so a list of lines is walked claim by claim. */
const idPathOf = (source: ListSource) => (source.query?.entity === 'lines' ? '$claim_id' : 'id');

/**
 * The stops before and after a record of a list. `findStop`: finds them where not every row is a stop. The engine may have
 * closed the list, which is then another one: the record is looked for near its row. If it is not in the list any more,
 * the walk begins again at the first row, so that none is passed over.
 */
async function findNeighbors(
  source: ListSource,
  id: number,
  at: number,
  findStop?: FindStop,
): Promise<Neighbors> {
  if (findStop !== undefined)
    return source.inSnapshot(async ({ snapshotId, total }) => {
      const [previous, next] = await Promise.all([
        at === 0 ? null : findStop(snapshotId, at - 1, -1),
        findStop(snapshotId, at + 1, 1),
      ]);
      return { total, at, previous, next };
    });
  const first = Math.max(0, at - 1);
  const path = idPathOf(source);
  const { rows, total } = await source.getWindow(first, at === 0 ? 2 : 3, [path]);
  if (rows[at - first]?.[path] !== id) {
    const foundAt = await source.findNear(id, at, path);
    if (foundAt !== null && foundAt !== at) return findNeighbors(source, id, foundAt);
    const [row] = foundAt === null ? (await source.getWindow(0, 1, [path])).rows : [];
    const next = typeof row?.[path] === 'number' ? { id: row[path], at: 0 } : null;
    return { total, at, previous: null, next };
  }
  const stopAt = (position: number): Stop | null => {
    const id = rows[position - first]?.[path];
    return typeof id === 'number' ? { id, at: position } : null;
  };
  return { total, at, previous: at === 0 ? null : stopAt(at - 1), next: stopAt(at + 1) };
}

interface WalkProps {
  gate: RecordGate;
  /** The record on the page. */
  id: number;
  from: ListRef;
  of: keyof typeof procedures;
  /** Fetches more of a neighbor ahead, and returns what ends the keeping of it. */
  onNeighbor?: (id: number, at: number) => (() => void)[];
  /** Finds the nearest stop from a row in a direction, for lists where not every row is a stop. */
  findStop?: FindStop;
  walk?: RefObject<Walk | null>;
  /** This page's name in a worklist of a team: previous and next take claims that no one else has open. */
  page?: string | null;
  /** There is no further record; `open`: how many others have open were passed over. */
  onEnd?: (open: number) => void;
}

/** The neighbors of the record in its list, which are fetched ahead. */
function useNeighbors({ id, from, of, onNeighbor, findStop }: WalkProps, source: ListSource | null) {
  const { list: listId, at } = from;
  const { id: workspaceId } = useWorkspace();
  const bridge = useBridge();
  const cache = useQueryClient();
  const procedure = procedures[of];
  const snapshotId = source?.getState().snapshot?.snapshotId;
  const walkQuery = useCallback(
    (id: number, at: number | undefined) => ({
      // The key differs from that of a claim opened by itself, where every row is a stop.
      queryKey: ['walk', workspaceId, listId, snapshotId, at, id, findStop !== undefined],
      gcTime: 10_000,
      queryFn: () => (source === null || at === undefined ? null : findNeighbors(source, id, at, findStop)),
    }),
    [workspaceId, listId, snapshotId, source, findStop],
  );
  const around = useQuery({ ...walkQuery(id, at), enabled: source !== null && at !== undefined });
  const neighbors = around.data ?? null;
  useEffect(() => {
    const kept = [neighbors?.next, neighbors?.previous].flatMap((stop) => {
      if (stop == null) return [];
      const request = { workspaceId, id: stop.id };
      const record = fetchAhead(cache, {
        ...deskQuery(bridge, procedure, request),
        // Fetched ahead, so opening the record is recorded only when its page is shown.
        queryFn: () => ask(bridge, procedure, { ...request, isLookup: true }),
      });
      const beyond = fetchAhead(cache, walkQuery(stop.id, stop.at));
      return [record, beyond, ...(onNeighbor?.(stop.id, stop.at) ?? [])];
    });
    return () => {
      for (const end of kept) end();
    };
  }, [neighbors, bridge, cache, procedure, workspaceId, onNeighbor, walkQuery]);
  return { found: neighbors, error: around.error, refetch: around.refetch };
}

/**
 * Previous and next in the list that a record was opened from, by button, `j` and `k`. Neighbors are fetched ahead,
 * so that the next record is there when its key is pressed.
 */
export function ListWalk(props: WalkProps) {
  const { gate, from, findStop, page = null } = props;
  const { list: listId, at } = from;
  const { id: workspaceId } = useWorkspace();
  const goToRecord = useGoToRecord(findStop === undefined ? props.of : 'duplicates');
  const pane = usePane();
  const bridge = useBridge();
  const memory = useListMemory();
  const list = listId === undefined ? null : memory.find(workspaceId, listId);
  const source = list?.source ?? null;
  const isPossible = source !== null && at !== undefined;
  const { found, error, refetch } = useNeighbors(props, source);
  const here = found?.at ?? at;

  // Back in the list, the focus is on the record that was read last.
  useEffect(() => {
    // Beside the list, the record follows the focus.
    if (pane !== null || list === null || at === undefined) return;
    list.focus = { row: at, column: list.focus?.column ?? 'id' };
  }, [list, at, pane]);

  /** A key pressed before the neighbors are known takes effect when they are; until then no other key does. */
  const pressed = useRef<1 | -1 | null>(null);
  const goTo = (stop: Stop) => {
    const end = gate.leave();
    if (pane === null) void goToRecord(stop.id, { ...from, at: stop.at }, true).finally(end);
    else {
      pane.goTo(stop.at);
      gate.stay();
    }
  };
  /** A step that is being chosen: until then further keys have no effect. */
  const isStepping = useRef(false);
  const goToFree = async (step: 1 | -1): Promise<void> => {
    if (source === null || here === undefined || page === null || isStepping.current) return;
    isStepping.current = true;
    gate.leave();
    const findStops =
      findStop === undefined ? stopsOfRows(source, idPathOf(source)) : stopsFound(source, findStop);
    try {
      const { stop, open } = await walkToFree({ bridge, source, page, findStops }, here, step);
      if (stop !== null) {
        goTo(stop);
        return;
      }
      gate.stay();
      if (step === 1) props.onEnd?.(open);
    } catch {
      gate.stay();
      // The list could not be read, which its place in it says.
      await refetch();
    } finally {
      isStepping.current = false;
    }
  };
  const go = (step: 1 | -1) => {
    if (page !== null) {
      void goToFree(step);
      return;
    }
    if (!isPossible) {
      if (step === 1 && listId !== undefined) props.onEnd?.(0);
      return;
    }
    pressed.current = found === null ? step : null;
    if (found === null) {
      gate.leave();
      // A list that could not be read is read again.
      if (error !== null) void refetch();
      return;
    }
    const stop = step === 1 ? found.next : found.previous;
    if (stop !== null) {
      goTo(stop);
      return;
    }
    gate.stay();
    if (step === 1) props.onEnd?.(0);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was found, or that nothing was, sets it going
  useEffect(() => {
    if (pressed.current === null || (found === null && error === null)) return;
    if (found !== null) go(pressed.current);
    else gate.stay();
    pressed.current = null;
  }, [found, error]);
  const press = (step: 1 | -1) => void (gate.mayPress() && go(step));
  useSingleKeys({ j: () => press(1), k: () => press(-1) });
  useImperativeHandle(props.walk, () => ({ next: () => go(1), goTo }));

  if (!isPossible) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <IconButton
        label="Previous in list"
        icon={<IconChevronUp size={16} aria-hidden />}
        variant="default"
        size={28}
        aria-keyshortcuts="k"
        disabled={found?.previous == null}
        onClick={() => gate.isOpen() && go(-1)}
      />
      <IconButton
        label="Next in list"
        icon={<IconChevronDown size={16} aria-hidden />}
        variant="default"
        size={28}
        aria-keyshortcuts="j"
        disabled={found?.next == null}
        onClick={() => gate.isOpen() && go(1)}
      />
      <Hint role="status" miw={90} data-screen-only>
        {error !== null
          ? 'Couldn’t load the list'
          : found !== null && `${formatCount(found.at + 1)} of ${formatCount(found.total)}`}
      </Hint>
    </Group>
  );
}
