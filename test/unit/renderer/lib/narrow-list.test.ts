import { expect, test } from 'vitest';
import type { DeskBridge } from '../../../../src/contract/bridge.ts';
import { ListMemory } from '../../../../src/renderer/domain/list/list-memory.tsx';
import { startSettings } from '../../../../src/renderer/domain/list/list-settings.ts';
import type { Condition, ListQuery } from '../../../../src/rules/query.ts';

const plan = { entity: 'claims' as const, initial: startSettings({ columns: ['id', 'status'] }) };
const ofMember: Condition = { field: 'members.id', operator: 'is', values: [7] };
const labels = new Map([['members.id 7', 'Ann']]);

function given() {
  const asked: ListQuery[] = [];
  const call = new Proxy(
    {},
    {
      get: () => async (input: { query?: ListQuery }) => {
        if (input.query !== undefined) asked.push(input.query);
        return { ok: true, value: { snapshotId: 's', rows: [], total: 0, totals: null } };
      },
    },
  );
  const bridge = { shell: 'browser', call, subscribe: () => () => undefined } as unknown as DeskBridge;
  return { memory: new ListMemory(bridge), asked };
}

test('an existing list immediately shows what was chosen elsewhere, and nothing of the earlier search', () => {
  const { memory } = given();
  const list = memory.obtain('w', 'claims', plan);
  list.change({ search: 'mri', columns: ['id'] });
  memory.narrow('w', 'claims', { search: '', conditions: [ofMember] }, labels);
  expect(list.getSettings()).toMatchObject({ search: '', conditions: [ofMember], columns: ['id'] });
  expect(list.labels.get('members.id 7')).toBe('Ann');
  expect(list.source.query?.conditions).toEqual([ofMember]);
});

test('a new one begins that way, once; another workspace is another list', () => {
  const { memory } = given();
  memory.narrow('w', 'claims', { conditions: [ofMember] }, labels);
  expect(memory.obtain('other', 'claims', plan).getSettings().conditions).toEqual([]);
  const list = memory.obtain('w', 'claims', plan);
  expect(list.getSettings()).toMatchObject({ conditions: [ofMember], columns: ['id', 'status'] });
  list.change({ conditions: [] });
  expect(memory.obtain('w', 'claims', plan).getSettings().conditions).toEqual([]);
});

test('listeners are notified of a new list and of the view that it shows', async () => {
  const { memory } = given();
  const heard: (string | null | undefined)[] = [];
  memory.subscribe(() => heard.push(memory.find('w', 'claims')?.viewId));
  memory.openView('w', 'claims', 'v1', plan.initial);
  const list = memory.obtain('w', 'claims', plan);
  await Promise.resolve();
  memory.openView('w', 'claims', 'v2', plan.initial);
  list.viewId = null;
  expect(heard).toEqual(['v1', 'v2', null]);
});
