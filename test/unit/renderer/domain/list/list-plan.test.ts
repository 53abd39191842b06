import { expect, test } from 'vitest';
import type { DeskBridge } from '../../../../../src/contract/bridge.ts';
import { sessionContentSchema } from '../../../../../src/contract/views.ts';
import { RememberedList } from '../../../../../src/renderer/domain/list/list-memory.tsx';
import { columnStep, planOf } from '../../../../../src/renderer/domain/list/list-plan.ts';
import { ListSource } from '../../../../../src/renderer/domain/list/list-source.ts';
import { lastSettingsOf, lastViewOf } from '../../../../../src/renderer/domain/list/view-settings.ts';
import { claimLayouts } from '../../../../../src/renderer/features/claims/claim-columns.ts';

const claimPlan = (windowPx: number) => planOf('claims', claimLayouts, windowPx);
const narrow = claimPlan(columnStep(1280));
const wide = claimPlan(columnStep(1920));

test('a wide window has more columns by default', () => {
  expect(narrow.initial.columns).not.toContain('network');
  expect(claimPlan(columnStep(1440)).initial.columns).toContain('network');
  expect(wide.initial.columns).toEqual(expect.arrayContaining(['members.name', 'type.name']));
});

test('default columns are not stored: the next window has those for its own width', () => {
  const left = lastViewOf({ ...narrow.initial, search: 'ada' }, narrow.initial);
  const session = { version: 2, kind: 'session', lists: { claims: left } };
  expect(sessionContentSchema.parse(session).lists.claims?.columns).toEqual([]);
  expect(lastSettingsOf('claims', left, wide.initial)).toEqual({ ...wide.initial, search: 'ada' });
});

test('columns that a user chose are stored', () => {
  const chosen = { ...narrow.initial, columns: ['id', 'status'] };
  const left = lastViewOf(chosen, narrow.initial);
  expect(lastSettingsOf('claims', left, wide.initial)).toEqual(chosen);
});

test('an existing list follows the width of the window until a user changes its columns', () => {
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
