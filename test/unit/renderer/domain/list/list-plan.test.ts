import { expect, test } from 'vitest';
import type { DeskBridge } from '../../../../../src/contract/bridge.ts';
import { sessionContentSchema } from '../../../../../src/contract/views.ts';
import { RememberedList } from '../../../../../src/renderer/domain/list/list-memory.tsx';
import { columnStep, planOf } from '../../../../../src/renderer/domain/list/list-plan.ts';
import { ListSource } from '../../../../../src/renderer/domain/list/list-source.ts';
import { lastSettingsOf, lastViewOf } from '../../../../../src/renderer/domain/list/saved-views.ts';
import { claimLayouts } from '../../../../../src/renderer/features/claims/claim-columns.ts';

const claimPlan = (windowPx: number) => planOf('claims', claimLayouts, windowPx);
const narrow = claimPlan(columnStep(1280));
const wide = claimPlan(columnStep(1920));

test('a wide window has more columns by default', () => {
  expect(narrow.initial.columns).not.toContain('network');
  expect(claimPlan(columnStep(1440)).initial.columns).toContain('network');
  expect(wide.initial.columns).toEqual(expect.arrayContaining(['members.name', 'type.name']));
});

test('default columns are not kept: the next window has those of its own width', () => {
  const left = lastViewOf({ ...narrow.initial, search: 'ada' }, narrow.initial);
  const session = { version: 2, kind: 'session', lists: { claims: left } };
  expect(sessionContentSchema.parse(session).lists.claims?.columns).toEqual([]);
  expect(lastSettingsOf('claims', left, wide.initial)).toEqual({ ...wide.initial, search: 'ada' });
});

test('columns that a person chose are kept', () => {
  const chosen = { ...narrow.initial, columns: ['id', 'status'] };
  const left = lastViewOf(chosen, narrow.initial);
  expect(lastSettingsOf('claims', left, wide.initial)).toEqual(chosen);
});

test('a list that is there already follows the width of the window, until a person changes its columns', () => {
  const bridge = {
    call: { 'records:begin': () => new Promise(() => undefined) },
  } as unknown as DeskBridge;
  const list = new RememberedList('claims', new ListSource(bridge, 'w'), narrow);
  list.followDefaults(wide);
  expect(list.getSettings().columns).toEqual(wide.initial.columns);
  list.change({ columns: ['id', 'status'] });
  list.followDefaults(narrow);
  expect(list.getSettings().columns).toEqual(['id', 'status']);
});

test('rows selected before a list is complete stay selected when it is, and not when it is opened again', async () => {
  const counts: ((whole: { total: number; totals: null; isOutdated: boolean }) => void)[] = [];
  let begun = 0;
  const answer = <T>(value: T) => ({ ok: true as const, value });
  const bridge = {
    call: {
      'records:begin': async () => {
        begun += 1;
        return answer({ snapshotId: `s${begun}`, rows: [{ id: 1 }, { id: 2 }], total: null, totals: null });
      },
      'records:getCount': () =>
        new Promise((resolve) => counts.push((whole) => resolve(answer({ ...whole })))),
      'records:close': async () => answer({}),
    },
  } as unknown as DeskBridge;
  const open = async (isOutdated: boolean) => {
    const source = new ListSource(bridge, 'w');
    const list = new RememberedList('claims', source, narrow);
    await source.getFirstRows([]);
    list.selection.toggle(1);
    const made = source.current();
    await Promise.resolve();
    counts.at(-1)?.({ total: 2, totals: null, isOutdated });
    await made;
    return list;
  };
  const list = await open(false);
  expect(list.selection.getRanges()).toEqual([[1, 1]]);
  const again = list.source.reopen();
  await list.source.getFirstRows([]);
  counts.at(-1)?.({ total: 2, totals: null, isOutdated: false });
  await again;
  expect(list.selection.getRanges()).toEqual([]);
  // Records were written between its first rows and the whole list.
  expect((await open(true)).selection.getRanges()).toEqual([]);
});
