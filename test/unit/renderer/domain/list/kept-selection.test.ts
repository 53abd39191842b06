import { notifications, notificationsStore } from '@mantine/notifications';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeskBridge } from '../../../../../src/contract/bridge.ts';
import { errorTable } from '../../../../../src/contract/error-codes.ts';
import { RememberedList } from '../../../../../src/renderer/domain/list/list-memory.tsx';
import { planOf } from '../../../../../src/renderer/domain/list/list-plan.ts';
import { startSettings } from '../../../../../src/renderer/domain/list/list-settings.ts';
import { ListSource } from '../../../../../src/renderer/domain/list/list-source.ts';

const notices = () => notificationsStore.getState().notifications.map(({ title }) => title);
beforeEach(() => notifications.clean());

type Counted = { snapshotId: string; total: number; totals: null };
type Places = { places: [number, number][] | null };

/** Opens a list that shows its first rows and is counted when the test resolves it. */
async function openList() {
  const counts = new Map<string, (whole: Counted) => void>();
  const asked: { snapshotId: string; inSnapshotId: string; answer: (found: Places | null) => void }[] = [];
  const closed: string[] = [];
  let begun = 0;
  const ok = <T>(value: T) => ({ ok: true as const, value });
  const bridge = {
    call: {
      'records:begin': async () => {
        begun += 1;
        return ok({ snapshotId: `s${begun}`, rows: [{ id: begun }], total: null, totals: null });
      },
      'records:getCount': ({ snapshotId }: { snapshotId: string }) =>
        new Promise((resolve) => counts.set(snapshotId, (whole) => resolve(ok(whole)))),
      'records:findRanges': (input: { snapshotId: string; inSnapshotId: string }) =>
        new Promise((resolve) => {
          const expired = {
            ok: false,
            error: errorTable['snapshot.expired'],
          };
          asked.push({ ...input, answer: (found) => resolve(found === null ? expired : ok(found)) });
        }),
      'records:close': async ({ snapshotId }: { snapshotId: string }) => {
        closed.push(snapshotId);
        return ok({ isDone: true });
      },
    },
  } as unknown as DeskBridge;
  const source = new ListSource(bridge, 'w');
  const list = new RememberedList('claims', source, planOf('claims', [], 1600));
  /** Shows the first rows, as the table does. */
  const showFirst = async () => {
    const first = await source.getFirstRows([]);
    return first !== null && list.showFirstRows(first.snapshotId);
  };
  /** The list that was begun is counted, under another ID where it begins with other rows. */
  const count = async (of: string, snapshotId = of) => {
    await vi.waitFor(() => expect([...counts.keys()]).toContain(of), { interval: 1 });
    counts.get(of)?.({ snapshotId, total: 9, totals: null });
  };
  const findRanges = async (found: Places | null) => {
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), { interval: 1 });
    const one = asked.shift();
    one?.answer(found);
    return one;
  };
  await source.getFirstRows([]);
  list.change({ search: 'a' });
  expect(await showFirst()).toBe(true);
  return { list, source, showFirst, count, findRanges, closed };
}

describe('rows selected among the first rows of a list', () => {
  test('stay selected when it is counted', async () => {
    const { list, source, count } = await openList();
    list.selection.toggle(1);
    expect(list.rowsOf).toBe('s2');
    await count('s2');
    await source.current();
    expect(list.selection.getRanges()).toEqual([[1, 1]]);
  });

  test('are found at their new positions if records were written before it was counted', async () => {
    const { list, source, count, findRanges, closed } = await openList();
    list.selection.extendTo(2, 0);
    await count('s2', 's2 again');
    expect(await findRanges({ places: [[4, 6]] })).toMatchObject({
      snapshotId: 's2',
      inSnapshotId: 's2 again',
    });
    await source.current();
    expect(list.rowsOf).toBe('s2 again');
    expect(list.selection.getRanges()).toEqual([[4, 6]]);
    expect(closed).toContain('s2');
    expect(notices()).toEqual([]);
  });

  test('are found unchanged when the answer arrives, if the user continues selecting', async () => {
    const { list, source, count, findRanges } = await openList();
    list.selection.toggle(0);
    await count('s2', 's2 again');
    await findRanges({ places: [[1, 1]] });
    list.selection.toggle(2);
    await findRanges({
      places: [
        [1, 1],
        [4, 4],
      ],
    });
    await source.current();
    expect(list.selection.getRanges()).toEqual([
      [1, 1],
      [4, 4],
    ]);
  });

  test('that the list no longer has are reported as no longer selected', async () => {
    const { list, source, count, findRanges } = await openList();
    list.selection.extendTo(2, 0);
    await count('s2', 's2 again');
    await findRanges({ places: [[0, 1]] });
    await source.current();
    expect(list.selection.getRanges()).toEqual([[0, 1]]);
    expect(notices()).toEqual(['1 row no longer selected']);
  });

  test.each([
    ['parts of records', { places: null }],
    ['a list that was closed', null],
  ])('are cleared, which is reported, if they can’t be found: %s', async (_of, found) => {
    const { list, source, count, findRanges } = await openList();
    list.selection.toggle(1);
    await count('s2', 's2 again');
    await findRanges(found);
    await source.current();
    expect(list.selection.getRanges()).toEqual([]);
    expect(notices()).toEqual(['Selection cleared']);
  });

  test('are found again when the same list is made again, and its first rows wait for that', async () => {
    const { list, source, showFirst, count, findRanges } = await openList();
    await count('s2');
    await source.current();
    list.selection.toggle(1);
    const again = source.reopen();
    expect(await showFirst()).toBe(false);
    await count('s3');
    expect(await findRanges({ places: [[2, 2]] })).toMatchObject({ snapshotId: 's2', inSnapshotId: 's3' });
    await again;
    expect([list.rowsOf, list.selection.getRanges()]).toEqual(['s3', [[2, 2]]]);
  });

  test('are no longer selected when another query is typed, nor are rows of the older one', async () => {
    const { list, source, showFirst, count } = await openList();
    await count('s2');
    await source.current();
    list.selection.toggle(1);
    list.change({ search: 'ad' });
    expect(list.selection.getRanges()).toEqual([]);
    // The rows on screen are still those of the older query, and go when the next ones arrive.
    list.selection.toggle(0);
    expect(await showFirst()).toBe(true);
    expect(list.selection.getRanges()).toEqual([]);
    expect(notices()).toEqual(['Selection cleared']);
    list.selection.toggle(2);
    await count('s3');
    await source.current();
    expect([list.rowsOf, list.selection.getRanges()]).toEqual(['s3', [[2, 2]]]);
  });

  test('are all of the counted list if all are selected before it is counted', async () => {
    const { list, source, count } = await openList();
    const selected = list.selectAll();
    expect(list.selection.count).toBe(0);
    await count('s2');
    await source.current();
    await selected;
    expect(list.selection.getRanges()).toEqual([[0, 8]]);
  });

  test('are not all of another list', async () => {
    const { list, source, showFirst, count } = await openList();
    const selected = list.selectAll();
    list.change(startSettings({ columns: [], sort: [], frozen: [] }));
    await showFirst();
    await count('s2');
    await count('s3');
    await source.current();
    await selected;
    expect(list.selection.count).toBe(0);
  });
});

describe('the focus of a list that is made again', () => {
  test('moves with its record', async () => {
    const { list, source, count, findRanges } = await openList();
    list.focus = { row: 1, column: 'id' };
    await count('s2', 's2 again');
    expect(await findRanges({ places: [[2, 2]] })).toMatchObject({ places: [[1, 1]] });
    await source.current();
    expect(list.focus).toEqual({ row: 2, column: 'id' });
    expect(list.focusMove).toMatchObject({ from: 1, to: 2 });
  });

  test('is that of the record to which it moves while the list is made', async () => {
    const { list, source, count, findRanges } = await openList();
    list.focus = { row: 1, column: 'id' };
    await count('s2', 's2 again');
    await findRanges({ places: [[2, 2]] });
    list.focus = { row: 2, column: 'id' };
    expect(await findRanges({ places: [[3, 3]] })).toMatchObject({ places: [[2, 2]] });
    await source.current();
    expect(list.focus).toEqual({ row: 3, column: 'id' });
    expect(list.focusMove).toMatchObject({ from: 2, to: 3 });
  });

  test('stays where it moves after its record was found', async () => {
    const { list, source, count, findRanges } = await openList();
    list.focus = { row: 1, column: 'id' };
    await count('s2', 's2 again');
    await findRanges({ places: [[1, 1]] });
    for (let row = 2; row < 4; row += 1) {
      list.focus = { row, column: 'id' };
      await findRanges({ places: [[row, row]] });
    }
    list.focus = { row: 4, column: 'id' };
    await source.current();
    expect(list.focus).toEqual({ row: 4, column: 'id' });
    expect(list.focusMove).toBeNull();
  });
});
